// Package desk is one person at one vault: the open chats, what is attached to
// their next turns, which note is open, the commands that change all that, and
// the names and the search index of the vault. The screen and line mode both
// work with it, so that everything the one does the other can do.
//
// # Chats
//
// A [Desk] holds any number of open chats, of which one is current. [Desk.Begin],
// [Desk.Open] and [Chat.Branch] open one more and make it current. The others stay
// open, locked against other processes, until [Chat.Close]; a turn that runs in
// one of them goes on. [Desk.Switch] goes back to one. Each [Chat] has its session,
// its attached references, its way to treat the active note and its project; what
// the editor has open belongs to the desk. What is attached and not sent goes along
// to a chat that is opened, and a chat in which nothing was said is not kept. A Desk
// embeds its current chat: a program that shows one chat at a time asks the desk, and
// closes the others with [Desk.CloseOthers].
//
// # Commands
//
// [Commands] is one table: the help, the completion and the dispatch of both the
// screen and line mode. [Chat.Command] runs a line of it.
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
// A Desk and its chats belong to one goroutine at a time; those that share a desk take
// it with [Enter], and give it to each other while a chat waits for something. Run,
// Sync and Search may run beside it, in goroutines that their callers own, stop by
// ctx and wait for; [Desk.Close] comes after them. A turn runs in the goroutine that ranges
// over it, and needs neither the desk nor the chat.
package desk
