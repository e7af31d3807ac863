package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
)

// responseReply decodes one reply of the Responses API from its events.
type responseReply struct {
	client  *Client
	model   string
	calls   callSet
	items   []json.RawMessage // reasoning items, unchanged
	thought bool              // a part of a summary came
	refused bool              // the text is a refusal
	state   string            // the server's status at the end, "" before
	reason  string            // why the reply is incomplete
}

// responseEvent is an event of a reply, or a whole reply that was not streamed.
type responseEvent struct {
	Type      words           `json:"type"`
	Object    words           `json:"object"`
	Delta     words           `json:"delta"`
	Index     wire.Number     `json:"output_index"`
	Arguments json.RawMessage `json:"arguments"`
	Item      json.RawMessage `json:"item"`
	Response  json.RawMessage `json:"response"`
}

// responseItem is an item of the model's output.
type responseItem struct {
	Type      words           `json:"type"`
	CallID    words           `json:"call_id"`
	Name      words           `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Content   json.RawMessage `json:"content"`
}

// spokenPart is a part of a message.
type spokenPart struct {
	Text    words `json:"text"`
	Refusal words `json:"refusal"`
}

// response is the whole reply in the last event.
type response struct {
	Status     words           `json:"status"`
	Output     json.RawMessage `json:"output"`
	Usage      wire.Fields     `json:"usage"`
	Error      json.RawMessage `json:"error"`
	Incomplete struct {
		Reason words `json:"reason"`
	} `json:"incomplete_details"`
}

// Chunk implements wire.Decoder. It ignores unknown events.
func (r *responseReply) Chunk(in *wire.IncomingReply, raw []byte) (d chains.Delta) {
	var e responseEvent
	if !wire.Decode(raw, &e) {
		in.KeepAlien(raw)
		return d
	}
	switch e.Type {
	case "response.output_text.delta":
		d.Text = string(e.Delta)
	case "response.refusal.delta":
		d.Text, r.refused = string(e.Delta), true
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		d.Reasoning, r.thought = string(e.Delta), true
	case "response.reasoning_summary_part.added":
		if r.thought {
			d.Reasoning = "\n\n"
		}
	case "response.output_item.added":
		r.call(in, e.Index, e.Item)
	case "response.function_call_arguments.delta":
		r.calls.add(in, callDelta{Index: e.Index, Function: callFunction{Arguments: wire.Marshal(e.Delta)}})
	case "response.function_call_arguments.done":
		r.arguments(in, e.Index, e.Arguments)
	case "response.output_item.done":
		r.item(in, e.Index, e.Item)
	case "response.completed", "response.incomplete", "response.failed":
		return r.finish(in, e.Response)
	case "error":
		in.Fail(raw)
	case "":
		if e.Object == "response" { // the server did not stream
			return r.finish(in, raw)
		}
		if !in.FailIfTold(raw) && !in.Shown {
			in.KeepAlien(raw)
		}
	}
	return d
}

// call begins the call in an item.
func (r *responseReply) call(in *wire.IncomingReply, index wire.Number, raw json.RawMessage) {
	var item responseItem
	if wire.Decode(raw, &item) && item.Type == "function_call" {
		f := callFunction{item.Name, item.Arguments}
		r.calls.add(in, callDelta{Index: index, ID: item.CallID, Function: f})
	}
}

// arguments adds the complete arguments of a call, unless pieces of them came. It reports whether there is the call.
func (r *responseReply) arguments(in *wire.IncomingReply, index wire.Number, raw json.RawMessage) (known bool) {
	for _, c := range r.calls.calls {
		if c.index != index.Count() {
			continue
		}
		if known = true; len(c.arguments) == 0 {
			r.calls.add(in, callDelta{Index: index, Function: callFunction{Arguments: raw}})
		}
	}
	return known
}

// item handles a finished item.
func (r *responseReply) item(in *wire.IncomingReply, index wire.Number, raw json.RawMessage) {
	var item responseItem
	switch wire.Decode(raw, &item); item.Type {
	case "reasoning":
		in.Thinking += len(raw)
		r.items = append(r.items, bytes.Clone(raw))
	case "function_call":
		if !r.arguments(in, index, item.Arguments) {
			r.call(in, index, raw) // the item was not announced
		}
	}
}

// finish handles the end of the reply. If the reply was not streamed, it returns the text.
func (r *responseReply) finish(in *wire.IncomingReply, raw json.RawMessage) (d chains.Delta) {
	var whole response
	wire.Decode(raw, &whole)
	r.state, r.reason = string(whole.Status), strings.ToLower(string(whole.Incomplete.Reason))
	if u := readUsage(&chunk{Usage: whole.Usage}, false); u != nil {
		in.Usage = u
	}
	in.Finishing()
	if r.state == "failed" || reportsError(whole.Error) {
		in.Fail(whole.Error)
		return d
	}
	if in.Said || len(r.calls.calls) > 0 {
		return d
	}
	at := wire.Number{Set: true}
	for raw := range wire.Elements(whole.Output) {
		var item responseItem
		wire.Decode(raw, &item)
		for raw := range wire.Elements(item.Content) {
			var part spokenPart
			wire.Decode(raw, &part)
			d.Text += string(part.Text + part.Refusal)
			r.refused = r.refused || part.Refusal != ""
		}
		r.item(in, at, raw)
		at.Value++
	}
	return d
}

// End implements wire.Decoder.
func (r *responseReply) End(in *wire.IncomingReply, last wire.Frame) (chains.Delta, error) {
	if r.refused {
		r.reason = "refusal"
	}
	return in.Over(last, r.state != "", r.reason, r.calls.complete(), func() string {
		if len(r.items) == 0 {
			return ""
		}
		return string(wire.Marshal(responseEcho{From: r.client.origin(r.model), Items: r.items}))
	})
}
