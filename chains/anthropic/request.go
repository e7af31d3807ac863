package anthropic

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

const (
	maxMarks  = 4    // in a request
	minReply  = 1024 // tokens left for the text of a reply with reasoning
	minBudget = 1024 // tokens below which the protocol takes no budget
)

// body is the body of a request.
type body struct {
	Model     string         `json:"model"`
	MaxTokens int            `json:"max_tokens"`
	System    []any          `json:"system,omitempty"`
	Tools     []tool         `json:"tools,omitempty"`
	Messages  []message      `json:"messages"`
	Stop      []string       `json:"stop_sequences,omitempty"`
	Stream    bool           `json:"stream"`
	Thinking  *thinking      `json:"thinking,omitempty"`
	Output    *output        `json:"output_config,omitempty"`
	extra     map[string]any // merged into the top level
}

type thinking struct {
	Type    string `json:"type"` // adaptive, enabled or disabled
	Budget  int    `json:"budget_tokens,omitempty"`
	Display string `json:"display,omitempty"`
}

type output struct {
	Effort string `json:"effort"`
}

// budgets are the tokens for the reasoning of a reply, by effort. Other efforts have the budget of "high".
var budgets = map[string]int{"low": 2048, "medium": 8192, "high": 24576}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
}

type message struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // *block, or json.RawMessage for a block as the server sent it
}

// block is a part of a message, with the fields of every type that is sent.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Source    *source         `json:"source,omitempty"`      // of an image
	ID        string          `json:"id,omitempty"`          // of a call
	Name      string          `json:"name,omitempty"`        // of a call: its tool
	Input     json.RawMessage `json:"input,omitempty"`       // of a call: its arguments
	ToolUseID string          `json:"tool_use_id,omitempty"` // of a result: the call that it answers
	Content   string          `json:"content,omitempty"`     // of a result
	Control   *control        `json:"cache_control,omitempty"`
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type,omitempty"`
	Data      string `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
}

// control is a cache mark.
type control struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitempty"`
}

// encodeRequest translates r, without the omitted fields.
func (c *Client) encodeRequest(r chains.Request, left wire.OmittedFields) *body {
	b := &body{
		Model: r.Model, MaxTokens: c.maxTokens(r.Model, r.MaxTokens), Stream: !left.Has(wire.StreamField),
		extra: maps.Clone(c.opts.Extra),
	}
	if !left.Has(wire.StopField) {
		b.Stop = r.Stop
	}
	for _, t := range r.Tools {
		b.Tools = append(b.Tools, tool{t.Name, t.Description, json.RawMessage(t.Schema)})
	}
	w := writer{marking: c.opts.Marks && !left.Has(wire.MarksField), messages: []message{}}
	for _, m := range r.Messages {
		if left.Has(wire.ImagesField) {
			m.Images = nil
		}
		w.add(m)
	}
	w.mark(c.opts.Lifetime >= time.Hour)
	b.System, b.Messages = w.system, w.messages
	c.think(b, r, left)
	if b.Thinking != nil && b.Thinking.Type != thinkingDisabled || left.Has(wire.TemperatureField) {
		c.DropSampling(b.extra)
	}
	return b
}

// thinkingDisabled is the type of thinking for a model that must not reason.
const thinkingDisabled = "disabled"

// think sets how much the model reasons, in the form that it takes.
func (c *Client) think(b *body, r chains.Request, left wire.OmittedFields) {
	adaptive := c.Facts(b.Model).Adaptive && !left.Has(wire.AdaptiveField) || left.Has(wire.BudgetField)
	switch {
	case r.Effort == "", left.Has(wire.EffortField), left.Has(wire.BudgetField) && left.Has(wire.AdaptiveField):
	case adaptive && r.Effort == chains.EffortOff:
		b.Thinking = &thinking{Type: thinkingDisabled}
	case adaptive:
		b.Thinking, b.Output = &thinking{Type: "adaptive", Display: "summarized"}, &output{r.Effort}
	case r.Effort != chains.EffortOff && !lacksThinking(r.Messages):
		if budget := min(cmp.Or(budgets[r.Effort], budgets["high"]), b.MaxTokens-minReply); budget >= minBudget {
			b.Thinking = &thinking{Type: "enabled", Budget: budget}
		}
	}
}

// maxTokens returns the limit of the reply: the requested one, or that of the model if it is smaller.
func (c *Client) maxTokens(model string, asked int) int {
	most := cmp.Or(c.Facts(model).MaxOutput, defaultMaxTokens)
	if asked > 0 && asked < most {
		return asked
	}
	return most
}

