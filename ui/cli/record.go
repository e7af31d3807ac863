package cli

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"sync/atomic"

	"ibid/chains"
	"ibid/chains/openai"
)

// recorded writes the requests and replies of a model that uses no wire, so
// that --record shows the same with every model.
type recorded struct {
	chains.Model
	to *openai.DirRecorder
	n  atomic.Int64
}

// Stream implements chains.Model.
func (m *recorded) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		n := m.n.Add(1)
		m.note(n, "request", request(r), yield)
		var reply strings.Builder
		defer func() { _ = m.to.Record(n, "reply", []byte(reply.String())) }() // the request told of a folder that cannot be written
		for d, err := range m.Model.Stream(ctx, r) {
			reply.WriteString(d.Text)
			if !yield(d, err) {
				return
			}
		}
	}
}

// note records and says so if that fails.
func (m *recorded) note(n int64, kind string, body []byte, yield func(chains.Delta, error) bool) {
	if err := m.to.Record(n, kind, body); err != nil {
		yield(chains.Delta{Notice: err.Error()}, nil)
	}
}

// request is a request in the shape that it would have on the wire.
func request(r chains.Request) []byte {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body := struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}{Model: r.Model}
	for _, m := range r.Messages {
		body.Messages = append(body.Messages, message{string(m.Role), m.Content})
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil // strings can always be written
	}
	return data
}
