package openai

import (
	"encoding/json"

	"ibid/chains/wire"
)

// echo is what a provider wants back together with its tool calls, and what
// nobody else can read: Gemini's thought signatures, OpenRouter's reasoning
// details, DeepSeek's reasoning. As JSON it is the Echo of a message.
type echo struct {
	Extra     []json.RawMessage `json:"extra,omitempty"` // extra_content of each call
	Details   []json.RawMessage `json:"details,omitempty"`
	Reasoning string            `json:"reasoning,omitempty"`
}

// echo is what belongs to the calls of a finished reply, "" if nothing does.
func (r *reply) echo() string {
	e := echo{Details: r.details}
	if r.client.quirks.reasoning {
		e.Reasoning = r.thought.String()
	}
	some := false
	for _, c := range r.calls.calls {
		e.Extra, some = append(e.Extra, c.extra), some || c.extra != nil
	}
	if !some && e.Details == nil && e.Reasoning == "" {
		return ""
	}
	return string(wire.Marshal(e))
}

// addEcho gives a message back what belongs to its calls.
func (m *message) addEcho(said string) {
	var e echo
	if said == "" || json.Unmarshal([]byte(said), &e) != nil {
		return // none of ours
	}
	m.ReasoningContent, m.ReasoningDetails = e.Reasoning, e.Details
	for i := range min(len(m.ToolCalls), len(e.Extra)) {
		if wire.Present(e.Extra[i]) {
			m.ToolCalls[i].Extra = e.Extra[i]
		}
	}
}
