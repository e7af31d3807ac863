// Package tokens says how many tokens a text is, how far that is from what a
// provider counts, and what a model can take.
//
// A [Counter] counts with the o200k vocabulary, which is within a few per cent
// of most current tokenizers. Its vocabulary is compiled into the program and
// takes some 30 ms to unfold, so it is loaded on demand, by [Counter.Load], away
// from anything that a person waits for. Before that a text counts as a token
// per four bytes (never per four characters: that halves Chinese, Japanese and
// Korean). Counting runs at about 5 MB/s, so counts are remembered by content.
//
// A [Calibration] learns, per provider and model, the ratio between the
// provider's own count and ours. After one turn it has taken out what the
// vocabulary gets wrong about a model, or four bytes about a language.
//
// [Lookup] is a table of what models can take and how the caches in front of
// them match; it was written by hand and is dated. What a person configures and
// what a server reports come first: the table is for when nobody has said.
// [Reserve] and [Budget] turn a window into the room that a prompt may fill.
//
// # How counts stay put
//
// Within a session the number for one text does not jump. A Counter remembers
// the first count that it gave for a text, exact or not, and gives it again for
// as long as it remembers the text; a text that is counted again stays
// remembered, whatever else is counted, as long as fewer than 16,384 other texts
// come between. So a text that was counted before the vocabulary was
// there keeps its approximate count while the conversation uses it. Whoever
// wants exact numbers calls Load first: it returns at once when there is nothing
// to do. Texts beyond 256 KiB are estimated from samples, which depends on
// the text alone.
//
// # Concurrency
//
// A Counter and a Calibration may be used by several goroutines at once. The
// package starts no goroutine. Everything else is values.
package tokens
