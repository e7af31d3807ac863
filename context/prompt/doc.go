// Package prompt is the context engine of ibid: it decides, turn by turn, which bytes a model sees.
//
// A request has five layers, the most stable first, so that a provider's prefix cache holds from turn to turn:
//
//	L1  system   instructions, memory, project: changes only when the person changes them
//	L2  library  every item ever attached, in the order of first appearance; it never shrinks
//	L4  history  the conversation, append only
//	L3  turn     ids of known items, updates of those that changed, new ones in full
//	L5  user     the typed question: always the last bytes
//
// L1 and L2 (with notes-to-self and a guide) are the system message; L3 and L5 are the last user message. Within an
// epoch nothing that was sent ever changes: each request extends the previous one byte for byte. A new epoch
// rebuilds the system message. It begins only for one of the causes that [Cause] lists, and the [Envelope] names
// it.
//
// # Use
//
// A [Conversation] is an immutable value. [Conversation.Prepare] turns it and a [Turn] into an [Envelope], whose
// messages go to the model. If the model calls tools, [Envelope.Extend] returns the request of the next round,
// which begins with the previous one; [Envelope.ExtendText] does that for calls in text. After the reply,
// [Envelope.Commit] returns the next conversation, without the results of tools. To cancel, to fail, to retry and
// to edit an earlier message are the same: to go on from an earlier value.
//
// A prompt that outgrows the window in [Budget] is shortened; Envelope.Shortened says how. [Envelope.Summarize]
// returns a request for a summary of the turns that are dropped then, and [Conversation.Summarized] adds the
// summary.
//
// # Purity and concurrency
//
// The package does no I/O and uses no clock: the same values always give the same bytes. Conversations derived from
// each other share memory and belong to one goroutine at a time; envelopes, items and messages are read-only, and
// any goroutine may read them.
package prompt
