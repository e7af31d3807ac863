package chains

import (
	"context"
	"iter"
	"slices"
	"time"

	"ibid/context/prompt"
	"ibid/context/tokens"
	"ibid/history"
)

// Model is a language model, or something that answers like one.
//
// Stream sends one request and yields the pieces of the reply in order. An error is yielded once, as the last pair,
// with a zero Delta; text that was yielded before it stays valid. If the loop breaks or ctx ends, Stream stops the
// request and frees its resources before it returns.
type Model interface {
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// EffortOff is the Effort of a request whose model must not think.
const EffortOff = tokens.EffortOff

// Request is one request to a model.
type Request struct {
	Model     string           // the provider's name of the model, "" if there is only one
	Messages  []prompt.Message // the exact conversation
	Tools     []ToolSpec       // sorted by name, the same on every request of a session
	Stop      []string         // texts at which the reply ends, if the protocol supports that
	MaxTokens int              // 0 means the provider's default
	// how much the model thinks: "low", "high", EffortOff or another word of the model; "" is the provider's
	// default
	Effort   string
	CacheKey string // names the conversation to providers that route by it; never a path or a title
	// CacheKey with the hashes of L1 and L2: as long as it is the same, the system message is; "" for requests that
	// belong to no turn
	Prefix    string
	Documents []prompt.Item // what the messages contain, as data for models on this machine; never sent
	Unfound   string        // reason that a search before the request found nothing, also as data
	Question  string        // text that the person typed, the end of the last message
}

// HasImages reports whether any message has images.
func (r Request) HasImages() bool {
	return slices.ContainsFunc(r.Messages, func(m prompt.Message) bool { return len(m.Images) > 0 })
}

// Limits of a reply. A Model yields no more: text beyond the limit ends the reply with FinishLength and a Notice,
// calls beyond it are dropped.
const (
	MaxText      = 4 << 20 // bytes of text, and the same number of reasoning
	MaxArguments = 1 << 20 // bytes of the arguments of all calls; the call that exceeds it is TooLong
	MaxCalls     = 100     // as many as a turn may run
)

// Delta is one piece of a reply. Any combination of fields may be set.
type Delta struct {
	Text      string
	Reasoning string
	Thought   bool              // the text of the reply so far was thinking; Text follows it
	ToolCalls []prompt.ToolCall // complete calls only
	Echo      string            // opaque data that the provider needs back within the turn, see prompt.Message
	Usage     *Usage            // the last one of a reply counts
	Finish    Finish            // "" until the reply ends
	Notice    string            // message for the person while waiting: "the provider is queueing the request"
	Wait      time.Duration     // time until the request that Notice announces, or 0
	// the model that answers, if the request named none; sent before any other part of the reply
	Model *Options
}

// Finish is the reason why a reply ended.
type Finish string

// The reasons, as the `done` events of JSON output name them.
const (
	FinishStop      Finish = "stop"
	FinishLength    Finish = "length"
	FinishTools     Finish = "tool_calls"
	FinishToolLimit Finish = "tool_limit" // the model still called tools after the last round
	FinishFilter    Finish = "content_filter"
	FinishCancelled Finish = "cancelled"
	FinishCutOff    Finish = "cut_off"
	FinishError     Finish = "error"
)

// Usage holds the tokens that a provider reported for a request, and what it costs.
type Usage = history.Usage

// ErrorKind classifies errors by what a person can do about them.
type ErrorKind string

// The kinds of errors, as the `error` events of JSON output name them.
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

// ProviderError is an error of a model in words for the person: Message is one line that says what to do. It never
// contains a key.
type ProviderError struct {
	Kind       ErrorKind
	Status     int           // HTTP status, 0 if there was none
	Code       string        // the provider's own code
	RetryAfter time.Duration // how long the provider asks to wait, 0 if it did not
	Message    string
	Retryable  bool
	Window     int   // context window in tokens that the provider named, 0 if it named none
	Err        error // cause, may be nil
}

// Error returns Message.
func (e *ProviderError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *ProviderError) Unwrap() error { return e.Err }
