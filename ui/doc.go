// Package ui is the terminal interface of ibid: one tea.Model, [Model], over the
// widgets in the packages below it. What the program does with a vault and its chats
// is in the package desk, which line mode uses too; this package shows it.
// The lists of notes, chats and the like are in the package browse, the pages about what
// the program is set up with in the package setup, those about changes before they are
// made in the package review, and what an open chat is and does in the package chatview.
//
// # Where to begin
//
// These files, in this order, are the way of a key through the program:
//
//	model.go    Model and its parts; Update hands each message to its one handler
//	input.go    who gets a key or a paste: the page, the bindings, the prompt
//	keys        a package: every key and command, as a table of bindings
//	actions.go  what each of them wants
//	requests.go carryOut acts on what keys and pages ask for
//	desk.go     work that needs the desk, see chatview.Work: each chat does one at a time, and
//	            jobDone takes over what came of it
//	term        a package: commands of Bubble Tea, all of which can be ended and waited for
//	frame.go    arrange divides the screen into rectangles
//	layout.go   place sets the sizes; View asks for a frame
//	screen.go   draws it
//	known.go    what the screen knows, which pages and drawing read
//
// # The other files
//
// What the model consists of:
//
//	openchats.go, others.go
//	                 the chats in the background; the package chatview has what an open
//	                 chat does: from enter to a request, what the events of a turn do, what
//	                 the next request holds and costs
//	jobs.go          what is done at the desk, a slash command first
//	notes.go         the vault's names; earlier.go the prompts of all chats
//	recover.go       replies that were not saved
//	compose.go       the prompt in the editor; commandline.go what is typed behind a slash
//	options.go       what the program is given; run.go runs it
//	notify.go, tick.go, pull.go, toast.go
//
// What is drawn around the transcript, and the mouse on it:
//
//	header.go, starters.go, look.go
//	rails.go         what the widget beside the transcript shows
//	mouse.go         clicks, the wheel, selecting
//	inline.go        without the alternate screen: ui/scrollback prints finished messages
//
// Pages, all behind the interface of the package page:
//
//	pages.go         opens them: a row each; the package page has the interface, and the
//	                 page of all lists
//	catalog.go       what lists show, and what becomes of what they ask for; savedchats.go,
//	                 rewind.go, writereply.go, savedprompts.go and trigger.go do that
//	asked.go         shows what a running turn asks
//
// # Pages
//
// A page covers the conversation or stands over the prompt. It owns what keys, wheel
// and pastes do there, reads what the screen knows (the type known), and answers with
// a request; it never changes the model.
//
// # Several chats
//
// One conversation is on the screen. Others stay open in the background while a reply is
// written in them, is unread, or something in them was not sent. Each has its own
// transcript, turn, draft and queue, and its chat at the desk: a job is made for one
// conversation, and its answer goes to that one. Questions of a turn in the background
// wait until its chat is on the screen, and only the chat on the screen sends messages.
//
// # Effects
//
// Update does no I/O and waits for nothing. Whatever reads or writes runs in a
// command, which is made of values and answers with a message; the message says
// which request it answers, and a late answer is dropped. The desk is not safe
// for concurrent use, so one job at a time has it, and Update never touches it: the
// model keeps the values that each job returned.
//
// # Goroutines
//
// The program's loop runs Update and View. Commands run in goroutines of Bubble
// Tea; each running turn is one of them, which ranges over its session's events
// and passes them on through a bounded queue. All of them are counted and end
// with the context of [New]: [Model.Close], which [Run] calls, cancels it and
// waits, so that a reply that was streaming is on disk when Run returns.
package ui
