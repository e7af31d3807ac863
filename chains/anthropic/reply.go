package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// reply decodes one reply from its events.
type reply struct {
	before *chains.Usage // of the parts of the reply before a pause, nil if there are none
	goesOn bool          // the reply is continued after a pause

	blocks []*receivedBlock
	counts map[string]int // last reported numbers, by name
	reason string
	ended  bool // the server said that the reply is complete
	paused bool
}

// receivedBlock is a block of the reply: its fields at the start, and the pieces that followed.
type receivedBlock struct {
	index   int
	fields  map[string]json.RawMessage
	more    map[string][]byte
	tooLong bool // its input exceeded the limit
}

// text returns a field of text so far.
func (b *receivedBlock) text(field string) (s string) {
	_ = json.Unmarshal(b.fields[field], &s) // s stays "" for any other field
	return s + string(b.more[field])
}

// hasType reports whether the block has this type.
func (b *receivedBlock) hasType(kind string) bool { return b.text("type") == kind }

// maxBlocks limits the blocks of a reply that are kept.
const maxBlocks = 1000

// event is any event of a reply, or a whole reply that was not streamed.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Usage wire.Fields `json:"usage"`
	} `json:"message"`
	Block   json.RawMessage `json:"content_block"`
	Delta   wire.Fields     `json:"delta"`
	Usage   wire.Fields     `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Content json.RawMessage `json:"content"`
	Reason  string          `json:"stop_reason"`
}

// Chunk implements wire.Decoder.
func (r *reply) Chunk(in *wire.IncomingReply, raw []byte) (d chains.Delta) {
	var e event
	if !wire.Decode(raw, &e) {
		in.KeepAlien(raw)
		return d
	}
	switch e.Type {
	case "message_start":
		r.report(e.Message.Usage)
	case "content_block_start":
		d = r.beginBlock(in, e.Index, e.Block)
	case "content_block_delta":
		d = r.extendBlock(in, &e)
	case "message_delta":
		r.reason = cmp.Or(e.Delta.Text("stop_reason"), r.reason)
		r.report(e.Usage)
	case "message_stop":
		r.ended = true
		in.Finishing()
	case "message": // the server did not stream
		r.reason, r.ended = e.Reason, true
		r.report(e.Usage)
		d = r.addBlocks(in, e.Content)
	case "content_block_stop", "ping":
	default:
		if e.Type == "error" || wire.IsPresent(e.Error) {
			in.Fail(raw)
		} else if !in.Shown && len(r.blocks) == 0 {
			in.KeepAlien(raw)
		}
	}
	in.Usage = r.usage()
	return d
}

// addBlocks adds all blocks of a reply that was not streamed.
func (r *reply) addBlocks(in *wire.IncomingReply, blocks []byte) (all chains.Delta) {
	for raw := range wire.Elements(blocks) {
		d := r.beginBlock(in, len(r.blocks), raw)
		all.Text, all.Reasoning = all.Text+d.Text, all.Reasoning+d.Reasoning
	}
	return all
}

// beginBlock begins a block.
func (r *reply) beginBlock(in *wire.IncomingReply, index int, raw json.RawMessage) (d chains.Delta) {
	b := &receivedBlock{index: index, more: map[string][]byte{}}
	if !wire.Decode(raw, &b.fields) {
		return d
	}
	call := b.hasType("tool_use")
	if len(r.blocks) < maxBlocks && (!call || in.Call()) {
		b.tooLong = call && in.Argument(len(raw))
		in.Thinking += len(b.fields["data"])
		r.blocks = append(r.blocks, b)
	}
	switch {
	case b.hasType("text"):
		d.Text = b.text("text")
	case b.hasType("thinking"):
		d.Reasoning = b.text("thinking")
	}
	return d
}

// extendBlock adds a piece to a block. The block does not exist for a dropped call, or if the server does not
// announce its blocks.
func (r *reply) extendBlock(in *wire.IncomingReply, e *event) (d chains.Delta) {
	b := &receivedBlock{tooLong: true}
	for _, kept := range slices.Backward(r.blocks) {
		if kept.index == e.Index {
			b = kept
			break
		}
	}
	field, piece := "text", e.Delta.Text("text")
	switch e.Delta.Text("type") {
	case "text_delta":
		d.Text = piece
	case "thinking_delta":
		field, piece = "thinking", e.Delta.Text("thinking")
		d.Reasoning = piece
	case "signature_delta":
		field, piece = "signature", e.Delta.Text("signature")
		in.Thinking += len(piece)
	case "input_json_delta":
		field, piece = "input", e.Delta.Text("partial_json")
		b.tooLong = b.tooLong || in.Argument(len(piece))
	default:
		return d
	}
	if !b.tooLong {
		b.more[field] = append(b.more[field], piece...)
	}
	return d
}

// report records reported usage, which contains only what changed.
func (r *reply) report(usage wire.Fields) {
	for name := range usage {
		if n := usage.Count(name); n >= 0 {
			r.counts[name] = n
		}
	}
}

// usage returns the reported usage, nil if there is none. The protocol counts cached and written tokens separately
// from the rest of the prompt.
func (r *reply) usage() *chains.Usage {
	if len(r.counts) == 0 {
		return r.before
	}
	prompt, some := r.counts["input_tokens"]
	read, written := r.counts["cache_read_input_tokens"], r.counts["cache_creation_input_tokens"]
	u := chains.Usage{
		Prompt: prompt + written + read, Cached: read, CacheWrite: written,
		Completion: r.counts["output_tokens"], Reasoning: -1, Cost: -1,
	}
	if !some {
		u.Prompt, u.Cached, u.CacheWrite = -1, -1, -1
	}
	if r.before != nil {
		u = u.Plus(*r.before)
	}
	return &u
}

// End implements wire.Decoder.
func (r *reply) End(in *wire.IncomingReply, last wire.Frame) (chains.Delta, error) {
	if r.reason == "pause_turn" && r.goesOn && len(r.blocks) > 0 && last.Kind != wire.EndFull {
		r.paused = true
		return chains.Delta{Usage: in.Usage}, nil
	}
	in.Said = in.Said || r.before != nil && r.reason != "refusal"
	return in.Over(last, r.ended || r.reason != "", r.reason, r.calls(), r.echo)
}

// calls returns the calls of the reply.
func (r *reply) calls() (calls []prompt.ToolCall) {
	for _, b := range r.blocks {
		if name := b.text("name"); b.hasType("tool_use") && name != "" {
			calls = append(calls, prompt.ToolCall{
				ID: b.text("id"), Name: name, Arguments: b.arguments(), TooLong: b.tooLong,
			})
		}
	}
	return calls
}

// arguments returns the arguments of a call, from pieces or whole.
func (b *receivedBlock) arguments() string {
	if args := cmp.Or(string(bytes.TrimSpace(b.more["input"])), string(b.fields["input"])); args != "" &&
		args != "null" {
		return args
	}
	return "{}"
}

// echo returns the reasoning of a reply with calls, in the form in which the server needs it back.
func (r *reply) echo() string {
	var kept []json.RawMessage
	for _, b := range r.blocks {
		if b.hasType("redacted_thinking") || b.hasType("thinking") && b.text("signature") != "" {
			kept = append(kept, b.raw())
		}
	}
	if kept == nil {
		return ""
	}
	return string(wire.Marshal(map[string]any{"thinking": kept}))
}

// spoken returns the blocks of the reply in the form in which they are sent back.
func (r *reply) spoken() (out []any) {
	for _, b := range r.blocks {
		if !b.hasType("text") || strings.TrimSpace(b.text("text")) != "" {
			out = append(out, b.raw())
		}
	}
	return out
}

// raw returns a block as the server would send it whole.
func (b *receivedBlock) raw() json.RawMessage {
	all := maps.Clone(b.fields)
	for field := range b.more {
		all[field] = wire.Marshal(b.text(field))
	}
	if all["input"] != nil {
		all["input"] = wire.Object(b.arguments())
	}
	return wire.Marshal(all)
}
