// Package tokens counts the tokens of a text, corrects that count for a provider, and knows the windows and caches
// of models.
//
// A [Counter] counts with the o200k vocabulary, which is within a few per cent of most current tokenizers. The
// vocabulary is embedded in a form that can be searched directly (o200k.bin), so that nothing is loaded. It counts
// about 5 MB/s, so counts are remembered by content.
//
// A [Calibration] learns, per provider and model, the ratio between the provider's own count and ours. After one
// turn it corrects most of the difference between the vocabularies.
//
// [Lookup] is a table of what models can do and how the caches in front of them match; it was written by hand and
// is dated. The configuration and the reports of a server come first; the table is for what they leave open.
// [Reserve] and [Budget] compute the room for a prompt from a window.
//
// # Stable counts
//
// The count of a text depends on the text alone, also above 256 KiB, where it is estimated from samples.
//
// # Concurrency
//
// Several goroutines may use a Counter and a Calibration at once. The package starts no goroutine. Everything else
// is values.
package tokens
