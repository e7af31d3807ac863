package openai

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// wireResponse translates r for the Responses API, without the omitted fields: go-openai builds the frame, and
// extra is merged over that. The server stores nothing of it.
func (c *Client) wireResponse(r chains.Request, left wire.OmittedFields) (frame oai.CreateResponseRequest,
	extra map[string]any,
) {
	extra = maps.Clone(c.opts.Extra)
	frame.Model, frame.Store = r.Model, new(bool)
	if !left.Has(wire.MaxTokensField) {
		frame.MaxOutputTokens = r.MaxTokens
	}
	thinks := c.Facts(r.Model).Thinks
	if thinks {
		frame.Include = []oai.ResponseInclude{oai.ResponseIncludeReasoningEncryptedContent}
		frame.Reasoning = reasoningOf(r.Effort, left)
	}
	if thinks && r.Effort != chains.EffortOff || left.Has(wire.TemperatureField) {
		c.DropSampling(extra)
	}
	for _, t := range r.Tools {
		// Strict is the server's default, and would make every argument required.
		frame.Tools = append(frame.Tools, oai.ResponseTool{Type: oai.ToolTypeFunction, Parameters: map[string]any{
			"name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Schema), "strict": false,
		}})
	}
	messages, marks := c.markMessages(r, left)
	var input []any
	for _, m := range messages {
		input = append(input, c.inputItems(m, r.Model, marks)...)
	}
	frame.Input = input
	if !left.Has(wire.CacheKeyField) && c.opts.SendCacheKey {
		frame.PromptCacheKey = r.CacheKey
	}
	return frame, extra
}

// reasoningOf returns the effort and the request for a summary of the reasoning, nil for neither.
func reasoningOf(effort string, left wire.OmittedFields) *oai.ResponseReasoning {
	var r oai.ResponseReasoning
	if !left.Has(wire.SummaryField) {
		r.Summary = "auto"
	}
	if effort == chains.EffortOff {
		r.Effort = oai.ReasoningEffortNone
	} else if !left.Has(wire.EffortField) {
		r.Effort = effort
	}
	if r == (oai.ResponseReasoning{}) {
		return nil
	}
	return &r
}

// responseFields returns the fields of a request that some servers refuse.
func (c *Client) responseFields(r chains.Request) []wire.Field {
	facts := c.Facts(r.Model)
	return c.FieldsOf(r, map[wire.Field]bool{
		wire.StopField:      false, // the protocol has none
		wire.MaxTokensField: r.MaxTokens > 0,
		wire.SummaryField:   facts.Thinks,
		wire.EffortField:    facts.Thinks && r.Effort != "",
		wire.MarksField:     facts.Marks != MarkNone,
		wire.CacheKeyField:  c.opts.SendCacheKey,
	})
}

// callItem is a call of a tool in the input.
type callItem struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// inputItems translates one message to a model.
func (c *Client) inputItems(m prompt.Message, model string, marks string) (items []any) {
	content := cmp.Or(m.Content, placeholder(m))
	switch m.Role {
	case prompt.ToolRole:
		output := oai.ResponseFunctionCallOutput{Type: "function_call_output", CallID: m.ToolCallID, Output: content}
		if slices.ContainsFunc(m.Parts, func(p prompt.Part) bool { return p.Mark }) {
			output.Output = inputTexts("input_text", content, m.Parts, marks)
		}
		return []any{output}
	case prompt.Assistant:
		for _, raw := range c.reasoningItems(m.Echo, model) {
			items = append(items, raw)
		}
		if content != "" {
			items = append(items, inputMessage(m.Role, inputTexts("output_text", content, m.Parts, marks)))
		}
		for _, call := range m.ToolCalls {
			items = append(items, callItem{"function_call", call.ID, call.Name, cmp.Or(call.Arguments, "{}")})
		}
		return items
	case prompt.System:
		return []any{inputMessage("developer", inputTexts("input_text", content, m.Parts, marks))}
	}
	var parts []any
	for _, img := range m.Images {
		if at := imageURL(img); at != "" {
			parts = append(parts, oai.ResponseInputImage{Type: "input_image", Detail: "auto", ImageURL: at})
		}
	}
	return []any{inputMessage(m.Role, append(parts, inputTexts("input_text", content, m.Parts, marks)...))}
}

// inputMessage returns a message of the input.
func inputMessage(role prompt.Role, parts []any) oai.ResponseInputMessage {
	return oai.ResponseInputMessage{Type: "message", Role: string(role), Content: parts}
}

// inputTexts returns a text in the parts that it is cut into.
func inputTexts(kind, text string, cuts []prompt.Part, marks string) (parts []any) {
	for piece, mark := range wire.Pieces(text, cuts) {
		part := oai.ResponseInputText{Type: kind, Text: piece}
		if mark && marks == MarkBreakpoint {
			part.PromptCacheBreakpoint = &oai.ResponsePromptCacheBreakpoint{Mode: explicitMode}
		}
		parts = append(parts, part)
	}
	return parts
}

// responseEcho is the reasoning of a reply with calls. Encoded as JSON it is the Echo of a message, which goes back
// to the same model within the turn.
type responseEcho struct {
	From  string            `json:"from"`
	Items []json.RawMessage `json:"reasoning_items"`
}

// reasoningItems returns the reasoning items in the Echo of a message unchanged, none if they come from another
// server or model.
func (c *Client) reasoningItems(said, model string) []json.RawMessage {
	var e responseEcho
	if !wire.Decode([]byte(said), &e) || e.From != c.origin(model) {
		return nil
	}
	return e.Items
}

// origin identifies a model of this server.
func (c *Client) origin(model string) string { return c.address() + " " + model }
