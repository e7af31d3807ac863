// Package openai speaks to every server that offers OpenAI's chat completions:
// hosted services, gateways, and models on this machine.
//
// Such servers agree on the request and on the first chunk of a good reply,
// and on little else. Some keep a connection alive with comments, some send
// reasoning under one of four names, some number their tool calls and some do
// not, some report an error inside a stream that began with status 200, and
// some never say that they are finished. So the package has three layers:
//
//   - go-openai makes the request and owns the HTTP exchange.
//   - Below it, a RoundTripper edits the few request fields that go-openai
//     does not know, and turns whatever comes back into frames of one shape:
//     chunk, error, notice, bad reply, end. It also watches for silence.
//   - Above it, a decoder that refuses nothing reads the frames and hands out
//     chains.Delta values. go-openai's own chunk types are not used.
//
// A reply counts as complete when the server gave a finish reason, or said
// [DONE] after at least some text or a call. Everything else is an error, and
// the text so far stays valid. Failures become one type, chains.ProviderError,
// whose message is a single line that says what to do and never holds a key.
//
// A request is tried again by itself only while nothing of the reply has been
// handed out: text that somebody has read is neither repeated nor taken back.
//
// # Concurrency
//
// A Client may be used by several goroutines at once. Stream runs in the
// goroutine that ranges over it; the only other goroutines are those of
// net/http and of timers, and they end before Stream returns, except for idle
// connections, which CloseIdle ends. Models and Discover start goroutines and
// wait for all of them. Nothing here reads the environment: keys and addresses
// are given in Options.
package openai
