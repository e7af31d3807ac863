package chains

import (
	"context"
	"iter"
	"slices"
	"time"

	"ibid/context/prompt"
	"ibid/context/tokens"
)

// Model is a language model, or something that answers like one.
//
// Stream sends one request and yields what comes back, in order. A failure is
// yielded once, as the last pair, together with a zero Delta; text that was
// yielded before it stays valid. Ending the loop early or ending ctx stops the
// request and frees everything that belongs to it before Stream returns.
type Model interface {
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// EffortOff is the Effort of a request whose model is not to think.
const EffortOff = tokens.EffortOff

// Request is one call of a model.
type Request struct {
	Model     string           // the provider's name for the model; "" where there is only one
	Messages  []prompt.Message // the exact conversation
	Tools     []ToolSpec       // sorted by name, the same on every request of a session
	Stop      []string         // the reply is to end before one of these texts, where the protocol has that
	MaxTokens int              // 0: the provider's default
	// how much a model is to think, "low", "high", EffortOff or another word of the model's; "" leaves it to the
	// provider
	Effort   string
	CacheKey string // names the conversation to providers that route by it; never a path or a title
	// CacheKey with the hashes of L1 and L2: while it stays, the system message does; "" for what is no turn of a
	// chat
	Prefix    string
	Documents []prompt.Item // what the messages carry, as data: for models on this machine, never sent
	Unfound   string        // what a search before the request says if it found nothing, as data too
	Question  string        // what the person typed: the tail of the last message
}

// HasImages reports whether a message of the request has one.
func (r Request) HasImages() bool {
	return slices.ContainsFunc(r.Messages, func(m prompt.Message) bool { return len(m.Images) > 0 })
}

// What a reply may hold. A Model hands out no more than that: text ends the reply
// there, with FinishLength and a Notice; of the calls some are left out.
const (
	MaxText      = 4 << 20 // bytes of text, and as many of thinking
	MaxArguments = 1 << 20 // bytes of the arguments of all calls: the call that has more is TooLong
	MaxCalls     = 100     // calls that are kept, as many as can run in a turn
)

// Delta is one piece of a reply. Any combination of fields may be set.
type Delta struct {
	Text      string
	Reasoning string
	Thought   bool              // the text of this reply so far was thinking; Text comes after it
	ToolCalls []prompt.ToolCall // complete calls only, when the provider has finished them
	Echo      string            // what the provider wants back within the turn: see prompt.Message
	Usage     *Usage            // the last one counts
	Finish    Finish            // "" until the reply ends
	Notice    string            // something for the person to know while waiting: "the provider is queueing the request"
	Wait      time.Duration     // until the request that Notice announces, 0 if it announces none
	// whoever answers from now on, where the request named no model; before anything of the reply
	Model *Options
}

// Finish says why a reply ended.
type Finish string

// The ends of a reply, as `done` events name them.
const (
	FinishStop      Finish = "stop"
	FinishLength    Finish = "length"
	FinishTools     Finish = "tool_calls"
	FinishToolLimit Finish = "tool_limit" // the model went on calling tools after the last call of the turn
	FinishFilter    Finish = "content_filter"
	FinishCancelled Finish = "cancelled"
	FinishCutOff    Finish = "cut_off"
	FinishError     Finish = "error"
)

// Usage holds the tokens that a provider reported for one request. Prompt
// counts cached tokens too. A negative number was not reported.
type Usage struct {
	Prompt     int
	Cached     int
	CacheWrite int
	Completion int
	Reasoning  int
	Cost       float64 // in US dollars as reported, negative if not
}

// Plus adds up two requests. What one of them did not report is
// not known of both.
func (u Usage) Plus(o Usage) Usage {
	add := func(a, b int) int {
		if a < 0 || b < 0 {
			return -1
		}
		return a + b
	}
	sum := Usage{
		Prompt: add(u.Prompt, o.Prompt), Cached: add(u.Cached, o.Cached), CacheWrite: add(u.CacheWrite, o.CacheWrite),
		Completion: add(u.Completion, o.Completion), Reasoning: add(u.Reasoning, o.Reasoning), Cost: u.Cost + o.Cost,
	}
	if u.Cost < 0 || o.Cost < 0 {
		sum.Cost = -1
	}
	return sum
}

// ErrorKind sorts failures by what a person can do about them.
type ErrorKind string

// The kinds of failure, as `error` events name them.
const (
	ErrAuth     ErrorKind = "auth"
	ErrQuota    ErrorKind = "quota"
	ErrRate     ErrorKind = "rate"
	ErrContext  ErrorKind = "context"
	ErrNetwork  ErrorKind = "network"
	ErrTimeout  ErrorKind = "timeout"
	ErrServer   ErrorKind = "server"
	ErrBadReply ErrorKind = "bad_reply"
	ErrConfig   ErrorKind = "config"
	ErrCutOff   ErrorKind = "cut_off"
)

// ProviderError is a failure of a model, in words for a person: Message is one
// line that says what to do. It never holds a key.
type ProviderError struct {
	Kind       ErrorKind
	Status     int           // HTTP status, 0 if there was none
	Code       string        // the provider's own code
	RetryAfter time.Duration // how long the provider asks to wait, 0 if it did not
	Message    string
	Retryable  bool
	Window     int   // context window in tokens that the error named, 0 if none
	Err        error // the cause, may be nil
}

// Error is Message.
func (e *ProviderError) Error() string { return e.Message }

// Unwrap is the cause.
func (e *ProviderError) Unwrap() error { return e.Err }
