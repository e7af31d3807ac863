// Package chains runs a turn: it takes what a person sends, builds the prompt, calls the model and the tools, emits
// events for the screen, and saves everything in a chat file.
//
// # A turn
//
// A [Session] is one conversation. A turn has two phases. [Session.Begin] prepares it and changes nothing:
//
//	references → items     read once by the [Gatherer]; it reports what is missing
//	lookups                made before the request by a chain that is an [Opener]
//	engine → envelope      context/prompt decides what is sent
//
// The [PendingTurn] says what would be sent, what that costs and whether it fits. It is not in the chat.
// [PendingTurn.Send] sends that very request:
//
//	notes that changed are read again; if the price went up, the turn ends here
//	the message is saved   before the model is asked ([TurnStarted])
//	the chain runs         [Chain.Run] works with the [Turn]:
//	  Prepare              announces the request ([ContextReady])
//	  Stream               sends it; notes-to-self are filtered from the reply,
//	                       and the rest is saved as it comes ([TextDelta])
//	  Call                 runs the tools that the reply calls ([ToolStarted],
//	                       [Asked], [ToolDone]) and begins the next round
//	commit or go back      a complete reply is committed; a failed or cancelled
//	                       turn leaves the conversation as it was and keeps the
//	                       text ([Done])
//
// [Session.Send] does both phases at once, and [RetryWith] runs the last turn again.
//
// # Interfaces
//
// A [Model] answers requests: chains/openai, chains/anthropic and chains/ollama speak to servers, chains/offline
// quotes notes, chains/chaintest plays scripts. A [Server] has models. A [Chain] is a type with a name and a Run of
// a few lines; [Chat] is the default, [Vault] searches first, and [Plus], [Agent] and [Project] offer the model its
// tools. A [Tool] is a type with a description and a Call: it reads, or it proposes a change that a person agrees
// to. A model that takes no list of tools writes its calls into its reply ([CallsInText], package calltext); in
// Plus it is asked for a plan first ([Planned]). [Turn.Loop] keeps both within [Limits]. A call that cannot run
// gets a result from which the model can go on. The results of tools leave the conversation with the turn, except
// for one line that names the lookups.
//
// The sources of a turn have numbers that continue through the chat, and a reply cites them as footnotes. A
// cite.Checker takes invented references and lists out of the reply while it streams, so that deltas, the file and
// later requests hold the same text, with the numbers of the model. The file has the list of sources below it
// ([Citations]), which is never sent, and package reading formats a reply for the person. Retry, Undo and branches free the
// numbers of what they drop, because the next number is computed from the chat.
//
// # Nothing is lost
//
// A turn that cannot be saved is not sent; a reply is on disk within a second, whether more comes or not. A chat
// that cannot be saved stays in memory and is written as soon as that works, at the latest by [Session.Close], in
// another place if it must be. A complete reply is replaced only by another complete one. Changes that another
// program makes to an open chat file are merged, and the next turn begins with what the file says.
//
// # Reopening
//
// A chat that is opened again ([Reopen]) sends what a session that never ended would have sent, except for
// summaries, which end with the session. A turn that failed, or that was never answered, leaves the same behind in
// both cases: its question is in the file, and its attachments do not count as known. Notes saved inside the
// messages of old chats become context, and only the questions become history.
//
// # Forgetting
//
// What a person withdraws ([Change]) stays withdrawn through Undo, Retry and reopening, whatever folder, pin or
// active note contains it. Naming it for a turn takes that back, and undoing that turn withdraws it again.
//
// # Concurrency
//
// A session works for one caller at a time. A turn runs in the goroutine that ranges over its events, emits all
// events there, and ends when the loop or its context does. Tools that read run in goroutines of the turn, a few at
// a time. The turn waits for them, but abandons one that goes on after its context has ended. While a turn runs,
// [Session.Snapshot] and [Session.Options] answer and everything else returns [ErrBusy].
//
// If the options ask for it, a goroutine of the session requests a summary, after a reply, of a conversation that
// will soon not fit. The next turn waits for it a moment, then cancels it; [Session.Close] cancels it at once. A
// timer of the session retries a failed save until Close. The journal of a reply writes in a goroutine of its own;
// the turn ends it and waits for it.
package chains
