package openai

import (
	"bytes"
	"encoding/json"

	oai "github.com/sashabaranov/go-openai"

	"ibid/context/prompt"
)

// echo is what a provider wants back together with its tool calls, and what
// nobody else can read: Gemini's thought signatures, OpenRouter's reasoning
// details, DeepSeek's reasoning. As JSON it is the Echo of a message.
type echo struct {
	Extra     map[string]json.RawMessage `json:"extra,omitempty"` // extra_content, by the id of the call
	Details   []json.RawMessage          `json:"details,omitempty"`
	Reasoning string                     `json:"reasoning,omitempty"`
}

// echo is what belongs to the calls of a finished reply, "" if nothing does.
func (r *reply) echo() string {
	e := echo{Details: r.details}
	if r.client.quirks.reasoning {
		e.Reasoning = r.thought.String()
	}
	for _, c := range r.calls.calls {
		if c.extra != nil {
			if e.Extra == nil {
				e.Extra = map[string]json.RawMessage{}
			}
			e.Extra[c.id] = c.extra
		}
	}
	if e.Extra == nil && e.Details == nil && e.Reasoning == "" {
		return ""
	}
	return string(marshal(e))
}

// echoed gives message at of a request back what belongs to its calls.
func echoed(m prompt.Message, at int, out *oai.ChatCompletionMessage) (edits []edit) {
	var e echo
	if m.Echo == "" || json.Unmarshal([]byte(m.Echo), &e) != nil {
		return nil // none of ours
	}
	out.ReasoningContent = e.Reasoning
	for i, call := range m.ToolCalls {
		if extra := e.Extra[call.ID]; extra != nil {
			edits = append(edits, edit{path: []any{"messages", at, "tool_calls", i}, key: "extra_content", value: extra})
		}
	}
	if len(e.Details) > 0 {
		var list bytes.Buffer
		for _, d := range e.Details {
			list.WriteByte(',')
			list.Write(d)
		}
		edits = append(edits, edit{path: []any{"messages", at}, key: "reasoning_details", value: json.RawMessage("[" + list.String()[1:] + "]")})
	}
	return edits
}
