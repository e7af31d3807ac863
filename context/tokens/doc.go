// Package tokens says how many tokens a text is, how far that is from what a
// provider counts, and what a model can take.
//
// A [Counter] counts with the o200k vocabulary, which is within a few per cent
// of most current tokenizers. It lies in the program as it is searched (o200k.bin), so
// that there is nothing to load. Counting runs at about 5 MB/s, so counts are remembered
// by content.
//
// A [Calibration] learns, per provider and model, the ratio between the
// provider's own count and ours. After one turn it has taken out what the
// vocabulary gets wrong about a model.
//
// [Lookup] is a table of what models can take and how the caches in front of
// them match; it was written by hand and is dated. What a person configures and
// what a server reports come first: the table is for when nobody has said.
// [Reserve] and [Budget] turn a window into the room that a prompt may fill.
//
// # How counts stay put
//
// The number for one text does not jump: it depends on the text alone, also beyond
// 256 KiB, where it is estimated from samples.
//
// # Concurrency
//
// A Counter and a Calibration may be used by several goroutines at once. The
// package starts no goroutine. Everything else is values.
package tokens
