// Package plain is ibid without a screen: the desk that lies before a person
// (the session, what is attached to the next turn, which note is open), the
// commands that change it, and the line mode that prints what happens as text
// or as one JSON object a line. The screen works at the same desk.
//
// A [Desk] belongs to one goroutine at a time, but for [Desk.Look], which only
// reads files and may run anywhere.
package plain
