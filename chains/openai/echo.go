package openai

import (
	"bytes"
	"encoding/json"
	"sync"

	oai "github.com/sashabaranov/go-openai"

	"ibid/context/prompt"
)

// maxEchoes is how many calls a client remembers; an agent's loop needs the
// calls of one turn.
const maxEchoes = 256

// echoes keeps what a provider wants back together with a tool call and what
// nobody else can read: Gemini's thought signatures, OpenRouter's reasoning
// details, DeepSeek's reasoning. It lives as long as the client; a call that
// it does not know goes without.
type echoes struct {
	mu    sync.Mutex
	byID  map[string]echo
	order []string
}

type echo struct {
	extra     json.RawMessage // extra_content of the call
	details   json.RawMessage // reasoning_details of the message
	reasoning string          // reasoning_content of the message
}

func (e *echoes) keep(id string, what echo) {
	if what.extra == nil && what.details == nil && what.reasoning == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byID == nil {
		e.byID = make(map[string]echo)
	}
	if _, known := e.byID[id]; !known {
		e.order = append(e.order, id)
	}
	e.byID[id] = what
	if len(e.order) > maxEchoes {
		delete(e.byID, e.order[0])
		e.order = e.order[1:]
	}
}

func (e *echoes) get(id string) (echo, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	what, ok := e.byID[id]
	return what, ok
}

// remember keeps the echoes of a finished reply; reasoning and details belong
// to the message and travel with its first call.
func (c *Client) remember(calls []prompt.ToolCall, parts []*partialCall, details []json.RawMessage, reasoning string) {
	extras := make(map[string]json.RawMessage, len(parts))
	for _, p := range parts {
		extras[p.id] = p.extra
	}
	for i, call := range calls {
		what := echo{extra: extras[call.ID]}
		if i == 0 && c.quirks.reasoning {
			what.reasoning = reasoning
		}
		if i == 0 && c.quirks.details && len(details) > 0 {
			what.details = append(append([]byte{'['}, bytes.Join(asBytes(details), []byte{','})...), ']')
		}
		c.echoes.keep(call.ID, what)
	}
}

func asBytes(raws []json.RawMessage) [][]byte {
	out := make([][]byte, len(raws))
	for i, r := range raws {
		out[i] = r
	}
	return out
}

// echo gives an assistant message back what belongs to its calls.
func (c *Client) echo(m prompt.Message, at int, wire *oai.ChatCompletionMessage) []edit {
	var edits []edit
	for j, call := range m.ToolCalls {
		what, ok := c.echoes.get(call.ID)
		if !ok {
			continue
		}
		if what.extra != nil {
			edits = append(edits, edit{path: []any{"messages", at, "tool_calls", j}, key: "extra_content", value: what.extra})
		}
		if what.details != nil {
			edits = append(edits, edit{path: []any{"messages", at}, key: "reasoning_details", value: what.details})
		}
		if what.reasoning != "" {
			wire.ReasoningContent = what.reasoning
		}
	}
	return edits
}