// lacksThinking reports whether the loop of this turn began without reasoning, or with another model, because the
// protocol does not allow reasoning to begin within a loop.
func lacksThinking(messages []prompt.Message) bool {
	for _, m := range slices.Backward(messages) {
		switch {
		case m.Role == prompt.User:
			return false
		case len(m.ToolCalls) > 0:
			return len(thoughts(m.Echo)) == 0
		}
	}
	return false
}

// writer translates the conversation.
type writer struct {
	marking  bool
	system   []any
	messages []message // consecutive messages of one role are one
	marked   []*block  // blocks at requested marks, in order
}

// add translates one message.
func (w *writer) add(m prompt.Message) {
	if m.Role == prompt.System {
		if strings.TrimSpace(m.Content) != "" {
			w.system = w.text(w.system, m)
		}
		return
	}
	role := "user"
	if m.Role == prompt.Assistant {
		role = "assistant"
	}
	if n := len(w.messages); n == 0 || w.messages[n-1].Role != role {
		w.messages = append(w.messages, message{Role: role})
	}
	at := &w.messages[len(w.messages)-1]
	blocks := at.Content
	switch m.Role {
	case prompt.ToolRole:
		result := &block{Type: "tool_result", ToolUseID: m.ToolCallID, Content: m.Content}
		if strings.TrimSpace(m.Content) == "" {
			result.Content = wire.NoWords(m.Role)
		}
		if blocks = append(blocks, result); slices.ContainsFunc(m.Parts, func(p prompt.Part) bool { return p.Mark }) {
			w.marked = append(w.marked, result)
		}
	case prompt.Assistant:
		for _, raw := range thoughts(m.Echo) {
			blocks = append(blocks, raw)
		}
		if len(m.ToolCalls) == 0 || strings.TrimSpace(m.Content) != "" {
			blocks = w.text(blocks, m)
		}
		for _, call := range m.ToolCalls {
			blocks = append(blocks, &block{
				Type: "tool_use", ID: call.ID, Name: call.Name, Input: wire.Object(call.Arguments),
			})
		}
	default:
		blocks = append(blocks, images(m.Images)...)
		if len(m.Images) == 0 || m.Content != "" {
			blocks = w.text(blocks, m)
		}
	}
	at.Content = blocks
}

// text adds the text of a message, cut where the prompt is. A blank piece is joined with the one before or after
// it.
func (w *writer) text(blocks []any, m prompt.Message) []any {
	if !w.marking {
		m.Parts = nil
	}
	var last *block
	held := "" // blank text
	for piece, mark := range wire.Pieces(m.Content, m.Parts) {
		if held += piece; strings.TrimSpace(held) == "" {
			continue
		}
		last = &block{Type: "text", Text: held}
		if blocks, held = append(blocks, last), ""; mark {
			w.marked = append(w.marked, last)
		}
	}
	if last == nil {
		return append(blocks, &block{Type: "text", Text: wire.NoWords(m.Role)})
	}
	last.Text += held
	return blocks
}

// mark sets the cache marks. If there are too many, it keeps the first, which is the most stable, and the last
// ones.
func (w *writer) mark(hour bool) {
	if !w.marking {
		return
	}
	if n := len(w.marked); n > maxMarks {
		w.marked = slices.Delete(w.marked, 1, n-maxMarks+1)
	}
	for _, b := range w.marked {
		b.Control = &control{Type: "ephemeral"}
		if hour {
			b.Control.TTL = "1h"
		}
	}
}

// images returns images as blocks: bytes as base64, others by their address.
func images(all []prompt.Image) (blocks []any) {
	for _, img := range all {
		switch {
		case len(img.Data) > 0:
			kind, data := wire.ImageData(img)
			blocks = append(blocks, &block{Type: "image", Source: &source{Type: "base64", MediaType: kind, Data: data}})
		case img.URL != "":
			blocks = append(blocks, &block{Type: "image", Source: &source{Type: "url", URL: img.URL}})
		}
	}
	return blocks
}

// thoughts returns the blocks of reasoning in the Echo of a message unchanged, none if it is from another protocol.
func thoughts(echo string) []json.RawMessage {
	var e struct {
		Thinking []json.RawMessage `json:"thinking"`
	}
	wire.Decode([]byte(echo), &e)
	return e.Thinking
}
