package ollama

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// Options configure a client. BaseURL, Count and Budget are required.
type Options struct {
	// BaseURL may end in /v1 or /api. The fields under "options" in Extra, and its temperature, are merged into the
	// options of the request.
	wire.Options
	Model string // model of requests that name none

	KeepAlive time.Duration // time for which an unused model stays in memory; 0 is 30 min
	Window    int           // maximum window in tokens; 0 is 32k

	Count  func(text string) int              // returns the tokens of a text
	Budget func(model string, window int) int // returns the tokens that a prompt may have in a window of this size
}

// keepAlive is longer than the server's default of five minutes, because the cache of a model is lost when it
// leaves memory.
const keepAlive = 30 * time.Minute

// Client is a chains.Model that talks to one server. Create it with New.
type Client struct {
	*wire.Client
	opts Options
	base string // beginning of request URLs, without trailing slash

	mu     sync.Mutex
	models map[string]*model // by key; guarded by mu
}

// New validates o and returns a client. It does no I/O. The error says which option is wrong.
func New(o Options) (*Client, error) {
	server, err := wire.New(o.Options)
	if err != nil {
		return nil, err
	}
	base := server.Base("/chat/completions", "/chat", "/v1", "/api")
	c := &Client{Client: server, opts: o, base: base + "/api", models: map[string]*model{}}
	c.Chosen, c.Ask, c.Answer = o.Model, c.list, c.answer
	return c, nil
}

// answer makes the exchanges of one reply: one, and another if the window was too large for the memory or too small
// for the prompt, or if a field was refused.
func (c *Client) answer(ctx context.Context, out *wire.OutgoingRequest) error {
	r := out.Request
	c.describe(ctx, r.Model)
	tokens := c.tokens(r)
	loaded := c.loaded(ctx)[key(r.Model)]
	window, limited := c.window(r, tokens, loaded)
	if limited && tokens > window {
		return c.tooLong(r.Model, tokens, window)
	}
	out.Say(c.unsentImages(r))
	for smaller := false; ; {
		err := c.Without(ctx, out, c.fields(r), func(ctx context.Context, out *wire.OutgoingRequest) error {
			doc := c.encodeRequest(out.Request, window, out.Left)
			return c.Exchange(ctx, c.base+"/chat", nil, doc, wire.Lines, out, &reply{})
		})
		failed := wire.ErrorOf(err)
		switch {
		case err == nil:
			out.Say(c.compareWindow(ctx, r.Model, window))
			return nil
		case out.Shown || failed.Kind == "":
			return err
		case failed.Kind == chains.ErrContext && c.widenWindow(r.Model, &window):
		case failureCode(failed) == OutOfMemory && !smaller && windowBelow(window) > 0:
			was := window
			smaller, window = true, c.limitWindow(r.Model, windowBelow(window))
			out.Say(fmt.Sprintf("%s ran out of memory with a window of %s tokens for %s: going on with %s.",
				c.Name(), shortTokens(was), c.Line(r.Model), shortTokens(window)))
			if tokens > window {
				return c.tooLong(r.Model, tokens, window)
			}
		default:
			return c.explain(ctx, failed, r.Model, window)
		}
	}
}
