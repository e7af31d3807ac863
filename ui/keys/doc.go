// Package keys is the keys of the screen: one table of bindings ([Table]), each of which
// names an action. Dispatch, the palette, the help and the footer all read it, and what
// the configuration changes ([NewTable]) changes it for all of them. The package knows no
// page: what an action does is said by the screen.
//
// A Table is a value of the loop of the program; nothing in it is safe for several
// goroutines.
package keys
