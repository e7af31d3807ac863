package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
)

// Decoder decodes one reply of a protocol.
type Decoder interface {
	// Chunk decodes one frame of JSON and returns the delta to hand out.
	Chunk(in *IncomingReply, raw []byte) chains.Delta
	// End returns the end of the reply; last is its last frame.
	End(in *IncomingReply, last Frame) (chains.Delta, error)
}

// IncomingReply is a reply while it is read.
type IncomingReply struct {
	tally

	client  *Client
	out     *OutgoingRequest
	from    *reply
	noticed bool
	failure *failure
}

// Fail ends the reply after this chunk with the error that the server sent.
func (in *IncomingReply) Fail(said []byte) {
	f := readFailure(0, nil, said)
	in.failure = &f
}

// FailIfTold does so if said contains an error, and reports whether it does.
func (in *IncomingReply) FailIfTold(said []byte) bool {
	f := readFailure(0, nil, said)
	if f.Message != "" {
		in.failure = &f
	}
	return in.failure != nil
}

// Finishing records that the end was seen, so that the rest must come soon.
func (in *IncomingReply) Finishing() {
	r := in.from
	r.watch.limits = Timeouts{FirstByte: tailTimeout, Idle: tailTimeout}
	r.lastPiece = time.Now().Add(tailTimeout - commentTimeout)
	r.fastReadCount = math.MinInt
}

// Over returns the end of a reply with calls. ended reports whether the server said that the reply is complete,
// word is its word for the end, and echo returns the data that it needs back with the calls.
func (in *IncomingReply) Over(last Frame, ended bool, word string, calls []prompt.ToolCall,
	echo func() string,
) (chains.Delta, error) {
	d := chains.Delta{Usage: in.Usage}
	if last.Kind == EndFull {
		ended, word = true, "length"
	}
	switch {
	case !ended:
		return d, in.Unfinished(last)
	case !in.Said && len(calls) == 0:
		return d, in.emptyReplyError(finishOf(word, false), word)
	}
	if d.Finish, d.ToolCalls = finishOf(word, len(calls) > 0), calls; len(calls) > 0 {
		d.Echo = echo()
	}
	return d, nil
}

// Failed returns the error for a reply that the server ended with a reason.
func (in *IncomingReply) Failed(why string) error { return in.failureError(failure{Message: why}) }

// Exchange sends a JSON document and hands out the reply, of the type that it accepts, as d decodes it. header may be
// nil.
func (c *Client) Exchange(ctx context.Context, at string, header http.Header, doc []byte, accept string,
	out *OutgoingRequest, d Decoder,
) error {
	req, err := c.newRequest(ctx, http.MethodPost, at, header, doc, accept)
	if err != nil {
		return err
	}
	from, err := c.send(req, doc, out.Model)
	if err != nil {
		return err
	}
	return c.handOut(ctx, &IncomingReply{client: c, out: out, from: from}, d)
}

// handOut hands out a reply, until Yield returns false. Pieces of text that were read together are handed out as one.
// If ctx ends, what was received is handed out before its error.
func (c *Client) handOut(ctx context.Context, in *IncomingReply, d Decoder) error {
	from, out := in.from, in.out
	defer from.close()
	defer func() { out.Shown = out.Shown || in.Shown }()
	var held pieces // pieces held back because more was read with them
	for {
		delta, end, err := in.take(d, from.frames.next())
		piece := !end && isPiece(delta)
		if held.some() && (!piece || len(held.said) > 0 && delta.Reasoning != "") && !out.Yield(held.take()) {
			return ctx.Err()
		}
		if piece {
			held.add(delta)
			if from.frames.ready() {
				continue
			}
			delta = held.take()
		}
		stopped := ctx.Err() != nil
		if stopped && (end || err != nil) {
			return ctx.Err()
		}
		if end {
			from.close() // before the last delta, so that a failure of the recorder can be reported in it
		}
		if delta.Notice == "" {
			delta.Notice, from.warning = from.warning, "" // a failure of the recorder
		}
		switch {
		case !out.Yield(delta):
			return ctx.Err()
		case end || err != nil:
			return err
		case stopped && !from.frames.ready():
			return ctx.Err()
		}
	}
}

// pieces joins pieces of a reply, and of the reasoning before it.
type pieces struct{ said, thought []byte }

func (p *pieces) some() bool { return len(p.said)+len(p.thought) > 0 }

func (p *pieces) add(d chains.Delta) {
	p.said, p.thought = append(p.said, d.Text...), append(p.thought, d.Reasoning...)
}

// take returns all pieces as one and empties p.
func (p *pieces) take() chains.Delta {
	d := chains.Delta{Text: string(p.said), Reasoning: string(p.thought)}
	p.said, p.thought = p.said[:0], p.thought[:0]
	return d
}

// isPiece reports whether d is nothing but a piece of the reply, or of the reasoning before it.
func isPiece(d chains.Delta) bool {
	d.Text, d.Reasoning = "", ""
	return isEmpty(d) && d.Echo == ""
}

// take decodes one frame and returns what to hand out, whether it was the last, and the error that ended the reply.
func (in *IncomingReply) take(d Decoder, f Frame) (delta chains.Delta, end bool, err error) {
	switch f.Kind {
	case FrameChunk:
		delta = d.Chunk(in, f.Data)
		if in.takeDelta(&delta) {
			in.from.lastPiece, in.from.frames.idle = time.Now(), 0
		}
		if in.full != "" {
			f.Kind = EndFull
		}
	case FrameNotice:
		delta.Notice = in.notice(f.Data)
	case FrameError:
		in.Fail(f.Data)
	case FrameAlien:
		in.KeepAlien(f.Data)
	case EndTooLong:
		if in.calls > chains.MaxCalls { // the calls within the limit are complete
			f.Kind = EndFull
		}
	}
	if in.failure != nil {
		delta.Usage = in.Usage
		return delta, true, in.failureError(*in.failure)
	}
	if f.Kind < EndDone {
		return delta, false, nil
	}
	last, err := d.End(in, f)
	calls := last.ToolCalls
	in.Shown = in.Shown || len(calls) > 0
	last.Text, last.Reasoning, last.ToolCalls, last.Notice = delta.Text, delta.Reasoning, nil, in.describeDropped()
	for _, c := range calls {
		if c.TooLong {
			c.Arguments = "{}"
		}
		if last.Finish != chains.FinishLength || json.Valid([]byte(c.Arguments)) { // the last call may be incomplete
			last.ToolCalls = append(last.ToolCalls, c)
		}
	}
	return last, true, err
}

// notice returns a notice about a comment, only once, because servers send the same one every few seconds.
func (in *IncomingReply) notice(comment []byte) string {
	if in.noticed || in.Shown {
		return ""
	}
	in.noticed = true
	return fmt.Sprintf("%s is queueing the request (%s).", in.client.name, in.client.Line(string(comment)))
}
