// Package wire is what all protocols share: everything between a request that a
// protocol has worded and the pieces of a reply that it understands.
//
// Servers agree on little. Some keep a connection alive with comments, some
// report an error inside a stream that began with status 200, some answer with
// a login page, and some never say that they are finished. So a [Client] sends a
// request and turns whatever comes into frames of a few kinds: chunk, error,
// notice, something alien, and one of five ends. How the bytes were cut on their
// way changes nothing, and silence is watched for. A reply that comes faster than a
// person reads is read fourteen times a second.
//
//	[ProviderAt]      host → provider → the variable of the key that may go there
//	[Client.Stream]   tries again what may succeed later, before any of it was handed out
//	[Client.Without]  leaves out of a request what the server refuses, and has it kept
//	[Client.Exchange] one exchange: headers, recording, redirects, silence; a [Decoder] reads its frames
//	[RepairURL]       the address that a person meant
//	[Client.Refused]  and its kin word a failure for a person: one line of ours and the server's words, no key
//	[SplitThinking]   parts thinking in tags from the reply
//	[Recorder]        keeps what goes over the wire, for every model the same
//
// A protocol is a package that words requests and reads chunks: chains/openai,
// chains/anthropic and chains/ollama. Failures become one type, chains.ProviderError.
//
// # Concurrency
//
// A Client and a Recorder may be used by several goroutines at once. The only
// goroutines are those of net/http and of timers, and they end before an exchange
// does, except for idle connections, which CloseIdle ends. Nothing here reads the
// environment but for the proxies (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY): keys and
// addresses are given in Options.
package wire
