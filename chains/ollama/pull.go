package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"ibid/chains"
	"ibid/chains/wire"
)

// Pull lets the server download a model and yields the progress until that is complete. Breaking the loop or ending
// ctx ends the request; the server keeps what came, and another pull continues there. The error, a
// *chains.ProviderError or ctx.Err(), comes as the last pair.
func (c *Client) Pull(ctx context.Context, name string) iter.Seq2[chains.Progress, error] {
	return func(yield func(chains.Progress, error) bool) {
		if err := c.pull(ctx, name, func(p chains.Progress) bool { return yield(p, nil) }); err != nil {
			yield(chains.Progress{}, err)
		}
	}
}

func (c *Client) pull(ctx context.Context, name string, yield func(chains.Progress) bool) error {
	o := c.opts.Options
	o.Timeouts.Idle = -1 // verifying the download takes minutes without a message
	server, err := wire.New(o)
	if err != nil {
		return err
	}
	defer server.CloseIdle()
	doc := wire.Marshal(map[string]any{"model": name, "name": name, "stream": true})
	in := &pullReader{parts: map[string]chains.Progress{}, yield: yield}
	out := &wire.OutgoingRequest{
		Request: chains.Request{Model: name}, Yield: func(chains.Delta) bool { return !in.left },
	}
	err = server.Exchange(ctx, c.base+"/pull", nil, doc, wire.Lines, out, in)
	switch failed := wire.ErrorOf(err); {
	case in.left:
		return nil
	case strings.Contains(wire.Words(err), "file does not exist"):
		failed.Code, failed.Retryable = wire.NoSuchModel, false
		failed.Message = fmt.Sprintf(
			"Ollama's library has no %s: ollama.com/library lists what there is. %s said: %s.", c.Line(name),
			c.Name(), strings.TrimRight(failed.Err.Error(), ". "))
	case err == nil:
		c.mu.Lock()
		delete(c.models, key(name)) // it may be another model now
		c.mu.Unlock()
	}
	return err
}

// pullReader decodes the lines of a pull.
type pullReader struct {
	parts map[string]chains.Progress // by digest
	yield func(chains.Progress) bool
	ended bool
	left  bool // the caller broke the loop
}

// Chunk implements wire.Decoder.
func (p *pullReader) Chunk(in *wire.IncomingReply, raw []byte) (d chains.Delta) {
	var line struct {
		Status    string          `json:"status"`
		Digest    string          `json:"digest"`
		Total     int64           `json:"total"`
		Completed int64           `json:"completed"`
		Error     json.RawMessage `json:"error"`
	}
	switch err := json.Unmarshal(raw, &line); {
	case err != nil:
		in.KeepAlien(raw)
		return d
	case len(line.Error) > 0:
		in.Fail(raw)
		return d
	}
	if line.Digest != "" {
		p.parts[line.Digest] = chains.Progress{Done: line.Completed, Total: line.Total}
	}
	p.ended = line.Status == "success"
	sum := chains.Progress{Doing: line.Status}
	for _, part := range p.parts {
		sum.Done, sum.Total = sum.Done+part.Done, sum.Total+part.Total
	}
	p.left = p.left || !p.yield(sum)
	return d
}

// End implements wire.Decoder.
func (p *pullReader) End(in *wire.IncomingReply, last wire.Frame) (chains.Delta, error) {
	if p.ended {
		return chains.Delta{}, nil
	}
	err := in.Unfinished(last)
	if failed := wire.ErrorOf(err); in.Alien == "" {
		failed.Kind, failed.Message = chains.ErrNetwork, "The pull broke off. What came is kept: pull again to go on."
	}
	return chains.Delta{}, err
}
