// Package gather turns references into content: what a person names in a
// message, pins or attaches becomes the items that the engine puts into a
// prompt. It is where notes are read, folders and tags expanded, pages fetched
// and limits applied, and the one place that decides that something stays on
// this machine: private and excluded notes never become items.
//
// # Three questions
//
//	Mentions   which things does this text name?     names only, no content
//	Gather     what do these things hold now?        read from disk, every time
//	Current    what became of what was sent before?  by content, not by time
//
// A name that fits several notes attaches none of them; of a name with spaces
// that is typed without quotes the longest that exists is meant. Of what is not
// attached a person is told why, in one line, with what may have been meant.
//
// Folders and tags stand for the notes that are in them when the turn is sent,
// saved chats excepted: a chat in which somebody typed a tag does not have it.
// One that stands for much has to be chosen ("@folder/", "@#tag", from a list): a
// word in running text that could be meant otherwise attaches nothing then.
//
// What a note embeds of other notes is part of it, one level deep: its text travels
// inside the note, and a change of it is a change of the note.
//
// The results of the queries in a note, and of a base, go beside it as items of their
// own. A query is answered once, and again when a note has changed, which is a change of
// its item. What queries are and which are answered is told in vault/query; one that is
// not goes as it is written, and it is said which word stopped it.
//
// A page is fetched once in a process, and again on [Gatherer.Refetch].
//
// # Images
//
// Text and images go different ways. A file that is written into a note as a
// data URI never travels as text: a placeholder with its type, size and hash
// stands for it. [Gatherer.Images] reads what a note embeds, for the one note
// that the person looks at. Images on the web are not fetched.
//
// # Concurrency
//
// A [Gatherer] may be used from several goroutines at once. It starts none. What
// takes long (pages above all) ends with the context that it is given.
package gather
