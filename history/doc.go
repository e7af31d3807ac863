// Package history keeps conversations as markdown notes in the vault.
//
// A chat opens in any editor and shows there what the screen showed; reopened,
// it is the same conversation again. The file has three parts:
//
//	---                                          Copilot's properties: epoch, model,
//	epoch: 1727129880000                         title; "ibid", with what only ibid
//	…                                            reads; "notes", the used notes as
//	---                                          real [[wikilinks]]
//
//	<!-- ibid {"v":2,…} -->                      per-turn facts that have no place
//	                                             in the text: see below
//	**user**: What changed?
//	[Context: Notes: Projects/plan.md | Tags: #work]
//	[Timestamp: 2024/09/23 22:18:00]
//
//	**ai**: Two things changed.
//	[Timestamp: 2024/09/23 22:18:05]
//
// The messages are written in the grammar of Obsidian Copilot, which reads these
// files as its own, and every variant that it has written since 2023 is read
// here. Only what was displayed is saved: never the expanded prompt, a note's
// content, a key, or an absolute path.
//
// # The hidden block
//
// The comment before the first message holds, for each message, a short hash of
// its text, what was attached in which order and at which revision, how the reply
// ended, and the notes that the model left to itself; for each month and model,
// what was spent. The file loads without it. When the text was edited elsewhere,
// the entries are matched to the messages by text, and what matches none is
// dropped. Of a damaged comment every line that can be read counts.
//
// # Variants
//
// A second comment below the block holds the ends of turns that something else
// has taken the place of: an earlier reply, a question as it was before it was
// edited, a turn that was taken back. The chat shows one end of each turn, and so
// does every other program that reads the file; [Chat.Show] exchanges them.
//
// # Thinking
//
// What a model thought before a reply stands in front of it as Copilot saves it,
// <think> and </think> on lines of their own. It is a field of its own here: no
// search, no prompt and no other reader of a text meets it.
//
// # What others wrote
//
// A file is kept in pieces as it was read, and a piece is written anew only when
// what it says has changed: a turn that is appended leaves every byte before it.
// In a file that ibid did not create, "title", "model", "layout" and "notes" are
// the person's, and "foreign" under "ibid" says up to which header line another
// program wrote. That program escapes nothing, so there a header is one only below
// a time stamp.
//
// # Escapes
//
// A line of a message that would read as a header or as metadata is written with
// a backslash before it. In the paths of a context line the separators are
// percent-encoded. Both survive the round trip byte for byte.
//
// # Saving
//
// A [Store] never overwrites what it has not seen. Each file it opens or writes
// is remembered; when the file has become another one in the meantime, the
// outside edit is merged message by message, and where both sides changed the
// same message, the chat goes on in a file of its own beside it. A chat that
// another process has open is read-only here until [Store.Await] returns. A pin, tags and another title change
// the properties of a file and nothing else; the archive is a folder.
//
// While a reply streams, a [Journal] in the state folder holds it, never more than a
// second behind. The next one to read a chat that still ends in its question, or in
// the beginning of the reply, reads the journal with it, and the next one to save
// the chat saves it. What cannot be saved at all goes to the state folder too
// ([Store.Rescue]). [Store.Unsaved] lists what is left there.
//
// A chat is known by its epoch, the second of its first message, which no two chats
// share: a file that was moved is found by it anywhere in the vault, and a copy of a
// file is a chat of its own. Copilot writes a chat that it continues anew, without
// what it does not know; what stands above the messages is also kept in the state
// folder, and is restored when the chat is opened.
//
// # Lists
//
// A list looks at the size and the time of each file and reads those that are not
// known. A [Cache] keeps what is known from one run of the program to the next. Package
// chatlist says which chats are wanted.
//
// What stands unsent in the prompt of a chat lies in the state folder, too: see package
// statefolder.
//
// # Where things are
//
// A chat is in chat.go, context.go, meta.go, variants.go and name.go. Its file is read
// by decode.go: messages by scan.go, properties by properties.go, front.go and package
// properties, hidden data by block.go, and source.go keeps the rest; encode.go writes it.
// The store opens in store.go and saves in save.go, where merge.go takes in what others
// wrote. What is not in the vault is in package statefolder, journal.go, backup.go and
// unsaved.go. A chat is found by identity.go and epoch.go, copies.go knows copies of it,
// edit.go and trash.go change what stands around its messages. Lists are list.go,
// cache.go, asked.go and spent.go, and resolve.go finds the notes that a chat names.
//
// # Concurrency
//
// Chats are plain values: one goroutine at a time may change one. Encode, Decode
// and Resolve are pure and safe everywhere. A Store is safe for concurrent use;
// it starts goroutines only inside List and Spent, which wait for them, and for a
// Journal, which whoever began it closes.
package history
