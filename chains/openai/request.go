package openai

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// The fields for cache marks, see wire.Facts.
const (
	MarkNone         = ""
	MarkCacheControl = "cache_control"           // Claude, and Gemini and Qwen through OpenRouter
	MarkBreakpoint   = "prompt_cache_breakpoint" // OpenAI's models from GPT-5.6 on
)

// maxBreakpoints is the number of marks that OpenAI takes besides the one that it sets itself, at the end of the
// latest message.
const maxBreakpoints = 3

// wireRequest is a request ready to be sent: go-openai builds the frame, and extra is merged over that.
type wireRequest struct {
	frame  oai.ChatCompletionRequest
	extra  map[string]any
	header http.Header
}

// frameModel is the name of the model in the frame. go-openai checks requests by the name of the model, whatever
// the server is, and has no check for this name.
const frameModel = "model"

// message is go-openai's message with further fields in parts and calls.
type message struct {
	Role             string            `json:"role"`
	Content          any               `json:"content,omitempty"` // a string or []contentPart
	ReasoningContent string            `json:"reasoning_content,omitempty"`
	Reasoning        string            `json:"reasoning,omitempty"`
	ToolCalls        []toolCall        `json:"tool_calls,omitempty"`
	ToolCallID       string            `json:"tool_call_id,omitempty"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details,omitempty"`
}

type contentPart struct {
	oai.ChatMessagePart
	CacheControl json.RawMessage                    `json:"cache_control,omitempty"`
	Breakpoint   *oai.ResponsePromptCacheBreakpoint `json:"prompt_cache_breakpoint,omitempty"`
}

type toolCall struct {
	oai.ToolCall
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

// wireChat translates r, without the omitted fields. The result depends only on these and the options, so that
// equal prompts are equal bytes.
func (c *Client) wireChat(r chains.Request, left wire.OmittedFields) *wireRequest {
	w := &wireRequest{
		frame: oai.ChatCompletionRequest{Model: frameModel},
		extra: map[string]any{"model": r.Model, "messages": c.wireMessages(r, left)},
	}
	switch {
	case left.Has(wire.StreamField):
		w.extra["stream"] = false
	case !left.Has(wire.UsageField):
		w.frame.StreamOptions = &oai.StreamOptions{IncludeUsage: true}
	}
	maps.Copy(w.extra, c.opts.Extra)
	c.wireMaxTokens(w, r.MaxTokens, left.Has(wire.MaxTokensField))
	if left.Has(wire.TemperatureField) || c.isOpenAI() && c.Facts(r.Model).Thinks && r.Effort != chains.EffortOff {
		c.DropSampling(w.extra)
	}
	if !left.Has(wire.StopField) {
		w.frame.Stop = r.Stop
	}
	if !left.Has(wire.EffortField) {
		c.wireEffort(w, r.Effort)
	}
	for _, t := range r.Tools {
		w.frame.Tools = append(w.frame.Tools, oai.Tool{Type: oai.ToolTypeFunction, Function: &oai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: json.RawMessage(t.Schema),
		}})
	}
	if !left.Has(wire.CacheKeyField) {
		c.wireCacheKey(w, r.CacheKey)
	}
	return w
}

// chatFields returns the fields of a request that some servers refuse.
func (c *Client) chatFields(r chains.Request) []wire.Field {
	return c.FieldsOf(r, map[wire.Field]bool{
		wire.UsageField: true, wire.StreamField: true,
		wire.SystemField: slices.ContainsFunc(r.Messages, func(m prompt.Message) bool {
			return m.Role == prompt.System
		}),
		wire.ReasoningField: slices.ContainsFunc(r.Messages, func(m prompt.Message) bool { return m.Echo != "" }),
		wire.MaxTokensField: r.MaxTokens > 0,
		wire.MarksField:     c.Facts(r.Model).Marks != MarkNone,
		wire.CacheKeyField:  c.opts.SendCacheKey && c.Provider.CacheKey != "",
	})
}

// wireMaxTokens sets the limit of a reply under the name that the server takes, or with other under the other name.
func (c *Client) wireMaxTokens(w *wireRequest, most int, other bool) {
	if c.isOpenAI() != other {
		w.frame.MaxCompletionTokens = most
	} else {
		//lint:ignore SA1019 Servers other than OpenAI's know this name.
		w.frame.MaxTokens = most
	}
}

// wireEffort sets how much the model reasons, in the provider's form.
func (c *Client) wireEffort(w *wireRequest, effort string) {
	off := effort == chains.EffortOff
	switch {
	case effort == "":
	case c.Provider.Effort == "thinking":
		w.extra["thinking"] = map[string]any{"type": map[bool]string{true: "disabled", false: "enabled"}[off]}
	case c.Provider.Effort == "enable_thinking":
		w.extra["enable_thinking"] = !off
	case c.Provider.Effort == "reasoning" && off:
		w.extra["reasoning"] = map[string]any{"enabled": false}
	case c.Provider.Effort == "reasoning":
		w.extra["reasoning"] = map[string]any{"effort": effort}
	case off:
		effort = "none"
		fallthrough
	default:
		if c.Provider.Effort == "think" { // Ollama, which has three levels
			w.extra["think"] = !off
			effort = cmp.Or(map[string]string{"minimal": "low", "xhigh": "high", "max": "high"}[effort], effort)
		}
		w.extra["reasoning_effort"] = effort
	}
}

