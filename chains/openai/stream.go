package openai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains"
	"ibid/chains/wire"
)

// Stream implements chains.Model. While it waits to try again it says so in
// Delta.Notice. When ctx ends, the error is ctx.Err(); every other error is a
// *chains.ProviderError.
func (c *Client) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return c.server.Stream(ctx, func(yield func(chains.Delta) bool) (bool, error) {
		model := cmp.Or(r.Model, c.opts.Model)
		attempt := func() (bool, error) {
			return c.server.Without(model, c.fields(r, model), yield, func(left wire.Left) (bool, error) { return c.attempt(ctx, r, left, yield) })
		}
		shown, err := attempt()
		if !shown && c.tryBelow(err) {
			again := error(nil)
			if shown, again = attempt(); nowhere(again) {
				c.below.Store(false)
				return false, err
			}
			err = again
			if !yield(chains.Delta{Notice: "base_url " + c.server.Line(c.base) + " is taken for " + c.server.Line(c.address())}) {
				return shown, wire.ErrStopped
			}
		}
		if !shown {
			c.models.Suggest(ctx, c.server, err, model, c.Models)
		}
		return shown, err
	})
}

// attempt makes one exchange.
func (c *Client) attempt(ctx context.Context, r chains.Request, left wire.Left, yield func(chains.Delta) bool) (shown bool, err error) {
	w, invalid := c.wire(r, left)
	if invalid != nil {
		return false, invalid
	}
	req, body, err := c.build(ctx, w)
	if err != nil {
		return false, err
	}
	return c.server.Exchange(req, body, w.body.Model, &reply{client: c, used: usedIDs(r.Messages)}, yield)
}

// errBuilt ends go-openai's part: the request is made, and we send it.
var errBuilt = errors.New("the request is built")

// builder stands where go-openai expects a connection.
type builder struct{ req *http.Request }

// Do keeps the request.
func (b *builder) Do(req *http.Request) (*http.Response, error) {
	b.req = req
	return nil, errBuilt
}

// build lets go-openai make the request, which then gets our body.
func (c *Client) build(ctx context.Context, w *wireRequest) (*http.Request, []byte, error) {
	var b builder
	_, err := oai.NewClientWithConfig(c.config(&b)).CreateChatCompletionStream(ctx, w.body.ChatCompletionRequest)
	if b.req == nil { // one of its checks, which know models by their names
		return nil, nil, &chains.ProviderError{
			Kind: chains.ErrConfig, Err: err,
			Message: fmt.Sprintf("This model does not take the request: %s. Choose another model.", c.server.Line(err.Error())),
		}
	}
	body, err := wire.Encode(w.body, w.extra)
	if err != nil {
		return nil, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, b.req.Method, b.req.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	req.Header = b.req.Header
	maps.Copy(req.Header, w.header)
	return req, body, nil
}
