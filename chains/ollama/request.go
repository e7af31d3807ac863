package ollama

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// body is the body of a request.
type body struct {
	Model     string         `json:"model"`
	Messages  []message      `json:"messages"`
	Tools     []tool         `json:"tools,omitempty"`
	Stream    bool           `json:"stream"`
	Think     any            `json:"think,omitempty"` // a bool or a level
	KeepAlive string         `json:"keep_alive"`
	Truncate  bool           `json:"truncate"` // cut prompts that are too long
	Shift     bool           `json:"shift"`    // drop the beginning when the window is full
	Options   map[string]any `json:"options"`
}

type message struct {
	Role      string   `json:"role"`
	Content   string   `json:"content"`
	Thinking  string   `json:"thinking,omitempty"`
	Images    [][]byte `json:"images,omitempty"` // encoding/json encodes bytes as base64
	ToolCalls []call   `json:"tool_calls,omitempty"`
	ToolName  string   `json:"tool_name,omitempty"` // of a result
}

type call struct {
	Function function `json:"function"`
}

type function struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // an object
}

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// echo is the reasoning of a reply with calls, which goes back within the turn.
type echo struct {
	Thinking string `json:"thinking,omitempty"`
}

// encodeRequest translates r. The result depends only on r, the options, the window, the omitted fields and the
// description of the model.
func (c *Client) encodeRequest(r chains.Request, window int, left wire.OmittedFields) []byte {
	b := body{
		Model: r.Model, Messages: messages(r.Messages, left), Stream: true,
		KeepAlive: cmp.Or(c.opts.KeepAlive, keepAlive).Round(time.Second).String(),
		Options:   map[string]any{"num_ctx": window},
	}
	if !left.Has(wire.EffortField) {
		b.Think = c.think(r)
	}
	if r.MaxTokens > 0 {
		b.Options["num_predict"] = r.MaxTokens
	}
	if len(r.Stop) > 0 {
		b.Options["stop"] = slices.Concat(c.stops(r.Model), r.Stop)
	}
	for _, s := range r.Tools {
		t := tool{Type: "function"}
		t.Function.Name, t.Function.Description, t.Function.Parameters = s.Name, s.Description,
			json.RawMessage(s.Schema)
		b.Tools = append(b.Tools, t)
	}
	extra := maps.Clone(c.opts.Extra)
	if more, ok := extra["options"].(map[string]any); ok {
		maps.Copy(b.Options, more)
		delete(extra, "options")
	}
	if warm, ok := extra["temperature"]; ok {
		b.Options["temperature"] = warm
		delete(extra, "temperature")
	}
	return wire.Encode(b, extra)
}

// fields returns the fields of a request that some models refuse.
func (c *Client) fields(r chains.Request) []wire.Field {
	return c.FieldsOf(r,
		map[wire.Field]bool{wire.EffortField: c.think(r) != nil, wire.StopField: false, wire.TemperatureField: false})
}

// think returns the value for the field think, nil for none.
func (c *Client) think(r chains.Request) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model(r.Model)
	switch {
	case !m.info.Thinks:
		return nil
	case r.Effort == chains.EffortOff:
		return false
	// the only family with levels
	case r.Effort != "" && strings.Contains(strings.ReplaceAll(m.family, "-", ""), "gptoss"):
		return r.Effort
	}
	return true
}

// stops returns the stop sequences of the model, which those of a request would replace.
func (c *Client) stops(name string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model(name).stops
}

// messages translates the conversation.
func messages(all []prompt.Message, left wire.OmittedFields) []message {
	tools := map[string]string{} // name of the tool of each call
	out := make([]message, 0, len(all))
	for _, m := range all {
		to := message{Role: string(m.Role), Content: m.Content, ToolName: tools[m.ToolCallID]}
		for _, img := range m.Images {
			if len(img.Data) > 0 && !left.Has(wire.ImagesField) {
				to.Images = append(to.Images, img.Data)
			}
		}
		var e echo // stays empty if it is from another protocol
		wire.Decode([]byte(m.Echo), &e)
		to.Thinking = e.Thinking
		for _, tc := range m.ToolCalls {
			tools[tc.ID] = tc.Name
			to.ToolCalls = append(to.ToolCalls, call{function{tc.Name, wire.Object(tc.Arguments)}})
		}
		out = append(out, to)
	}
	return out
}

// unsentImages returns a notice if a request has images that are only addresses, which are not sent, else "".
func (c *Client) unsentImages(r chains.Request) string {
	for _, m := range r.Messages {
		for _, img := range m.Images {
			if len(img.Data) == 0 {
				return fmt.Sprintf("Images on the web are not sent: %s fetches none.", c.Name())
			}
		}
	}
	return ""
}
