// Package vectors finds sections of notes by their meaning: a model makes numbers of texts, and
// what means much the same has much the same numbers.
//
// # What is kept
//
// Each section has a vector, and each piece of a long one: of its text with the title and the
// headings in front. In the file of the index a number of it is a byte, with a scale for all
// of them, and beside that stands one bit a number, its sign. A process that searches has the
// bits in memory. They choose 500 sections, by how many differ from those of the question, and
// the bytes of these are read and compared. Vectors of one model say nothing of those of
// another: there is one set of them. When another model is wanted, a second one is begun, and the
// first serves until that is whole.
//
// # Who is asked
//
// A [Finder] sends nothing by itself: [Finder.Embed] asks a model, or says why it may not be
// asked. Private and excluded notes, and saved chats, are not sent. What is kept of a note goes
// with it from the index, as when it becomes private.
//
// [Finder.Fill] asks for what is missing, the newest notes first, and keeps what came after
// each few of them. What stands in a note as it did before is not sent again. [Finder.Like] asks for
// the vector of a question, in one short request whose answer is kept for the next time; a
// server that is late or dead is left alone for a while.
//
// A text that the server refuses, or answers with something odd, costs itself: see ask.go. A row of the file with lengths
// that do not fit is left out, and made anew by the next Fill. When a question or a Fill finds that vectors have another
// size by now, the set is dropped.
//
// A Finder is safe for concurrent use. Several processes share the file, and one of them fills it.
package vectors
