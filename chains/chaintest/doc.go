// Package chaintest has doubles of models for tests: a model that plays a script, and a server
// with the protocols of providers.
//
// A [Script] is a chains.Model. It plays one [Reply] per request, in order, and records the
// requests. It waits with timers and until its context ends, so it runs under testing/synctest,
// where a reply of ten minutes takes no time.
//
// A [Server] is an HTTP server that answers POST /v1/chat/completions and the lists of models as
// OpenAI-compatible servers do, with their failures: one [Answer] per request has the text, its
// pieces and delays, and the place where the reply breaks off. Without answers it echoes, with the
// same words for the same request, so that a program can send any number of requests. With
// [Options].Ollama it acts as Ollama: it loads models with the windows of requests, runs out of
// memory, and pulls models from a library. With [Options].Gemini it keeps contents for a time, and
// requests can name them.
//
// [Tool] is a tool made of a function; [Reader], [Texts] and [Writer] return common ones.
// [Finding] is a chain that calls one before the request.
//
// # An independent count
//
// A Server counts the tokens of its requests and keeps the conversations. The cached_tokens that
// it reports are those of the longest prefix that an earlier request has too, or follow the rules
// of the cache in the options. They depend only on the bytes and marks on the wire, and not on
// reports of the client, so tests can compare a prediction with them.
//
// # Concurrency
//
// Several goroutines can use a script or a server at once; concurrent requests take answers in
// the order of their arrival. A Script starts no goroutine. A Server's goroutines are those of
// net/http; Close ends unfinished replies and waits for all of them.
package chaintest
