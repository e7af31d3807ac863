// Package desk manages the open chats of one person at one vault: what is attached to their next turns, which note
// is open, the commands that change all that, and the names and the search index of the vault. The screen and line
// mode both work with it, so that each can do what the other can.
//
// # Chats
//
// A [Desk] holds any number of open chats, each locked against other processes until [Chat.Close]. There is no
// current chat of the desk: a caller has a [Place], which is at one chat and moves to another with [Place.Open],
// [Place.Begin] and [Place.Branch]; a turn that runs in the previous chat goes on. Each [Chat] has its session, its
// attachments, its treatment of the active note and its project. The note that the editor has open belongs to the
// desk. Opening a chat from an empty one moves the attachments along, and the empty chat is dropped. A program that
// shows one chat at a time has one place, and closes the other chats with [Place.CloseOthers].
//
// # Commands
//
// [Commands] is one table, from which the help, the completion and the dispatch of both the screen and line mode
// are made. [Place.Command] runs a line.
//
// # Notes
//
// [Desk.Run] reads the vault, keeps the names and the search index up to date, and reports changes as values.
// Without Run, [Desk.Sync] updates the index once. The index is opened when it is first needed, and not at the
// start.
//
// If the settings name a model for it, Run also has vectors made of the notes, and searches by [Desk.Searcher] find
// notes by their meaning: see [Meaning]. Nothing goes to another machine before the person agrees.
//
// # Concurrency
//
// A place belongs to one goroutine. Goroutines that share a desk get a place from [Desk.Enter], which waits for the
// place that works in the chat, or from [Desk.Reopen], and return it with [Place.Leave]. The state of the desk
// itself is guarded by one lock that is held for moments. Run, Sync and Search may run in parallel, in goroutines
// that their callers own, stop with ctx and wait for before [Desk.Close]. A turn runs in the goroutine that ranges
// over it, and needs no place.
package desk
