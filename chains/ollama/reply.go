package ollama

import (
	"bytes"
	"encoding/json"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// reply decodes one reply from its chunks.
type reply struct {
	calls   []prompt.ToolCall
	thought strings.Builder
	reason  string
	ended   bool // the server said that the reply is complete
}

// chunk is one line of a reply, or a whole reply that was not streamed.
type chunk struct {
	Message *struct {
		Content   string          `json:"content"`
		Thinking  string          `json:"thinking"`
		ToolCalls json.RawMessage `json:"tool_calls"`
	} `json:"message"`
	Done   bool            `json:"done"`
	Reason string          `json:"done_reason"`
	Prompt wire.Number     `json:"prompt_eval_count"`
	Reply  wire.Number     `json:"eval_count"`
	Error  json.RawMessage `json:"error"`
}

// Chunk implements wire.Decoder.
func (r *reply) Chunk(in *wire.IncomingReply, raw []byte) (d chains.Delta) {
	var c chunk
	if !wire.Decode(raw, &c) {
		in.KeepAlien(raw)
		return d
	}
	if m := c.Message; m != nil {
		d.Text, d.Reasoning = m.Content, m.Thinking
		r.thought.WriteString(m.Thinking)
		for raw := range wire.Elements(m.ToolCalls) {
			var c struct {
				ID       string   `json:"id"`
				Function function `json:"function"`
			}
			if wire.Decode(raw, &c) && c.Function.Name != "" && in.Call() {
				r.calls = append(r.calls,
					prompt.ToolCall{
						ID: c.ID, Name: c.Function.Name, Arguments: arguments(c.Function.Arguments),
						TooLong: in.Argument(len(raw)),
					})
			}
		}
	}
	if c.Done {
		r.ended, r.reason = true, c.Reason
		in.Usage = usage(&c)
		in.Finishing()
	}
	switch {
	case wire.IsPresent(c.Error) && string(c.Error) != `""`:
		in.Fail(raw)
	case c.Message == nil && !c.Done && !in.Shown:
		in.KeepAlien(raw)
	}
	return d
}

// arguments returns the arguments of a call: an object, or one in a string.
func arguments(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if raw = bytes.TrimSpace(raw); !wire.IsPresent(raw) {
		return "{}"
	}
	return string(raw)
}

// usage returns the usage at the end of a reply. Cached tokens are part of the prompt and not reported separately.
// Older servers leave the prompt out if all of it was cached.
func usage(c *chunk) *chains.Usage {
	if !c.Prompt.Set && !c.Reply.Set {
		return nil
	}
	return &chains.Usage{
		Prompt: c.Prompt.Count(), Cached: -1, CacheWrite: -1, Completion: c.Reply.Count(),
		Reasoning: -1, Cost: -1,
	}
}

// End implements wire.Decoder.
func (r *reply) End(in *wire.IncomingReply, last wire.Frame) (chains.Delta, error) {
	if !in.Said && len(r.calls) == 0 && (r.reason == "load" || r.reason == "unload") {
		return chains.Delta{Usage: in.Usage},
			&chains.ProviderError{
				Kind: chains.ErrServer, Retryable: true,
				Message: "The server loaded the model and sent no reply. Try again in a moment; your message is kept.",
			}
	}
	return in.Over(last, r.ended, r.reason, r.calls, func() string {
		if r.thought.Len() == 0 {
			return ""
		}
		return string(wire.Marshal(echo{Thinking: r.thought.String()}))
	})
}
