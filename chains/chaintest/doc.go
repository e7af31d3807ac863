// Package chaintest holds the doubles for what is behind chains.Model: a model
// that plays a script, and a server that speaks the wire format.
//
// A [Script] is a chains.Model. It plays one [Reply] per request, in order, and
// keeps the requests. It waits with timers and listens to its context, so it
// runs under testing/synctest, where a reply of ten minutes takes no time.
//
// A [Server] is a real HTTP server that answers POST /v1/chat/completions and
// the lists of models as OpenAI-compatible servers do, and as they do when they
// are unwell: one [Answer] per request says with what, in which pieces, how
// slowly, and where it breaks. Without a script it echoes, the same words for
// the same request, so that a program can talk to it for as long as it likes. With
// [Options].Ollama it is Ollama: it loads models with the windows that requests ask
// for, runs out of memory, and pulls models from a library. With [Options].Gemini it keeps
// contents for a time, and requests may name them.
//
// [Tool] is a tool made of a function; [Reader], [Texts] and [Writer] make the common
// ones. [Finding] is a chain that calls one before the request.
//
// # An independent count
//
// A Server counts the tokens of what arrives and keeps the conversations that
// it has seen. The cached_tokens that it reports come from the longest prefix
// that a request shares with an earlier one, or by the rules of the cache in the
// options: found in the bytes and marks of the wire and by nothing that the client
// says about itself, so a prediction can be held against it.
//
// # Concurrency
//
// Scripts and servers may be used by several goroutines at once; concurrent
// requests take answers in the order of their arrival. A Script starts no
// goroutine. A Server's goroutines are those of net/http; Close ends replies
// that are still on their way and waits for all of them.
package chaintest
