package chains

import (
	"time"

	"ibid/context/prompt"
)

// Event is one thing that happens in a turn. The set of events is closed.
type Event interface{ event() }

// TurnStarted is the first event of a turn: the person's message is on disk.
type TurnStarted struct {
	N     int    // 1-based
	Chat  string // vault-relative path of the chat file, "" if the chat is not saved
	Chain string // that answers
}

// ContextReady says what is about to be sent.
type ContextReady struct {
	Envelope prompt.Envelope
	Missing  []prompt.MissingRef
	Follows  bool // the request before and what its calls have found; Missing is as it was
}

// AnsweringModel says which model answers, in a turn that began without one, with all that
// comes with it. The options are not to be changed.
type AnsweringModel struct{ Options *Options }

// TextDelta is a piece of the visible reply. Notes-to-self never appear in it.
type TextDelta struct{ Text string }

// ReasoningDelta is a piece of the model's thinking.
type ReasoningDelta struct{ Text string }

// WasThinking says that the text that came for this request is thinking, and no part
// of the reply.
type WasThinking struct{}

// ToolStarted and ToolDone bracket a tool call.
type ToolStarted struct {
	Call  prompt.ToolCall
	N     int // of the call in its turn, from 1
	Round int // of the turn, from 1; 0 before the first request
	Most  int // rounds that the turn may have, 0 before the first request
}

// ToolDone ends a tool call; Err is why it failed or was refused, in words, "" if
// it worked.
type ToolDone struct {
	Call    prompt.ToolCall
	N       int
	Round   int
	State   ToolState
	Result  string // what the model gets: the beginning of it, if that is long
	Note    string // what was found, for people
	Err     string
	Took    time.Duration
	Tokens  int // of the result, about
	Sources []Source
}

// ToolState names the end of a call, as `tool` events do.
type ToolState string

// The ends of a call.
const (
	ToolFinished ToolState = "done"
	ToolFailed   ToolState = "error"
	ToolCached   ToolState = "cached"  // it was the same as an earlier one
	ToolRefused  ToolState = "refused" // by the person or a limit
)

// Asked is a question to the person: the turn waits until Answer is called, or
// until its context ends. Whoever cannot ask answers with the zero Decision.
type Asked struct {
	Kind     Access
	Host     string // that a page is to be fetched from, "" if it is no page
	Call     prompt.ToolCall
	Proposal *Proposal // for AccessWrite
	// for AccessWrite, in place of Proposal: of more than three notes. Yes is to be asked about each of them, or of
	// those that Hunks names
	Batch  []*Proposal
	Answer func(Decision) // may be called from any goroutine; the first answer counts
}

// WriteResult says what became of a change that was proposed.
type WriteResult struct {
	Call    prompt.ToolCall
	Path    string
	Hunks   int    // of what was agreed to
	Applied int    // of them, 0 if nothing was written
	Undo    int    // number of the write, to take it back with; 0 if it was not kept
	Err     string // why nothing was written, in words
}

// Decision sums up what became of the change: applied, partial or refused.
func (w *WriteResult) Decision() string {
	switch w.Applied {
	case 0:
		return "refused"
	case w.Hunks:
		return "applied"
	}
	return "partial"
}

// Citations says what a reply that has ended refers to. It comes only if there is
// something to say.
type Citations struct {
	Sources []Source // of this turn, with the numbers that the model wrote
	Footer  string   // the list of them that the chat file has below the reply
	Struck  []int    // numbers that no search had given out when they were written
	Rounds  []string // what came in each round with text, where references to what was found later were struck
	Drawn   string   // what came in the last round, as a person reads it: see package reading; "" if that is the same
	Dead    []string // targets of wikilinks that lead nowhere
}

// UsageReported carries the provider's numbers: of each request, and at the end of
// the turn those of all.
type UsageReported struct {
	Usage     Usage
	Predicted prompt.Prediction // of a request
	Turn      bool              // of the whole turn
}

// Planned says what a model wants looked up before it answers, or why it was not
// asked.
type Planned struct {
	Calls   []prompt.ToolCall
	Skipped string // "attached": everything that is needed is
}

// Notice is something the person should know; Kind is a stable word. What is
// missing has the state of its prompt.MissingRef in it: missing_note,
// ambiguous_note, private_note, forgotten_note, image_note and so on. What the
// store has to say has the kind of its warning (merged, moved, conflict). The
// others are changed_note, citations, kept_reply, links, not_saved, planner,
// prefix_changed, provider, shortened, thinking, tool_limit, tools, truncated_by_server and
// window.
type Notice struct {
	Kind string
	Text string
	Wait time.Duration // until what it announces: that the request is sent again, " in N s"; 0 if it is news that stays
}

// Saved says that the chat file holds everything up to now.
type Saved struct{ Path string }

// Done is the last event of a turn. Err is nil unless Finish is FinishError or
// FinishCutOff; what came before it is kept.
type Done struct {
	Finish   Finish
	Err      *ProviderError
	Restored bool // what came of a turn that ran again is dropped: the reply from before stays
}

func (TurnStarted) event()    {}
func (ContextReady) event()   {}
func (AnsweringModel) event() {}
func (TextDelta) event()      {}
func (ReasoningDelta) event() {}
func (WasThinking) event()    {}
func (Planned) event()        {}
func (ToolStarted) event()    {}
func (ToolDone) event()       {}
func (WriteResult) event()    {}
func (Asked) event()          {}
func (Citations) event()      {}
func (UsageReported) event()  {}
func (Notice) event()         {}
func (Saved) event()          {}
func (Done) event()           {}
