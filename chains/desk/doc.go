// Package desk is one person at one vault: the session, what is attached to the
// next turn, which note is open, and the commands that change them. The screen
// and line mode both work with it, so that everything the one does the other
// can do.
//
// A [Desk] belongs to one goroutine at a time, but for [Desk.Look], which only
// reads files and may run anywhere.
package desk