// wireMessages translates the conversation. For a model that takes cache marks, it sends a message in the parts
// that it is cut into, else as one string.
func (c *Client) wireMessages(r chains.Request, left wire.OmittedFields) (all []message) {
	if left.Has(wire.SystemField) {
		r.Messages = systemAsUser(r.Messages)
	}
	messages, marks := c.markMessages(r, left)
	_, reasoned := c.needsReasoning.Load(r.Model)
	for _, m := range messages {
		out := wireMessage(m, marks, left)
		if reasoned && len(out.ToolCalls) > 0 {
			out.ReasoningContent = cmp.Or(out.ReasoningContent, out.Reasoning, " ")
		}
		all = append(all, out)
	}
	return all
}

// markMessages returns the messages with the cache marks that the model takes, and without omitted fields.
func (c *Client) markMessages(r chains.Request, left wire.OmittedFields) (messages []prompt.Message, marks string) {
	if !left.Has(wire.MarksField) {
		marks = c.Facts(r.Model).Marks
	}
	messages = slices.Clone(r.Messages)
	var set []*prompt.Part
	for i := range messages {
		m := &messages[i]
		if left.Has(wire.ImagesField) {
			m.Images = nil
		}
		if latest := i == len(messages)-1; marks == MarkNone || latest && marks == MarkBreakpoint {
			m.Parts = nil
			continue
		}
		m.Parts = slices.Clone(m.Parts)
		for j := range m.Parts {
			if m.Parts[j].Mark {
				set = append(set, &m.Parts[j])
			}
		}
	}
	if n := len(set); marks == MarkBreakpoint && n > maxBreakpoints {
		for _, part := range set[maxBreakpoints-1 : n-1] { // keep those of the system message and the last one
			part.Mark = false
		}
	}
	return messages, marks
}

// systemAsUser moves the text of the system message in front of the person's first message.
func systemAsUser(messages []prompt.Message) []prompt.Message {
	if len(messages) < 2 || messages[0].Role != prompt.System {
		return messages
	}
	system, first := messages[0], messages[1]
	if first.Role != prompt.User {
		system.Role = prompt.User
		return append([]prompt.Message{system}, messages[1:]...)
	}
	first.Content, first.Parts = system.Content+"\n\n"+first.Content, nil
	return append([]prompt.Message{first}, messages[2:]...)
}

// wireCacheKey sends the name of the conversation to a provider that routes by it.
func (c *Client) wireCacheKey(w *wireRequest, key string) {
	if !c.opts.SendCacheKey || key == "" || c.Provider.CacheKey == "" {
		return
	}
	if name, ok := strings.CutPrefix(c.Provider.CacheKey, "header:"); ok {
		w.header = http.Header{}
		w.header.Set(name, key)
		return
	}
	w.extra[c.Provider.CacheKey] = key
}

// wireMessage translates one message. It uses parts only for images and where the text is cut.
func wireMessage(m prompt.Message, marks string, left wire.OmittedFields) message {
	out := message{Role: string(m.Role), ToolCallID: m.ToolCallID}
	for _, call := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, toolCall{ToolCall: oai.ToolCall{
			ID: call.ID, Type: oai.ToolTypeFunction,
			Function: oai.FunctionCall{Name: call.Name, Arguments: cmp.Or(call.Arguments, "{}")},
		}})
	}
	out.addEcho(m.Echo, left)
	content := cmp.Or(m.Content, placeholder(m))
	var parts []contentPart
	for _, img := range m.Images {
		if at := imageURL(img); at != "" {
			parts = append(parts, contentPart{ChatMessagePart: oai.ChatMessagePart{
				Type: oai.ChatMessagePartTypeImageURL, ImageURL: &oai.ChatMessageImageURL{URL: at},
			}})
		}
	}
	if len(parts) == 0 && (len(m.Parts) == 0 || m.Content == "") {
		if content != "" {
			out.Content = content
		}
		return out
	}
	for text, mark := range wire.Pieces(content, m.Parts) {
		part := contentPart{ChatMessagePart: oai.ChatMessagePart{Type: oai.ChatMessagePartTypeText, Text: text}}
		switch {
		case mark && marks == MarkBreakpoint:
			part.Breakpoint = &oai.ResponsePromptCacheBreakpoint{Mode: explicitMode}
		case mark:
			part.CacheControl = json.RawMessage(`{"type":"ephemeral"}`)
		}
		parts = append(parts, part)
	}
	out.Content = parts
	return out
}

// explicitMode is the mode of a cache mark.
const explicitMode = "explicit"

// placeholder returns the text for an empty message, "" if the message needs none. go-openai would leave the key
// out, and servers refuse a message without it.
func placeholder(m prompt.Message) string {
	if len(m.ToolCalls)+len(m.Images) > 0 {
		return ""
	}
	return wire.NoWords(m.Role)
}

// imageURL returns the URL of an image: a data URI for bytes, else its address.
func imageURL(img prompt.Image) string {
	if len(img.Data) == 0 {
		return img.URL
	}
	kind, data := wire.ImageData(img)
	return "data:" + kind + ";base64," + data
}
