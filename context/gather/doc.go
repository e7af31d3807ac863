// Package gather reads the items that references name: a note that a person mentions, pins or attaches becomes an
// item for the prompt. It reads notes, expands folders and tags, fetches pages and applies limits. It is also the
// only place that keeps things on this machine: private and excluded notes never become items, and nothing of the vault
// does while the rules for excluded files cannot be read, unless a person agrees.
//
// # Three methods
//
//	Mentions   which things does this text name?         names only, no content
//	Gather     what do these things contain now?         read from disk, every time
//	Current    what happened to what was sent before?    by content, not by time
//
// A path behind "@" means the file there and no other, a link in brackets also the end of a path; see vault.Purpose. A
// name that fits several notes attaches none of them. Of a name with spaces and without quotes, the longest name that
// exists is meant. For whatever is not attached, the person gets the reason, in one line, with the notes that may have
// been meant.
//
// Folders and tags stand for the notes in them when the turn is sent, except saved chats: a chat in which somebody
// typed a tag does not have it. A folder or tag with many notes must be chosen explicitly ("@folder/", "@#tag",
// from a list): in running text, where another meaning is likely, it attaches nothing.
//
// A note includes what it embeds of other notes, one level deep: the embedded text is sent within the note, and a
// change of it is a change of the note.
//
// The results of the queries in a note, and of a base, are items of their own. A query is run once, and again when
// a note has changed; another result is a change of its item. Package vault/query documents the supported queries.
// Any other query is sent as it is written, and the person is told which word prevented it.
//
// A page is fetched once in a process, and again by [Gatherer.Refetch].
//
// # Images
//
// Text and images are separate. A file in a note as a data URI is never sent as text: a placeholder with its type,
// size and hash replaces it. [Gatherer.Images] reads the images that a note embeds, for the one note that the
// person looks at. Images on the web are not fetched.
//
// # Concurrency
//
// Several goroutines may use a [Gatherer] at once. It starts none. Everything slow, such as fetching a page, ends
// with its context.
package gather
