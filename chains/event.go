package chains

import (
	"ibid/context/prompt"
)

// Event is one thing that happens in a turn. The set of events is closed.
type Event interface{ event() }

// TurnStarted is the first event of a turn: the person's message is on disk.
type TurnStarted struct {
	N    int    // 1-based
	Chat string // vault-relative path of the chat file, "" if the chat is not saved
}

// ContextReady says what is about to be sent.
type ContextReady struct {
	Envelope prompt.Envelope
	Missing  []prompt.Missing
}

// TextDelta is a piece of the visible reply. Notes-to-self never appear in it.
type TextDelta struct{ Text string }

// ReasoningDelta is a piece of the model's thinking.
type ReasoningDelta struct{ Text string }

// ToolStarted and ToolDone bracket a tool call.
type ToolStarted struct{ Call prompt.ToolCall }

// ToolDone ends a tool call; Err is in words for a person, "" if it worked.
type ToolDone struct {
	Call   prompt.ToolCall
	Result string
	Err    string
}

// UsageReported carries the provider's numbers.
type UsageReported struct{ Usage Usage }

// Notice is something the person should know; Kind is a stable word. What is
// missing has the state of its prompt.Missing in it: missing_note,
// ambiguous_note, private_note, forgotten_note, image_note and so on. What the
// store has to say has the kind of its warning (merged, moved, conflict). The
// others are changed_note, folding, not_saved, prefix_changed, provider,
// shortened, truncated_by_server and window.
type Notice struct {
	Kind string
	Text string
}

// Saved says that the chat file holds everything up to now.
type Saved struct{ Path string }

// Done is the last event of a turn. Err is nil unless Finish is FinishError or
// FinishCutOff; what came before it is kept.
type Done struct {
	Finish Finish
	Err    *ProviderError
}

func (TurnStarted) event()    {}
func (ContextReady) event()   {}
func (TextDelta) event()      {}
func (ReasoningDelta) event() {}
func (ToolStarted) event()    {}
func (ToolDone) event()       {}
func (UsageReported) event()  {}
func (Notice) event()         {}
func (Saved) event()          {}
func (Done) event()           {}
