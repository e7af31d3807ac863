// Package tokens says how many tokens a text is, how far that is from what a
// provider counts, and what a model can take.
//
// A [Counter] counts with the vocabulary o200k_base, which is within a few per cent
// of most current tokenizers. The vocabulary lies in the program as it is used, so
// that a start does not pay for it. It was published under the MIT licence, and is
// made from the module tiktoken-go/tokenizer, which tests hold the counts against;
// the module itself unfolds it into a map, which takes longer than all else that a
// short command does. Counts are remembered by content.
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
// # Large texts
//
// Texts beyond 256 KiB are estimated from samples, which depends on the text alone.
//
// # Concurrency
//
// A Counter and a Calibration may be used by several goroutines at once. The
// package starts no goroutine. Everything else is values.
package tokens
