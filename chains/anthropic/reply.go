package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// reply puts one reply together from its events.
type reply struct {
	before *chains.Usage // of the parts of the reply before a pause, nil if there are none
	goesOn bool          // a pause is followed by another part

	blocks []*received
	counts counts
	some   bool // counts were reported
	reason string
	ended  bool // the server said that the reply is whole
	paused bool
}

// received is a block of the reply, as far as it came.
type received struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"` // of thinking that the server keeps to itself
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`

	index  int
	more   []byte // of Text, Thinking or Input
	signed []byte // of Signature
	long   bool   // there is no room for Input
}

// maxBlocks is how many blocks of a reply are kept.
const maxBlocks = 1000

// counts is a report of usage. Each names what changed since the one before.
type counts struct {
	Input  *int `json:"input_tokens"`
	Write  *int `json:"cache_creation_input_tokens"`
	Read   *int `json:"cache_read_input_tokens"`
	Output *int `json:"output_tokens"`
}

// event is any event of a reply, or a whole reply that was not streamed.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Usage counts `json:"usage"`
	} `json:"message"`
	Block *received `json:"content_block"`
	Delta struct {
		Type      string `json:"type"`
		Text      string `json:"text"`
		Thinking  string `json:"thinking"`
		Signature string `json:"signature"`
		Partial   string `json:"partial_json"`
		Reason    string `json:"stop_reason"`
	} `json:"delta"`
	Usage   counts          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Content json.RawMessage `json:"content"`
	Reason  string          `json:"stop_reason"`
}

// Chunk implements wire.Decoder.
func (r *reply) Chunk(in *wire.Incoming, raw []byte) (d chains.Delta) {
	var e event
	if !wire.Decode(raw, &e) {
		in.KeepAlien(raw)
		return d
	}
	switch e.Type {
	case "message_start":
		r.report(e.Message.Usage)
	case "content_block_start":
		if e.Block != nil {
			e.Block.index = e.Index
			d = r.begin(in, e.Block)
		}
	case "content_block_delta":
		d = r.goOn(in, &e)
	case "message_delta":
		r.reason = cmp.Or(e.Delta.Reason, r.reason)
		r.report(e.Usage)
	case "message_stop":
		r.ended = true
		in.Finishing()
	case "message": // the server did not stream
		r.reason, r.ended = e.Reason, true
		r.report(e.Usage)
		d = r.whole(in, e.Content)
	case "content_block_stop", "ping":
	default:
		if e.Type == "error" || wire.Present(e.Error) {
			in.Fail(wire.ReadFailure(0, nil, raw))
		} else if !in.Shown && len(r.blocks) == 0 {
			in.KeepAlien(raw)
		}
	}
	in.Usage = r.usage()
	return d
}

// whole takes in all blocks of a reply.
func (r *reply) whole(in *wire.Incoming, blocks []byte) chains.Delta {
	var said, thought strings.Builder
	for raw := range wire.Elements(blocks) {
		b := received{index: len(r.blocks)}
		wire.Decode(raw, &b)
		d := r.begin(in, &b)
		said.WriteString(d.Text)
		thought.WriteString(d.Reasoning)
	}
	return chains.Delta{Text: said.String(), Reasoning: thought.String()}
}

// begin begins a block.
func (r *reply) begin(in *wire.Incoming, b *received) chains.Delta {
	call := b.Type == "tool_use"
	if len(r.blocks) < maxBlocks && (!call || in.Call()) {
		b.long = call && in.Argument(len(b.ID)+len(b.Name)+len(b.Input))
		in.Thinking += len(b.Data)
		r.blocks = append(r.blocks, b)
	}
	return chains.Delta{Text: b.said(), Reasoning: b.thought()}
}

func (b *received) said() string {
	if b.Type == "text" {
		return b.Text
	}
	return ""
}

func (b *received) thought() string {
	if b.Type == "thinking" {
		return b.Thinking
	}
	return ""
}

// goOn adds to a block. There may be none: of a call that is left out, or of a server
// that does not announce its blocks.
func (r *reply) goOn(in *wire.Incoming, e *event) (d chains.Delta) {
	b := &received{long: true}
	for _, kept := range slices.Backward(r.blocks) {
		if kept.index == e.Index {
			b = kept
			break
		}
	}
	piece := ""
	switch e.Delta.Type {
	case "text_delta":
		piece = e.Delta.Text
		d.Text = piece
	case "thinking_delta":
		piece = e.Delta.Thinking
		d.Reasoning = piece
	case "signature_delta":
		in.Thinking += len(e.Delta.Signature)
		b.signed = append(b.signed, e.Delta.Signature...)
	case "input_json_delta":
		piece = e.Delta.Partial
		b.long = b.long || in.Argument(len(piece))
	}
	if !b.long {
		b.more = append(b.more, piece...)
	}
	return d
}

// report takes in a report of usage.
func (r *reply) report(c counts) {
	for _, p := range []struct{ to, from **int }{
		{&r.counts.Input, &c.Input}, {&r.counts.Write, &c.Write}, {&r.counts.Read, &c.Read}, {&r.counts.Output, &c.Output},
	} {
		if *p.from != nil {
			*p.to, r.some = *p.from, true
		}
	}
}

// usage is what was reported, nil for nothing. The protocol counts what the cache
// had and what it got apart from the rest of the prompt.
func (r *reply) usage() *chains.Usage {
	if !r.some {
		return r.before
	}
	of := func(n *int) int {
		if n == nil {
			return 0
		}
		return max(0, *n)
	}
	c := &r.counts
	u := chains.Usage{
		Prompt: of(c.Input) + of(c.Write) + of(c.Read), Cached: of(c.Read), CacheWrite: of(c.Write),
		Completion: of(c.Output), Reasoning: -1, Cost: -1,
	}
	if c.Input == nil {
		u.Prompt, u.Cached, u.CacheWrite = -1, -1, -1
	}
	if r.before != nil {
		u = u.Plus(*r.before)
	}
	return &u
}

// End implements wire.Decoder.
func (r *reply) End(in *wire.Incoming, last wire.Frame) (chains.Delta, error) {
	d := chains.Delta{Usage: r.usage()}
	if last.Kind == wire.EndFull {
		r.ended, r.reason = true, "max_tokens"
	}
	calls := r.calls()
	some := in.Said || len(calls) > 0
	switch {
	case !r.ended && r.reason == "":
		return d, in.Unfinished(last)
	case r.reason == "pause_turn" && r.goesOn && len(r.blocks) > 0:
		r.paused = true
		return d, nil
	case !some && (r.before == nil || r.reason == "refusal"):
		return d, in.Silent(wire.FinishOf(r.reason, false), r.reason)
	}
	d.Finish = wire.FinishOf(r.reason, len(calls) > 0)
	if d.ToolCalls = calls; len(calls) > 0 {
		d.Echo = r.echo()
	}
	return d, nil
}

// calls is the calls of the reply.
func (r *reply) calls() []prompt.ToolCall {
	var calls []prompt.ToolCall
	for _, b := range r.blocks {
		if b.Type == "tool_use" && b.Name != "" {
			calls = append(calls, prompt.ToolCall{ID: b.ID, Name: b.Name, Arguments: b.arguments(), TooLong: b.long})
		}
	}
	return calls
}

// arguments is the arguments of a call, in pieces or whole.
func (b *received) arguments() string {
	if args := cmp.Or(string(bytes.TrimSpace(b.more)), string(b.Input)); args != "" && args != "null" {
		return args
	}
	return "{}"
}

// echo is the thinking of a reply that calls tools, as the server wants it back.
func (r *reply) echo() string {
	var kept []json.RawMessage
	for _, b := range r.blocks {
		if b.Type == "redacted_thinking" || b.Type == "thinking" && len(b.Signature)+len(b.signed) > 0 {
			kept = append(kept, b.raw())
		}
	}
	if kept == nil {
		return ""
	}
	return string(wire.Marshal(map[string]any{"thinking": kept}))
}

// spoken is the blocks of the reply as they are sent back.
func (r *reply) spoken() []block {
	var out []block
	for _, b := range r.blocks {
		if b.Type != "text" || strings.TrimSpace(b.Text+string(b.more)) != "" {
			out = append(out, block{raw: b.raw()})
		}
	}
	return out
}

// raw is a block as the server would send it whole.
func (b *received) raw() json.RawMessage {
	fields := map[string]any{"type": b.Type}
	switch b.Type {
	case "text":
		fields["text"] = b.Text + string(b.more)
	case "thinking":
		fields["thinking"], fields["signature"] = b.Thinking+string(b.more), b.Signature+string(b.signed)
	case "redacted_thinking":
		fields["data"] = b.Data
	default:
		fields["id"], fields["name"], fields["input"] = b.ID, b.Name, wire.Object(b.arguments())
	}
	return wire.Marshal(fields)
}
