// Package ui is the screen of ibid: one [Model] over the widgets below it, at
// the same desk that line mode works at.
//
// # One model
//
// There is one tea.Model. Its Update routes each message to its one handler, and
// its parts are widgets (composer, transcript, inspector, pickers) and small
// states, each in a file of its own:
//
//	desk.go      errands at the desk, one after the other
//	turn.go      a running turn: its events, the queue behind it
//	estimate.go  what enter would send: the shelf, the ribbon, the rail
//	fit.go       the question before a turn that has to be shortened
//	recall.go    prompts to write again, messages to go back to
//	notes.go     the vault's names, kept up to date while it changes
//	attach.go    the list behind @ and [[
//	browse.go    saved chats
//	inspect.go   the context page
//	keys.go      every key and command, as one table
//
// # Effects
//
// Update does no I/O and takes no lock. Whatever reads or writes runs in a
// command that is made from values and answers with a message; the message says
// which request it answers, and a late answer is dropped. The desk is not safe
// for concurrent use, so it is lent to one command at a time (an errand) and
// never touched in between; the model keeps the values that each errand brought
// back.
//
// # Goroutines
//
// The program's loop runs Update and View. Commands run in goroutines of Bubble
// Tea; one of them is the running turn, which ranges over the session's events
// and hands them over through a bounded channel. All of them are counted and end
// with the context of [New]: [Model.Close], which [Run] calls, cancels it and
// waits, so that a reply that was streaming is on disk when Run returns.
package ui
