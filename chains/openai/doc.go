// Package openai speaks to every server that offers OpenAI's chat completions:
// hosted services, gateways, and models on this machine.
//
// Such servers agree on the request and on the first chunk of a good reply, and
// on little else. Some send reasoning under one of four names, some number their
// tool calls and some do not, some report tokens in places of their own. So the
// package does four things, and chains/wire does the rest:
//
//   - go-openai makes the request: types, URL and headers. Where servers take more
//     than its types hold, ours embed them.
//   - chains/wire sends it and gives back frames, whatever the server sent.
//   - A decoder that refuses nothing reads the chunks and hands out chains.Delta
//     values. go-openai's own chunk types are not used.
//   - Lists of models are read in the dialects of many servers, and servers on
//     this machine are asked which window is in force.
//
// A reply counts as complete when the server gave a finish reason, or said
// [DONE] after at least some text or a call. Everything else is an error, and
// the text so far stays valid.
//
// # Tools
//
// Calls are handed out whole, with the last delta, each under an id that no
// other call of the conversation has. What a provider wants back with them (a
// signature, its reasoning) comes as Delta.Echo and goes back as the Echo of the
// message that holds the calls. tool_choice is never sent.
//
// # Concurrency
//
// A Client may be used by several goroutines at once. Stream runs in the
// goroutine that ranges over it. Nothing here reads the environment: keys and addresses are
// given in Options.
package openai
