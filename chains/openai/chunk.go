package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"ibid/chains/wire"
)

// chunk is one frame of a reply. Fields whose types differ between servers stay raw, and encoding/json continues
// after a value of the wrong type, so that no chunk is lost because of an unexpected field.
type chunk struct {
	Choices json.RawMessage             `json:"choices"`
	Usage   wire.Fields                 `json:"usage"`
	XGroq   struct{ Usage wire.Fields } `json:"x_groq"`
	Timings wire.Fields                 `json:"timings"`
	Error   json.RawMessage             `json:"error"`
	Object  words                       `json:"object"`
	Errors  json.RawMessage             `json:"errors"` // Cloudflare
	Detail  json.RawMessage             `json:"detail"` // FastAPI
}

// failed reports whether the chunk is an error.
func (c *chunk) failed() bool {
	return reportsError(c.Error) || !wire.IsPresent(c.Choices) &&
		(c.Object == "error" || reportsError(c.Errors) || reportsError(c.Detail))
}

// choice is an element of choices. Message replaces Delta if the server did not stream.
type choice struct {
	Index        wire.Number     `json:"index"`
	Delta        *delta          `json:"delta"`
	Message      *delta          `json:"message"`
	FinishReason words           `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`
}

// delta is a piece of the assistant's message.
type delta struct {
	Content          json.RawMessage `json:"content"`
	Refusal          words           `json:"refusal"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
}

// callDelta is a piece of a tool call, or a complete one.
type callDelta struct {
	Index    wire.Number     `json:"index"`
	ID       words           `json:"id"`
	Function callFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content"`
}

type callFunction struct {
	Name      words           `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// words is a string, empty if the server sent anything else.
type words string

// UnmarshalJSON never fails.
func (w *words) UnmarshalJSON(b []byte) error {
	*w = words(text(b))
	return nil
}

// text returns the string in raw, "" if raw is no string.
func text(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if in := raw[1 : len(raw)-1]; bytes.IndexByte(in, '\\') < 0 && isPlain(in) {
		return string(in)
	}
	var s string
	_ = json.Unmarshal(raw, &s) // s stays "" if raw is broken
	return s
}

// isPlain reports whether b is printable ASCII, which needs no decoding.
func isPlain(b []byte) bool {
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}

// part is an element of a content array or of reasoning_details.
type part struct {
	Type     string          `json:"type"`
	Text     json.RawMessage `json:"text"`
	Thinking json.RawMessage `json:"thinking"`
	Summary  json.RawMessage `json:"summary"`
}

// splitContent parses content, a string or an array of parts. Text parts are the reply, thinking parts are
// reasoning.
func splitContent(raw []byte) (said, thought string) {
	if len(raw) == 0 || raw[0] == '"' {
		return text(raw), ""
	}
	var s, t strings.Builder
	for e := range wire.Elements(raw) {
		if e[0] == '"' {
			s.WriteString(text(e))
			continue
		}
		var p part
		if !wire.Decode(e, &p) {
			continue
		}
		if strings.HasPrefix(p.Type, "thinking") || strings.HasPrefix(p.Type, "reasoning") {
			t.WriteString(thinkingText(p))
		} else {
			s.WriteString(text(p.Text))
		}
	}
	return s.String(), t.String()
}

// thinkingText returns the text of a thinking part, which has a string or parts again.
func thinkingText(p part) string {
	for _, raw := range [][]byte{p.Thinking, p.Text, p.Summary} {
		switch {
		case len(raw) == 0:
		case raw[0] == '"':
			return text(raw)
		case raw[0] == '[':
			return detailsText(raw)
		}
	}
	return ""
}

// detailsText returns the readable text of reasoning_details; encrypted parts have none.
func detailsText(raw []byte) string {
	said, thought := splitContent(raw)
	return said + thought
}
