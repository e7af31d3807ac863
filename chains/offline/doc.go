// Package offline answers without a language model: it quotes.
//
// A [Model] takes the notes, selections and pages that a request carries as
// data (chains.Request.Documents), ranks their passages against the question
// and replies with the best ones, quoted word for word under a link to the
// place where they stand. It writes nothing of its own but a lead sentence.
// When nothing in the documents answers, it says so, and where it looked.
//
// Passages that were looked up for the question are cited by their numbers, at
// most three of them. Where the question asks for a place, a time, a name, an
// amount, a price, a reason or a decision (expect.go), what holds one comes first;
// for a time, an amount, a price, a reason or a decision nothing else is quoted.
//
// A passage answers if it holds half of what the question weighs (answer.go), and
// something of it not only by the title of its note. A question about a note that it
// calls by a title or an alias is about that note.
//
// Besides questions it serves summaries: the sentences that carry a section,
// section by section. A short follow-up such as "what about the sails?" borrows
// the words of the question before.
//
// It is what answers on the first run, in the demo, in tests and on a train.
// It opens no file, no socket and no clock but the pause between two deltas.
//
// A note is cut into passages that stay whole when they are quoted: a few
// sentences of a paragraph, a list item with what hangs on it, a table row
// below its header, a code fence, a quote or callout, a property; package
// vault/md knows where they begin and end. Comments are not quoted. Words are
// compared without case and diacritics, and by the stems that package
// vault/index/stem knows; scripts that put no space between words are compared
// by pairs of characters. The ranking formula stands in rank.go.
//
// The same request gives the same bytes on every run. A Model is safe for
// concurrent use: requests share nothing.
package offline
