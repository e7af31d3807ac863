// Package keys has the keys of the screen: one table of bindings ([Table]), each of which names an
// action. Dispatch, the palette, the help and the footer all use this table, so a change in the
// configuration ([NewTable]) applies to all of them. The package does not depend on pages; the screen
// carries out the actions.
//
// A Table may only be used in the loop of the program; it is not safe for use by several goroutines.
package keys
