// Package ui is the terminal interface of ibid: one tea.Model, [Model], over the widgets in the
// packages below it. The package desk, which line mode uses too, has what the program does with a vault
// and its chats; this package shows it. The package browse has the lists of notes, chats and the like,
// the package setup the pages for settings, providers, models, vaults and themes, the package review
// the pages for changes before they are made, and the package chatview one open chat.
//
// # Where to begin
//
// These files, in this order, show the way of a key through the program:
//
//	model.go    Model and its parts; Update passes each message to its handler
//	input.go    passes a key or a paste to the page, the bindings or the prompt
//	keys        a package: all keys and commands, as a table of bindings
//	actions.go  the functions behind the bindings
//	requests.go carryOut acts on the requests of keys and pages
//	desk.go     jobDone takes over the result of work at the desk, see chatview.Work: each chat
//	            does one job at a time
//	term        a package: commands of Bubble Tea that can be cancelled and waited for
//	frame.go    arrange divides the screen into rectangles
//	layout.go   place sets the sizes; View returns a frame
//	screen.go   draws it
//	screenstate.go
//	            the state of the screen, which pages and drawing read
//
// # The other files
//
// The parts of the model:
//
//	openchats.go, others.go
//	                 the chats in the background; the package chatview has the work of an
//	                 open chat: from enter to a request, the events of a turn, the content and
//	                 cost of the next request
//	jobs.go          jobs at the desk, slash commands first
//	notes.go         the vault's names; earlier.go the prompts of all chats
//	recover.go       replies that were not saved
//	release.go       the data that providers keep of a closed chat
//	drop.go          files that are dropped on the window
//	compose.go       the prompt in the editor; commandline.go slash commands
//	options.go       the options of the program; run.go runs it
//	notify.go, tick.go, pull.go, toast.go
//
// The rows around the transcript, and the mouse:
//
//	header.go, starters.go, look.go
//	rails.go         the data of the rails beside the transcript
//	mouse.go         clicks, the wheel, selecting
//	inline.go        without the alternate screen: ui/scrollback prints finished messages
//
// Pages, all behind the interface of the package page:
//
//	pages.go         opens them, one row each; the package page has the interface, and the
//	                 page of all lists
//	catalog.go       the data of the lists and the handlers of their messages; more of them
//	                 are in savedchats.go, rewind.go, writereply.go, savedprompts.go and trigger.go
//	asked.go         shows the questions of a running turn
//	keylist.go, pagekeys.go
//	                 lists of the keys; presskey.go a click on a key presses it
//
// # Pages
//
// A page covers the conversation or stands over the prompt. It handles keys, the wheel and pastes,
// reads the state of the screen (screenState), and answers with a request; it never changes the model.
//
// # Several chats
//
// One conversation is on the screen. Others stay open in the background while a reply is written in
// them, is unread, or something in them was not sent. Each has its own transcript, turn, draft and
// queue, and its chat at the desk: a job is made for one conversation, and its answer goes to that one.
// Questions of a turn in the background wait until its chat is on the screen, and only the chat on the
// screen sends messages.
//
// # Effects
//
// Update does no I/O and waits for nothing. Everything that reads or writes runs in a command, which is
// made of values and answers with a message; the message names the request that it answers, and a late
// answer is dropped. The desk is not safe for concurrent use, so one job at a time has it, and Update
// never touches it: the model keeps the values that each job returned.
//
// # Goroutines
//
// The program's loop runs Update and View. Commands run in goroutines of Bubble Tea; each running turn
// is one of them, which ranges over its session's events and passes them on through a bounded queue.
// All of them are counted and end with the context of [New]: [Model.Close], which [Run] calls, cancels
// it and waits, so that a reply that was streaming is on disk when Run returns.
package ui
