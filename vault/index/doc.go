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
// An Index is a contentless FTS5 table in an SQLite file in the user's cache.
// Rows are sections of notes, from one heading to the next, so that a hit has a
// heading and lines; the columns title, headings, tags and body weigh 10, 4, 5
// and 1. This package cuts text into tokens itself: folded words, never
// stemmed, and for scripts without spaces between words pairs of runes, looked
// for as phrases, which finds every run of characters. A Searcher looks for
// sections with all words first and fills up with those that have some. While
// the index is not ready, it reads all notes instead and ranks them in the same
// way.
//
// The file is derived from the notes. It may be deleted at any time, a damaged
// or foreign one is made anew, several processes may use one at once, and a
// process that dies leaves every finished batch. Private notes are in neither
// Names nor Index, and a Searcher checks each hit against the notes as they are
// now, so what was taken away is not found even if the index is behind.
//
// # Concurrency
//
// Names and Links never change and may be shared. A Finder belongs to one
// goroutine. Index and Searcher are safe for concurrent use. No goroutine
// outlives the call that started it.
package index
