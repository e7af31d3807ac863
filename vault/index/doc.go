// Package index finds notes: by name while a person types into a picker, and
// by their text for a search.
//
// # Names
//
// Names holds what a picker offers (titles, aliases, file names, paths, tags,
// folders, attachments), folded for comparison: lower case, accents of Latin
// and Greek letters left out, full-width letters made plain. A Finder answers
// the queries of one open picker. It orders by tier (the whole name, its
// beginning, the beginning of words, anywhere, in the path, letters in order),
// then by what the moment makes likely: use in this chat, Links to the active
// note, frecency, recency. Only matches of the last tier go to the fuzzy
// matcher, and of those a bounded number, so that a keystroke over 50,000 names
// stays within a few milliseconds; a longer query looks only at what the shorter
// one matched.
//
// # Text
//
// An Index is an SQLite file in the user's cache. It holds a contentless FTS5
// table with one row a note, the names of notes, and a lexicon of their words.
// This package cuts text into tokens itself: folded words, and for scripts
// without spaces between words pairs of runes, looked for as phrases, which
// finds every run of characters.
//
// A Searcher lets the index choose the notes that are worth a look, some eighty,
// reads them, and fuses three rankings of them by reciprocal ranks: by the words
// of the query, by their forms in the language of the note, and by the best
// section. A word of the query stands for its forms (package stem), a word that
// stands nowhere for those of the lexicon that begin with it, else that it may be a
// slip of, else for two words in a row, and the word that is being typed for all that
// it may become; a term in quotes stands for itself. Common words do not decide. Notes
// that bear the query as a name, that it links to as in [[note]] or that have a #tag
// of it are always looked at, and come first. While the index is not ready, a Searcher
// reads all notes to choose among them, and ranks those in the same way.
//
// # Documents
//
// Documents are texts that are no notes, such as saved chats. Their owner puts them
// into the index and gets back the data that it put with each; words are looked
// for in the whole of a document, and whoever has its text finds the section.
//
// # Operators
//
// ParseQuery reads the search language of package syntax. Its words rank; the rest
// is a condition on notes. Metadata decides on paths, tags, properties and dates,
// the index on words and phrases; what is still open, such as lines, tasks and
// regular expressions, is read, several notes at once and none kept. A word in a
// condition fits those that begin with it, one that is excluded only itself.
//
// # The file
//
// The file is derived from the notes. It may be deleted at any time, a damaged
// or foreign one is made anew, several processes may use one at once (who opens
// or removes it holds the lock file beside it meanwhile), and a process that
// dies leaves every finished batch. Private notes are in neither
// Names nor Index, and a Searcher checks each hit against the notes as they are
// now, so what was taken away is not found even if the index is behind.
//
// # Concurrency
//
// Names and Links never change and may be shared. A Finder belongs to one
// goroutine. Index and Searcher are safe for concurrent use. No goroutine
// outlives the call that started it.
package index
