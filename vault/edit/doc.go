// Package edit changes texts without losing anything: it finds passages ([Replace]), joins texts as blocks of markdown
// ([Append], [Prepend], [Insert]), compares texts ([Compare], [Change]), and applies a change to a text that was
// changed in the meantime ([Rebase]). All functions are pure and work on strings.
//
// Texts are as exact as the files that they come from: a byte order mark, CRLF, tabs and a last line without an end stay, and
// unchanged parts are byte for byte the same. Inserted text takes on the line ends of its place.
//
// A [Change] consists of hunks as people read them: lines with their numbers on both sides, three lines of
// context, the words that differ marked. [Change.Select] applies some of them, [Change.Unified] prints them.
//
// The package has no state; everything may be called from several goroutines.
package edit
