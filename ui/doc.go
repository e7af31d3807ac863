// Package ui is the screen of ibid: one [Model] over the widgets below it, at
// the same desk that line mode works at.
//
// # One model
//
// There is one tea.Model at a desk; [VaultChoice] shows one page before there is one.
// The Update of [Model] routes each message to its one handler, and
// its parts are widgets (composer, transcript, find) and small states:
//
//	tasks.go     work beside the screen: ended and waited for as one
//	desk.go      jobs at the desk, one after the other
//	conversation.go what is kept of one open chat; others.go those that are not on the screen
//	turn.go      the running turn, drawn into the transcript; send.go runs it
//	calls.go     its calls of tools; approval.go asks the person about them,
//	             changepage.go and batchpage.go about changes of notes
//	writelist.go where a reply is to be written; takeback.go takes changes back, changelist.go lists them
//	estimate.go  what enter would send; shelf.go the chips over the prompt
//	earlier.go   what was asked in all chats; unsent.go keeps what was not sent
//	notes.go     the vault's names, kept up to date while it changes
//	keytable.go  every key and command, as one table of intents; keymap.go gives actions
//	             other keys, keys.go finds them
//	palette.go   lists them by what people call them; argumentlist.go what commands are about
//	intent.go    what a person can want, and the one place that carries it out
//	parts.go     what of a reply is chosen with the keyboard
//	mouse.go     clicks, and selecting text: of the transcript, or of an area.go
//	screen.go    a frame, drawn from values (header, rails, welcome, status)
//
// # Pages
//
// What is open over the conversation is a page: a list, the context page, help,
// the question whether a shortened turn shall be sent. Pages own what keys, wheel
// and pastes do there. They read what the screen knows and answer with an intent,
// a value; they never touch the model. All lists are one type over a source, which
// says what there is to choose from and what keys do with a row.
//
// # Several chats
//
// One conversation is on the screen; behind it others stay while a reply is written
// in them, is new, or something in them was not sent. Each has its transcript, turn,
// draft and queue, and its chat at the desk: a job is made for a conversation, and what
// comes of it goes there. What needs the person waits until they are there, and nothing
// is sent from a chat that is not on the screen.
//
// # Effects
//
// Update does no I/O and waits for nothing. Whatever reads or writes runs in a
// command that is made from values and answers with a message; the message says
// which request it answers, and a late answer is dropped. The desk is not safe
// for concurrent use, so it is given to one job at a time and never touched in
// between; the model keeps the values that each job brought back.
//
// # Goroutines
//
// The program's loop runs Update and View. Commands run in goroutines of Bubble
// Tea; each running turn is one of them, which ranges over its session's events
// and hands them over through a bounded channel. All of them are counted and end
// with the context of [New]: [Model.Close], which [Run] calls, cancels it and
// waits, so that a reply that was streaming is on disk when Run returns.
package ui
