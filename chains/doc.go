// Package chains runs the life of a turn: from what a person sends, over the
// prompt and the model, to events for whoever shows them and a chat file that
// holds it all.
//
// A [Session] is one conversation. A turn has two phases. [Session.Begin] prepares
// it: a [Pending] turn says what would be sent and what that costs, and is not in
// the chat. [Pending.Send] sends that very request. [Session.Send] does both:
//
//	references → items     by the [Gatherer]; what is missing becomes a notice
//	engine → envelope      context/prompt decides what is sent
//	the message is saved   before the model is asked ([TurnStarted], [ContextReady])
//	model → deltas         notes-to-self are held back, the reply is saved as it streams
//	commit or go back      a whole reply is committed; a failed or cancelled turn
//	                       leaves the engine where it was and keeps the text
//
// A [Model] is anything that answers: chains/openai speaks to servers,
// chains/offline quotes notes, chains/chaintest plays scripts. A [Server] is
// where models are: the first two are one each.
//
// # Nothing is lost
//
// A turn that cannot be saved is not sent; a reply that cannot be saved stays in
// memory and is written as soon as that works. [Session.Retry] replaces a reply
// only once another has come. What another program writes into the chat file
// while it is open is merged, and the next turn begins with what the file says.
//
// # The same, however one got there
//
// A chat that is opened again ([Reopen]) sends what a session would have sent
// that never ended. A turn that failed, or that nobody answered, leaves no more
// behind than it did then: its question is in the file, and what it attached is
// not known. Notes saved inside the messages of old chats become context, and
// only the questions are history.
//
// # Forgetting
//
// What a person withdraws ([Change]) stays withdrawn through Undo, Retry and
// reopening, whatever folder, pin or open note would bring it along. Naming it
// for a turn takes that back, and undoing that turn withdraws it again.
//
// # Concurrency
//
// A session works for one caller at a time and starts no goroutine. A turn runs
// in the goroutine that ranges over its events and ends when the loop or its
// context does. While it runs, [Session.Snapshot] and [Session.Options] answer
// and everything else returns [ErrBusy].
package chains
