// Package index finds notes by their text. Package names finds them by name while a person types it.
//
// # Text
//
// An Index is an SQLite file in the user's cache. Two contentless FTS5 tables are in it:
// the names of notes, and the words in them, with a row a piece (a section, or at most
// 2,000 characters of it; where a note has very many, several short ones). Words stand there as they are written; the forms of a term are
// those words of the index that have one of its stems (package stem).
// Package fold cuts text into tokens: folded words, and for scripts without
// spaces between words single runes and pairs of them. Each name of a note is a token, too.
//
// A Searcher takes some two hundred notes that hold the rarest words of the query, reads
// them, and counts. A note's score is the sum of three shares, each divided by the best
// of the query: BM25 of the forms of its words, of the words as they are written, and of
// its best piece; how many notes and pieces of the vault hold a word the index says. What holds
// more of the query counts more, and words that stand in most texts do not count. A time
// that the query speaks of is a further share, and so is likeness in meaning, where a Searcher is told
// of it (package vectors): as far as words fail, so that what they find stays where it is. A word that the
// index does not know gives way to those that begin with it, else to one or two that it
// may be a slip of, else to two words in a row; the word that is being typed stands for
// all that it may become, and a term in quotes for itself. Notes that bear the query as a
// name, that it links to as in [[note]] or that have a #tag of it come first. While the
// index is not ready, a Searcher counts in all notes, in the same way, and takes words
// as they are written.
//
// Passages are pieces by their own score and that of their note, until a number of
// bytes is reached. Notes are Alike by the words that tell most of one.
//
// # Documents
//
// The file keeps data of documents for whoever owns them, such as the list of saved
// chats. Their words are those of the notes that they are: Holding says which may have
// some, and whoever has the text finds the section.
//
// # Operators
//
// ParseQuery reads the search language of package syntax. Its words rank; the rest
// is a condition on notes. Metadata decides on paths, tags, properties and dates,
// the index on words and phrases; what is still open, such as lines, tasks and
// regular expressions, is read in the pass that ranks, several notes at once and none
// kept. A word in a condition fits those that begin with it, one that is excluded only
// itself.
//
// # The file
//
// The file is derived from the notes. It may be deleted at any time, a damaged
// or foreign one is made anew, several processes may use one at once (who opens
// or removes it holds the lock file beside it meanwhile), and a process that
// dies leaves every finished batch. Private notes are not in it, nor what is left of removed ones (purge.go), and a Searcher checks
// each hit against the notes as they are now, so what was taken away is not found even if
// the index is behind.
//
// # Concurrency
//
// Index and Searcher are safe for concurrent use. No goroutine outlives the call that
// started it.
package index
