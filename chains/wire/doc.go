// Package wire has what all protocols share: it sends the requests that a protocol builds, and reads the replies as
// frames that the protocol decodes.
//
// Servers differ widely. Some keep a connection alive with comments, some report an error inside a stream that
// began with status 200, some answer with a login page, and some never say that they are finished. So a [Client]
// sends a request and splits whatever comes into frames of a few kinds: chunk, error, notice, something alien, and
// several kinds of end. The frames do not depend on how the bytes were cut on their way, and silence is limited. A
// reply that comes faster than a person reads is read fourteen times a second.
//
//	[ProviderAt]      finds the provider of a host, and the variable of the key that may be sent there
//	[Client.Retry]    retries what may succeed later, unless a part of the reply was handed out
//	[Client.Without]  leaves out of a request what the server refuses, and remembers that
//	[Client.Exchange] sends one request, with headers, recording, redirects and timeouts; a [Decoder] reads its frames
//	[RepairURL]       corrects an address as people type it
//	[Client.Refused]  and others make errors for a person: one line of ours and the server's words, without keys
//	[SplitThinking]   separates reasoning in tags from the reply
//	[Recorder]        records requests and replies, in the same form for every model
//
// A protocol is a package that builds requests and decodes chunks: chains/openai, chains/anthropic, chains/ollama, and
// chains/embed for vectors of texts. All errors have one type, chains.ProviderError.
//
// # Concurrency
//
// Several goroutines may use a Client and a Recorder at once. The only goroutines are those of net/http and of
// timers, and they end before an exchange does, except for those of idle connections, which CloseIdle ends. The
// package reads only the proxies from the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY); keys and
// addresses come from Options.
package wire
