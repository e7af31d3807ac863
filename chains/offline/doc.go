// Package offline answers without a language model, by quoting notes.
//
// A [Model] takes the notes, selections and pages that a request contains as data (chains.Request.Documents), ranks
// their passages for the question and replies with the best ones, quoted word for word under a link to their section.
// Of its own it writes only lead sentences. If nothing in the documents answers, it says so, and where it looked.
//
// Passages from lookups are cited by their numbers, at most three of them. If the question asks for a place, a
// time, a name, an amount, a price, a reason or a decision (expect.go), passages with one come first; for a time,
// an amount, a price, a reason or a decision it quotes no others.
//
// A passage answers if it contains half of the question's weight (answer.go), and part of that in its own text, not
// only in the title of its note. A question that names a note by its title or an alias is about that note.
//
// It also writes summaries: the first sentences of each section. A short follow-up question such as "what about the
// sails?" is extended by the words of the previous question.
//
// It answers on the first run, in the demo, in tests and without a network. It opens no file and no socket, and
// uses the clock only for the pause between two deltas.
//
// A note is cut into passages that are quoted as a whole: a few sentences of a paragraph, a list item with its
// subitems, a table row with its header, a code fence, a quote or callout, a property. Package vault/md finds their
// limits. Comments are not quoted. Words are compared without case and diacritics, and by the stems of package
// vault/index/stem; scripts without spaces between words are compared by pairs of characters. rank.go has the
// formula of the ranking.
//
// The same request always gives the same reply. Several goroutines may use a Model, because requests share nothing.
package offline
