// Package history keeps conversations as markdown notes in the vault.
//
// A chat can be read in any editor, and opening it again restores the same conversation. The file has three
// parts:
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
// The messages are written in the grammar of Obsidian Copilot, which reads these files as its own; this package
// reads every variant that Copilot has written since 2023. Only displayed text is saved: never the expanded
// prompt, the content of a note, a key, or an absolute path.
//
// # The hidden block
//
// The comment before the first message holds, for each message, a short hash of its text, the attachments in
// their order with their revisions, how the reply ended, and the notes that the model left to itself; for each
// month and model, the costs. The file loads without it. When the text was edited elsewhere, the entries are
// matched to the messages by text, and those without a match are dropped. Of a damaged comment every readable
// line is used.
//
// # Variants
//
// A second comment below the block holds the ends of turns that were replaced: an earlier reply, a question
// before it was edited, a turn that was taken back. The chat shows one end of each turn, and so does every
// other program that reads the file; [Chat.Show] exchanges them.
//
// # Thinking
//
// The thinking before a reply is saved as Copilot saves it: in front of the reply, with <think> and </think> on
// lines of their own. In memory it is a separate field, so that searches, prompts and other readers of the text
// do not get it.
//
// # Files of other programs
//
// A file is kept in pieces as it was read, and a piece is written anew only when its content has changed:
// appending a turn leaves every earlier byte as it is. In a file that ibid did not create, "title", "model",
// "layout" and "notes" belong to the person, and "foreign" under "ibid" counts the header lines that another
// program wrote. Copilot does not escape anything, so in its part of a file only a line below a time stamp is a
// header.
//
// # Escapes
//
// A line of a message that would read as a header or as metadata is written with a backslash before it. In the
// paths of a context line the separators are percent-encoded. Both survive the round trip byte for byte.
//
// # Saving
//
// A [Store] never overwrites a change that it has not read. It remembers each file that it opens or writes;
// when the file has changed since, it merges the outside edit message by message, and where both sides changed
// the same message, the chat continues in a new file beside the old one. A chat that another process has open
// is read-only here until [Store.Await] returns. Pinning, tags and renaming change the properties of a file and
// nothing else; the archive is a folder.
//
// While a reply streams, a [Journal] in the state folder holds it, at most a second behind. Reading a chat that
// still ends in its question, or in the beginning of the reply, reads the journal too, and saving the chat
// saves that text. A chat that cannot be saved at all goes to the state folder too ([Store.Rescue]).
// [Store.Unsaved] lists the texts that remain there.
//
// The identity of a chat is its epoch, the second of its first message, which no two chats share: a moved file
// is found by it anywhere in the vault, and a copy of a file becomes a chat of its own. Copilot rewrites a chat
// that it continues, and drops what it does not know; so the text above the messages is also kept in the state
// folder, and restored when the chat is opened.
//
// # Lists
//
// A list checks the size and the time of each file, and reads the new and the changed ones. A [Cache] keeps the
// summaries for the next run of the program. Package chatlist filters and sorts lists.
//
// Drafts, the unsent text in the prompts of chats, are in the state folder, too: see package statefolder.
//
// # Where things are
//
// A chat is in chat.go, context.go, meta.go, variants.go and name.go. Its file is read by decode.go: messages
// by scan.go, properties by properties.go, front.go and package properties, hidden data by block.go, and
// source.go keeps the rest; encode.go writes it. The store opens in store.go and saves in save.go; merge.go
// merges outside edits. The files outside of the vault are in package statefolder, journal.go, backup.go and
// unsaved.go. identity.go and epoch.go find a chat's file, copies.go finds copies of it, edit.go and trash.go
// change a file without changing its messages. Lists are list.go, cache.go, asked.go and spent.go, and
// resolve.go finds the notes that a chat names.
//
// # Concurrency
//
// Chats are plain values: one goroutine at a time may change one. Encode, Decode and Resolve are pure and safe
// everywhere. A Store is safe for concurrent use. It starts goroutines inside List and Spent, which wait for
// them, and one for each Journal, which ends with Journal.Close.
package history
