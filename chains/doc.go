// Package chains runs the life of a turn: from what a person sends, over the
// prompt, the model and its tools, to events for whoever shows them and a chat
// file that holds it all.
//
// # A turn
//
// A [Session] is one conversation. A turn has two phases. [Session.Begin] prepares
// it and changes nothing:
//
//	references → items     by the [Gatherer], once; what is missing is said
//	what is looked up      before the request, by a chain that is an [Opener]
//	engine → envelope      context/prompt decides what is sent
//
// The [PendingTurn] turn says what would be sent, what it costs and whether it fits. It
// is a draft and not in the chat. [PendingTurn.Send] sends that very request:
//
//	what changed meanwhile is looked for; a price that went up ends the turn here
//	the message is saved   before the model is asked ([TurnStarted])
//	the chain runs         [Chain.Run] works with the [Turn]:
//	  Prepare              the request is announced ([ContextReady])
//	  Stream               one request; of the reply notes-to-self are held back, and
//	                       the rest is saved as it comes ([TextDelta])
//	  Call                 the tools that it called run ([ToolStarted], [Asked],
//	                       [ToolDone]), and the next round begins
//	commit or go back      a whole reply is committed; a failed or cancelled turn
//	                       leaves the engine where it was and keeps the text ([Done])
//
// [Session.Send] does both phases for those who never ask, and [Session.Retry] with the last
// turn.
//
// # Doors
//
// A [Model] is anything that answers: chains/openai, chains/anthropic and
// chains/ollama speak to servers, chains/offline quotes notes, chains/chaintest plays scripts; a [Server]
// is where models are. A [Chain] is a type with a name and a Run of a few lines;
// [Chat] is the one of a session that is given none, [Vault] searches first, and
// [Plus], [Agent] and [Project] offer the model its tools. A [Tool] is a type with
// a description and a Call: it reads, or it proposes a change that a person agrees
// to. A model that takes no list of tools writes its calls into its reply
// ([CallsInText], package calltext), and in Plus is asked for a plan first ([Planned]).
// [Turn.Loop] keeps both within [Limits]. What cannot be run is a result that the
// model can act on, and what tools found is gone with the turn but for one line
// that says what was looked up.
//
// What a turn found has numbers that run on over the chat, and a reply cites them
// as footnotes. Deltas, the file and later requests keep the reply as it came;
// the file has a list of what it cites below ([Citations]), which is never sent, and
// package reading has the reply as a person reads it. Retry, Undo and branches give numbers
// back, since they are counted from what the chat holds.
//
// # Nothing is lost
//
// A turn that cannot be saved is not sent; a reply is on disk within a second,
// whether more comes or not. One that cannot be saved stays in memory and is written
// as soon as that works, at the latest by [Session.Close], which finds another place
// if it must. A whole reply is replaced only by another
// whole one. What another program writes into the chat file while it is open is
// merged, and the next turn begins with what the file says.
//
// # The same, however one got there
//
// A chat that is opened again ([Reopen]) sends what a session would have sent
// that never ended, but for summaries, which go with the session. A turn that failed, or that nobody answered, leaves no more
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
// A session works for one caller at a time. A turn runs in the goroutine that
// ranges over its events and ends when the loop or its context does; all events
// come from there. Tools that read run in goroutines of the turn, a few at a time,
// and the turn waits for them; one that goes on after its context has ended is
// left to itself. While a turn runs, [Session.Snapshot] and [Session.Options]
// answer and everything else returns [ErrBusy].
//
// Where the options say so, a summary of a conversation that will soon not fit is
// asked for behind an answer, in a goroutine of the session. The next turn waits
// for it a moment, then ends it; [Session.Close] ends it at once. A chat that could
// not be saved is tried again by a timer of the session until Close. The journal of
// a reply writes in a goroutine of its own, which the turn ends and waits for.
package chains
