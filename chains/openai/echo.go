package openai

import (
	"encoding/json"

	"ibid/chains/wire"
)

// echo goes back together with tool calls, as it came: Gemini's thought
// signatures and the reasoning of the reply, whatever the server is, since many want it
// and most do not mind. As JSON it is the Echo of a message.
type echo struct {
	Extra     []json.RawMessage `json:"extra,omitempty"` // extra_content of each call
	Details   []json.RawMessage `json:"details,omitempty"`
	Content   string            `json:"content,omitempty"`   // of reasoning_content
	Reasoning string            `json:"reasoning,omitempty"` // of reasoning
}

// echo belongs to the calls of a finished reply, "" if there is none.
func (r *reply) echo() string {
	e := echo{Details: r.details}
	switch r.source {
	case "reasoning_content":
		e.Content = r.thought.String()
	case "reasoning":
		e.Reasoning = r.thought.String()
	}
	some := false
	for _, c := range r.calls.calls {
		e.Extra, some = append(e.Extra, c.extra), some || c.extra != nil
	}
	if !some && e.Details == nil && e.Content+e.Reasoning == "" {
		return ""
	}
	return string(wire.Marshal(e))
}

// addEcho gives a message back what belongs to its calls.
func (m *message) addEcho(said string, left wire.OmittedFields) {
	var e echo
	if !wire.Decode([]byte(said), &e) {
		return // none of ours
	}
	if !left.Has(wire.ReasoningField) {
		m.ReasoningContent, m.Reasoning, m.ReasoningDetails = e.Content, e.Reasoning, e.Details
	}
	for i := range min(len(m.ToolCalls), len(e.Extra)) {
		if wire.IsPresent(e.Extra[i]) {
			m.ToolCalls[i].Extra = e.Extra[i]
		}
	}
}
