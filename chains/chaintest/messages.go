package chaintest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// messagesRequest has the fields that the server reads of a request in Anthropic's protocol.
type messagesRequest struct {
	Model     string          `json:"model"`
	MaxTokens int             `json:"max_tokens"`
	System    []contentBlock  `json:"system"`
	Tools     json.RawMessage `json:"tools"`
	Stream    bool            `json:"stream"`
	Messages  []struct {
		Role    string         `json:"role"`
		Content []contentBlock `json:"content"`
	} `json:"messages"`
}

// contentBlock is a block of any type.
type contentBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Control json.RawMessage `json:"cache_control"`
}

// UnmarshalJSON reads a block. The text of a block without text is its JSON.
func (b *contentBlock) UnmarshalJSON(raw []byte) error {
	type fields contentBlock
	if err := json.Unmarshal(raw, (*fields)(b)); err != nil {
		return err
	}
	if b.Text == "" {
		var rest map[string]json.RawMessage
		if err := json.Unmarshal(raw, &rest); err != nil {
			return err
		}
		delete(rest, "cache_control")
		b.Text = string(encode(object{"block": rest}))
	}
	return nil
}

// read returns the request in the form in which tokens are counted.
func (m *messagesRequest) read() *wireRequest {
	r := &wireRequest{Model: m.Model, Stream: m.Stream, Tools: m.Tools}
	r.StreamOptions.IncludeUsage = true
	add := func(role string, blocks []contentBlock) {
		var parts []object
		for _, b := range blocks {
			p := object{"text": b.Text}
			if b.Control != nil {
				p["cache_control"] = b.Control
			}
			parts = append(parts, p)
		}
		doc, err := json.Marshal(parts)
		if err != nil {
			panic(fmt.Sprintf("chaintest: encode a request: %v", err)) // made of what was decoded
		}
		r.Messages = append(r.Messages, wireMessage{Role: role, Content: doc})
	}
	if len(m.System) > 0 {
		add("system", m.System)
	}
	for _, t := range m.Messages {
		add(t.Role, t.Content)
	}
	return r
}

// wrong names the part of the request that the protocol does not allow, "" if there is none.
func (m *messagesRequest) wrong() string {
	marks := 0
	count := func(blocks []contentBlock) {
		for _, b := range blocks {
			if b.Control != nil {
				marks++
			}
		}
	}
	count(m.System)
	for i, t := range m.Messages {
		count(t.Content)
		switch {
		case len(t.Content) == 0:
			return fmt.Sprintf("messages.%d: all messages must have non-empty content", i)
		case i == 0 && t.Role != "user":
			return "messages: first message must use the user role"
		case i > 0 && t.Role == m.Messages[i-1].Role:
			return "messages: roles must alternate"
		}
	}
	switch {
	case m.MaxTokens <= 0:
		return "max_tokens: field required"
	case len(m.Messages) == 0:
		return "messages: at least one message is required"
	case marks > 4:
		return fmt.Sprintf("a maximum of 4 blocks with cache_control may be provided, found %d", marks)
	case !m.Stream:
		return "this server only streams"
	}
	return ""
}

// message answers a request in Anthropic's protocol.
func (s *Server) message(w http.ResponseWriter, r *http.Request) {
	var req messagesRequest
	wrong := ""
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		wrong = err.Error()
	} else {
		wrong = req.wrong()
	}
	if wrong != "" || r.Header.Get("Anthropic-Version") == "" {
		s.send(w, r, Answer{Status: http.StatusBadRequest, Body: string(encode(object{"type": "error", "error": object{"type": "invalid_request_error", "message": wrong}}))}, nil)
		return
	}
	read := req.read()
	read.protocol = anthropicProtocol
	s.send(w, r, s.next(), read)
}

// events returns the reply as a stream in Anthropic's protocol.
func (w *reply) events() [][]byte {
	a, size := w.answer, w.answer.Chunk
	if size <= 0 {
		size = chunkSize
	}
	usage := object{"input_tokens": 0, "output_tokens": 0}
	if u := w.counted; u != nil {
		cached, written := max(0, u.Cached), max(0, u.CacheWrite)
		usage = object{
			"input_tokens": u.Prompt - cached - written, "output_tokens": 1,
			"cache_read_input_tokens": cached, "cache_creation_input_tokens": written,
		}
	}
	all := [][]byte{nameEvent(object{"type": "message_start", "message": object{"id": w.id, "type": "message", "role": "assistant", "model": w.model, "content": []object{}, "usage": usage}})}
	n := 0
	block := func(begin object, kind, field, text string, more ...object) {
		all = append(all, nameEvent(object{"type": "content_block_start", "index": n, "content_block": begin}))
		for _, p := range split(text, size) {
			all = append(all, nameEvent(object{"type": "content_block_delta", "index": n, "delta": object{"type": kind, field: p}}))
		}
		for _, d := range more {
			all = append(all, nameEvent(object{"type": "content_block_delta", "index": n, "delta": d}))
		}
		all = append(all, nameEvent(object{"type": "content_block_stop", "index": n}))
		n++
	}
	if a.Reasoning != "" {
		block(object{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", a.Reasoning,
			object{"type": "signature_delta", "signature": fmt.Sprintf("signed %d", len(a.Reasoning))})
	}
	if a.Text != "" {
		block(object{"type": "text", "text": ""}, "text_delta", "text", a.Text)
	}
	for _, c := range a.ToolCalls {
		block(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}, "input_json_delta", "partial_json", c.Arguments)
	}
	if a.ErrorFrame != "" {
		return append(all, fmt.Appendf(nil, "event: error\ndata: {\"type\":\"error\",\"error\":%s}\n\n", a.ErrorFrame))
	}
	output := 0
	if w.counted != nil {
		output = w.counted.Completion
	}
	finish := a.Finish
	switch {
	case finish != "":
	case len(a.ToolCalls) > 0:
		finish = "tool_use"
	default:
		finish = "end_turn"
	}
	return append(all,
		nameEvent(object{"type": "message_delta", "delta": object{"stop_reason": finish, "stop_sequence": nil}, "usage": object{"output_tokens": output}}),
		nameEvent(object{"type": "message_stop"}))
}

// nameEvent returns an event with its name in front, in Anthropic's form.
func nameEvent(o object) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", o["type"], encode(o))
}
