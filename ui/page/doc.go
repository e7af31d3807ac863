// Package page is what the pages over the conversation have in common: the interface
// [Page], what a page may read ([Env]), what it asks for ([Request]), and the parts of
// which pages are made: a [List] over a [Source] of rows, a [Question], a [Guard] that
// keeps typed text from answering, the [Pen] that draws rows, lines to type into.
//
// A page changes nothing but itself, and does no I/O: what it wants done it returns. A
// page belongs to the loop of the program.
package page
