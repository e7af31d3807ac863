// Package chains runs the life of a turn: from what a person sends, over the
// prompt and the model, to events for whoever shows them and a chat file that
// holds it all.
//
// A [Session] is one conversation. [Session.Send] is one turn:
//
//	the message is saved   before anything leaves the machine
//	references → items     by the [Gatherer]; what is missing becomes a notice
//	engine → envelope      context/prompt decides what is sent ([ContextReady])
//	model → deltas         notes-to-self are held back, the reply is saved as it streams
//	commit or go back      a whole reply is committed; a failed or cancelled turn
//	                       leaves the engine where it was and keeps the text
//
// A [Model] is anything that answers: chains/openai speaks to servers,
// chains/offline quotes notes, chains/chaintest plays scripts.
//
// # Concurrency
//
// A session works for one caller at a time and starts no goroutine. A turn runs
// in the goroutine that ranges over its events and ends when the loop or its
// context does. While it runs, [Session.Snapshot] answers and everything else
// returns [ErrBusy].
package chains
