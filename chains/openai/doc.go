// Package openai speaks to every server that offers OpenAI's chat completions or its
// Responses API: hosted services, gateways, and models on this machine.
//
// OpenAI itself and Azure's v1 address are spoken to over the Responses API, since
// their models take tools there alone while they think; everybody else over chat
// completions. A server that wants the other protocol is spoken to in that from then
// on ([Options].Protocol).
//
// Such servers agree on the request and on the first chunk of a good reply, and
// on little else. Some send reasoning under one of four names, some number their
// tool calls and some do not, some report tokens in places of their own. So the
// package does four things, and chains/wire does the rest:
//
//   - go-openai's client words the frame of a request and sends it, over a
//     [wire.Transport] that puts in what its types do not hold: the messages with
//     their marks and what goes back with calls, fields of one server, and the name of
//     the model. Its checks go by the names of models whatever the server is, so in
//     the frame of chat completions every model has the same name, which none is for.
//   - The transport retries, records and normalises; go-openai reads the frames raw.
//   - A decoder for each protocol, which refuses nothing, reads the frames and hands
//     out chains.Delta values. go-openai's own chunk types are not used.
//   - Lists of models are read in the dialects of many servers, and servers on
//     this machine are asked which window is in force.
//
// A reply counts as complete when the server gave a finish reason, or said
// [DONE] after at least some text or a call; over the Responses API when it said that
// the response is completed or incomplete. Everything else is an error, and the text so
// far stays valid.
//
// # Tools
//
// Calls are handed out whole, with the last delta, each under an id that no
// other call of the conversation has. What a provider wants back with them (a
// signature, its reasoning) comes as Delta.Echo and goes back as the Echo of the
// message that holds the calls. tool_choice is never sent.
//
// Over the Responses API nothing is kept at the server (store is false): the items of
// reasoning of a reply with calls go back, as they came, within the turn, and never to
// another model.
//
// # Concurrency
//
// A Client may be used by several goroutines at once. Stream runs in the
// goroutine that ranges over it. Nothing here reads the environment: keys and addresses are
// given in Options.
package openai
