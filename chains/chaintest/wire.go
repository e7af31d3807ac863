package chaintest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"ibid/chains"
)

// wireRequest has the fields that the server reads of a request.
type wireRequest struct {
	Model         string        `json:"model"`
	Messages      []wireMessage `json:"messages"`
	Stream        bool          `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Tools     json.RawMessage `json:"tools"`
	Effort    string          `json:"reasoning_effort"`
	ExtraBody struct {
		Google struct {
			Content string `json:"cached_content"`
		} `json:"google"`
	} `json:"extra_body"`

	protocol protocol
	kept     int // tokens of the content that it names
	window   int // of the model that reads it, 0 if nothing is said about one
}

// protocol is the protocol of a request.
type protocol int

const (
	openaiProtocol protocol = iota
	anthropicProtocol
	ollamaProtocol
	responsesProtocol
)

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  json.RawMessage `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

// part is a piece of a message.
type part struct {
	Text       string          `json:"text"`
	ImageURL   json.RawMessage `json:"image_url"`
	Control    json.RawMessage `json:"cache_control"`
	Breakpoint json.RawMessage `json:"prompt_cache_breakpoint"`
}

// text returns a message as text, in which tokens are counted: its words, and the rest of its
// content in a form of our own. The division into parts and the cache marks make no difference.
func (m *wireMessage) text() string { return m.cut().text }

// imageBytes is the number of bytes that every image counts as: 1,000 tokens.
const imageBytes = 4000

// cut returns the message in the form that the cache compares.
func (m *wireMessage) cut() message {
	out := message{role: m.Role}
	for i, p := range m.parts() {
		out.text += p.Text
		if len(p.ImageURL) > 0 {
			out.text += fmt.Sprintf("%-*x", imageBytes, sha256.Sum256(p.ImageURL))
		}
		if p.Control != nil || p.Breakpoint != nil {
			out.marks, out.blocks = append(out.marks, len(out.text)), append(out.blocks, i+1)
		}
	}
	out.text += string(m.ToolCalls) + m.ToolCallID
	return out
}

// words returns the text by a person or a model.
func (m *wireMessage) words() string {
	var b strings.Builder
	for _, p := range m.parts() {
		b.WriteString(p.Text)
		b.Write(p.ImageURL)
	}
	return b.String()
}

func (m *wireMessage) parts() []part {
	var parts []part
	var plain string
	switch {
	case bytes.HasPrefix(m.Content, []byte(`"`)) && json.Unmarshal(m.Content, &plain) == nil:
		return []part{{Text: plain}}
	case len(m.Content) == 0, string(m.Content) == "null":
	case json.Unmarshal(m.Content, &parts) != nil:
		return []part{{Text: string(m.Content)}}
	}
	return parts
}

// question returns the last line of the last message of the person with words.
func (r *wireRequest) question() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role != "user" {
			continue
		}
		lines := strings.Split(strings.TrimSpace(r.Messages[i].words()), "\n")
		return strings.TrimSpace(lines[len(lines)-1])
	}
	return ""
}

// echo returns the answer without a script: the same for the same request, and different from
// turn to turn.
func (r *wireRequest) echo() string {
	turn := 0
	for _, m := range r.Messages {
		if m.Role == "user" {
			turn++
		}
	}
	question := []rune(r.question())
	if len(question) > 200 {
		question = append(question[:200], '…')
	}
	return fmt.Sprintf("Reply %d to: %s", turn, string(question))
}

// object is a JSON object; encoding/json sorts its keys, so that the same reply is the same
// bytes.
type object = map[string]any

// reply is a reply while it is written.
type reply struct {
	id      string
	model   string
	answer  *Answer
	usage   object        // nil if none is sent
	counted *chains.Usage // what usage says
}

// replyTime is the time of every reply: a constant, so that the same reply is the same bytes.
const replyTime = 1_767_225_600

// chunkSize is the number of characters of a chunk, unless an answer has another.
const chunkSize = 12

// frames returns the events of the reply as a stream, each with its blank line.
func (w *reply) frames() [][]byte {
	a := w.answer
	size := a.Chunk
	if size <= 0 {
		size = chunkSize
	}
	all := [][]byte{w.delta(object{"role": "assistant", "content": ""}, nil)}
	for _, p := range split(a.Reasoning, size) {
		all = append(all, w.delta(object{"reasoning_content": p}, nil))
	}
	for _, p := range split(a.Text, size) {
		all = append(all, w.delta(object{"content": p}, nil))
	}
	for i, c := range a.ToolCalls {
		head := object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}
		all = append(all, w.delta(object{"tool_calls": []object{head}}, nil))
		for _, p := range split(c.Arguments, size) {
			tail := object{"index": i, "function": object{"arguments": p}}
			all = append(all, w.delta(object{"tool_calls": []object{tail}}, nil))
		}
	}
	if a.ErrorFrame != "" {
		return append(all, fmt.Appendf(nil, "event: error\ndata: {\"error\":%s}\n\n", a.ErrorFrame))
	}
	all = append(all, w.delta(object{}, w.finish()))
	if w.usage != nil {
		o := w.chunk([]object{})
		o["usage"] = w.usage
		all = append(all, event(o))
	}
	return append(all, []byte("data: [DONE]\n\n"))
}

func (w *reply) finish() string {
	switch {
	case w.answer.Finish != "":
		return w.answer.Finish
	case len(w.answer.ToolCalls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (w *reply) chunk(choices []object) object {
	return object{
		"id": w.id, "object": "chat.completion.chunk", "created": replyTime, "model": w.model, "choices": choices,
	}
}

func (w *reply) delta(delta object, finish any) []byte {
	return event(w.chunk([]object{{"index": 0, "delta": delta, "finish_reason": finish}}))
}

func event(o object) []byte { return fmt.Appendf(nil, "data: %s\n\n", encode(o)) }

// encode marshals an object of strings, numbers and objects, for which there is no error.
func encode(o object) []byte {
	data, err := json.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("chaintest: encode a reply: %v", err))
	}
	return data
}
