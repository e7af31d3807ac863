// Package prompt is the context engine of ibid: it decides, turn by turn, which
// bytes a model sees.
//
// A request has five layers, the most stable first, so that a provider's prefix
// cache holds from turn to turn:
//
//	L1  system   instructions, memory, project: changes only by an explicit act
//	L2  library  every item ever attached, in first-seen order; it never shrinks
//	L4  history  the conversation, append only
//	L3  turn     ids of items the model has, updates of those that changed, new ones in full
//	L5  user     what the person typed: always the last bytes
//
// L1 and L2 (and the notes that the model left to itself) are the system
// message; L3 and L5 are the last user message. Within an epoch nothing that was
// sent ever changes: each request extends the one before byte for byte. A new
// epoch rebuilds the system message; it begins only for one of the causes that
// [Cause] lists, each of which is logged in the [Envelope].
//
// # Use
//
// A [Conversation] is an immutable value. [Conversation.Prepare] turns it and a
// [Turn] into an [Envelope]; the envelope's messages go to the model. If the model
// calls tools, [Envelope.Extend] gives the next round, whose request begins with
// the one before, or [Envelope.ExtendText] if the calls are text. When the reply is there, [Envelope.Commit] gives the next
// conversation; what tools found is not part of it. Cancelling,
// failing, regenerating and editing an earlier message all are the same thing:
// going on from an earlier value.
//
// A prompt that outgrows the window of [Budget] is made smaller; [Envelope] says
// how in Shortened. [Envelope.Summarize] is a request for a summary that stands in
// for the turns that go then, and [Conversation.Summarized] takes it in.
//
// # Purity and concurrency
//
// The package does no I/O and knows no clock: the same values give the same
// bytes on every run. Conversations that came from one another share memory and
// belong to one goroutine at a time; envelopes, items and messages are read-only
// and may be read from anywhere.
package prompt
