// Package openai implements OpenAI's chat completions and Responses API, for every server that offers one of them:
// hosted services, gateways, and servers on this machine.
//
// It uses the Responses API for OpenAI itself and for Azure's v1 address, because their models take tools only
// there while they reason, and chat completions for all others. If a server asks for the other protocol, the client
// switches to that ([Options].Protocol).
//
// Such servers agree on the request and on the first chunk of a good reply, and on little else. Some send reasoning
// under one of four names, some number their tool calls and some do not, some report tokens in fields of their own.
// The package works as follows, and chains/wire does the rest:
//
//   - go-openai's client builds the frame of a request and sends it, over a [wire.Transport] that adds what its
//     types lack: the messages with their cache marks and the data that goes back with calls, fields of single
//     servers, and the name of the model. go-openai checks requests by the name of the model whatever the server
//     is, so every frame of chat completions has the same name, for which it has no check.
//   - The transport retries, records and normalises, and keeps the frames, which go-openai never reads.
//   - A decoder for each protocol, which accepts anything, decodes the frames and returns chains.Delta values.
//     go-openai's own chunk types are not used.
//   - Lists of models are parsed in the formats of many servers, and servers on this machine are asked for the
//     window in use.
//
// A reply counts as complete if the server gave a finish reason, or sent [DONE] after some text or a call; in the
// Responses API, if it said that the response is completed or incomplete. Anything else is an error, and the text
// so far stays valid.
//
// # Tools
//
// Calls are returned complete, with the last delta, each with an id that no other call of the conversation has.
// Data that a provider needs back with them (a signature, its reasoning) comes as Delta.Echo and goes back as the
// Echo of the message with the calls. tool_choice is never sent.
//
// With the Responses API nothing is stored at the server (store is false): the reasoning items of a reply with
// calls go back unchanged within the turn, and never to another model.
//
// # Concurrency
//
// Several goroutines may use a Client at once. Stream runs in the goroutine that ranges over it. The package does
// not read the environment: keys and addresses come from Options.
package openai
