// Package colors has the colours of looks as data: those of widespread colour schemes,
// and what a user's own has to be like.
//
// A [Palette] is a value that nobody changes once it is made; any goroutine may use it.
package colors
