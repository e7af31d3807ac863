// Package edit is what it takes to change a text without losing any of it: where a
// passage stands ([Replace]), what a change consists of ([Compare], [Change]), and
// whether it still fits a text that was changed meanwhile ([Rebase]). All of it are
// pure functions on strings.
//
// Texts are the bytes of files as they are: a byte order mark, CRLF, tabs and a last
// line without an end stay, and whatever a change does not touch is byte for byte
// what it was. What is put in takes on the line ends of the place where it goes.
//
// A [Change] is hunks as a person reads them: lines with their numbers on both sides,
// three lines around each, the words that differ marked. [Change.Select] applies some
// of them, [Change.Unified] prints them.
//
// Nothing here holds state; everything may be called from several goroutines.
package edit
