package openai

import (
	"encoding/json"

	"ibid/chains/wire"
)

// echo is data that goes back unchanged with tool calls: Gemini's thought signatures and the reasoning of the
// reply. It is sent to every server, since many need it and most do not mind. Encoded as JSON it is the Echo of a
// message.
type echo struct {
	Extra     []json.RawMessage `json:"extra,omitempty"` // extra_content of each call
	Details   []json.RawMessage `json:"details,omitempty"`
	Content   string            `json:"content,omitempty"`   // text of reasoning_content
	Reasoning string            `json:"reasoning,omitempty"` // text of reasoning
}

// echo returns the data that belongs to the calls of a finished reply, "" if there is none.
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

// addEcho adds the data that belongs to its calls to a message.
func (m *message) addEcho(said string, left wire.OmittedFields) {
	var e echo
	if !wire.Decode([]byte(said), &e) {
		return // of another protocol
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
