// Package desk is one person at one vault: the open chats, what is attached to
// their next turns, which note is open, the commands that change all that, and
// the names and the search index of the vault. The screen and line mode both
// work with it, so that everything the one does the other can do.
//
// # Chats
//
// A [Desk] holds any number of open chats, each locked against other processes until
// [Chat.Close]. Nobody's chat is the current one: who works at the desk has a [Place], which
// is at one chat, and goes on to another with [Place.Open], [Place.Begin] and [Place.Branch];
// a turn that runs in the chat that was left goes on. Each [Chat] has its session, its
// attached references, its way to treat the active note and its project; what the editor has
// open belongs to the desk. What is attached and not sent goes along to a chat that is
// opened, and a chat in which nothing was said is not kept. A program that shows one chat at
// a time has one place, and closes the others with [Place.CloseOthers].
//
// # Commands
//
// [Commands] is one table: the help, the completion and the dispatch of both the
// screen and line mode. [Place.Command] runs a line of it.
//
// # Notes
//
// [Desk.Run] reads the vault and keeps names and search index in step with it.
// What it found goes to a function, as values. Without Run, [Desk.Sync] brings
// the index up to date once. The index is opened when it is first needed, never
// to start up.
//
// # Concurrency
//
// A place belongs to one goroutine. Those who share a desk take theirs with [Desk.Enter],
// which waits for who works in the chat, or [Desk.Reopen], and give it back with
// [Place.Leave]; what the desk itself knows is behind one lock that is held for a moment.
// Run, Sync and Search may run beside that, in goroutines that their callers own, stop by
// ctx and wait for; [Desk.Close] comes after them. A turn runs in the goroutine that ranges
// over it, and needs no place.
package desk
