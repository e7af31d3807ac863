package chains

import (
	"time"

	"ibid/context/prompt"
)

// Event is something that happens in a turn: one of the types below, from TurnStarted to Done.
type Event any

// TurnStarted is the first event of a turn. The person's message is on disk.
type TurnStarted struct {
	N     int    // 1-based
	Chat  string // vault-relative path of the chat file, "" if the chat is not saved
	Chain string // name of the chain that answers
}

// ContextReady announces the request that is sent next.
type ContextReady struct {
	Envelope prompt.Envelope
	Missing  []prompt.MissingRef
	Follows  bool // a later round: the previous request with the results of its calls; Missing is unchanged
}

// AnsweringModel names the model of a turn that began without one, with the options that belong to it. Receivers
// must not change the options.
type AnsweringModel struct{ Options *Options }

// TextDelta is a piece of the visible reply. Notes-to-self never appear in it.
type TextDelta struct{ Text string }

// ReasoningDelta is a piece of the model's reasoning.
type ReasoningDelta struct{ Text string }

// WasThinking reports that the text of this round so far was thinking, and not part of the reply.
type WasThinking struct{}

// ToolStarted announces a call of a tool, ToolDone its end.
type ToolStarted struct {
	Call  prompt.ToolCall
	N     int // number of the call in its turn, from 1
	Round int // round of the turn, from 1; 0 before the first request
	Most  int // maximum number of rounds, 0 before the first request
}

// ToolDone ends a call of a tool. Err is the reason in words if it failed or was refused, else "".
type ToolDone struct {
	Call    prompt.ToolCall
	N       int
	Round   int
	State   ToolState
	Result  string // the beginning of what the model gets
	Note    string // what was found, in a few words for the person
	Err     string
	Took    time.Duration
	Tokens  int // estimated tokens of the result
	Sources []Source
}

// ToolState is the outcome of a call, as the `tool` events of JSON output name it.
type ToolState string

// The outcomes of a call.
const (
	ToolFinished ToolState = "done"
	ToolFailed   ToolState = "error"
	ToolCached   ToolState = "cached"  // an earlier call was the same
	ToolRefused  ToolState = "refused" // by the person or by a limit
)

// Asked is a question to the person. The turn waits until Answer is called or its context ends. A receiver that
// cannot ask answers with the zero Decision.
type Asked struct {
	Kind     Access
	Host     string // from which a page is to be fetched, "" for other calls
	Call     prompt.ToolCall
	Proposal *Proposal // for AccessWrite, unless Batch is set
	// Batch holds the proposals if the model proposes to change more than three notes at once, and Calls their calls.
	// Decision.Yes then means that each is asked about singly, or those that Decision.Hunks lists; with Decision.All
	// they are made as they are.
	Batch  []*Proposal
	Calls  []prompt.ToolCall
	Unfit  []UnfitChange  // changes of the batch that cannot be made
	Answer func(Decision) // may be called from any goroutine; the first answer counts
}

// UnfitChange is a call that wants to change a note and cannot.
type UnfitChange struct {
	Call   prompt.ToolCall
	Reason string // in words
}

// WriteResult reports the outcome of a proposed change.
type WriteResult struct {
	Call    prompt.ToolCall
	Path    string
	Hunks   int    // hunks that the person agreed to
	Applied int    // hunks that were written, 0 if none was
	Undo    int    // number with which the write can be taken back, 0 if it cannot
	Err     string // why nothing was written, in words
}

// Decision returns the outcome in a word: "applied", "partial" or "refused".
func (w *WriteResult) Decision() string {
	switch w.Applied {
	case 0:
		return "refused"
	case w.Hunks:
		return "applied"
	}
	return "partial"
}

// Citations reports the references of a complete reply. It is sent only if there are any.
type Citations struct {
	Sources []Source // sources of this turn, with the numbers that the model used
	Footer  string   // list of the sources, as the chat file has it below the reply
	Struck  []int    // numbers that no search had given out when the model wrote them, and that were taken out
	Drawn   string   // text of the last round as package reading draws it, "" if that is the same
	Dead    []string // targets of wikilinks that lead nowhere
}

// UsageReported carries the tokens that the provider reported for a request, and at the end of the turn for all of
// its requests.
type UsageReported struct {
	Usage     Usage
	Predicted prompt.Prediction // for a single request
	Turn      bool              // Usage is that of the whole turn
}

// Planned lists the lookups that a model wants before it answers, or says why it was not asked.
type Planned struct {
	Calls   []prompt.ToolCall
	Skipped string // "attached": everything the question needs is attached
}

// Notice is a message for the person. Kind is a stable word. For something missing it is made of the State of the
// prompt.MissingRef: missing_note, ambiguous_note, private_note, forgotten_note, image_note and so on. For a
// warning of the store it is the warning's Kind (merged, moved, conflict). The others are changed_note, citations,
// kept_reply, links, not_saved, planner, prefix_changed, provider, shortened, thinking, tool_limit, tools,
// truncated_by_server and window.
type Notice struct {
	Kind string
	Text string
	// time until the announced request, so that a countdown " in N s" can be shown; 0 for a lasting notice
	Wait time.Duration
}

// Saved reports that the chat file is up to date.
type Saved struct{ Path string }

// Done is the last event of a turn. Err is nil unless Finish is FinishError or
// FinishCutOff; what came before it is kept.
type Done struct {
	Finish   Finish
	Err      *ProviderError
	Restored bool // a retry failed, and the earlier reply stays
}
