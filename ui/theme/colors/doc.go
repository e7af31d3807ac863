// Package colors has the colours of themes as data: the colours of widespread colour schemes, and the
// format of a user's own.
//
// A [Palette] does not change after it is made; any goroutine may use it.
package colors
