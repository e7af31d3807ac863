package openai

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"

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

// attempt makes one exchange, in which what the server keeps is named instead of
// sent. A name that it does not take is forgotten, and everything is sent.
func (c *Client) attempt(ctx context.Context, r chains.Request, left wire.Left, yield func(chains.Delta) bool) (shown bool, err error) {
	name, alone := "", false
	if c.opts.Keeper != nil {
		kept := r
		kept.Model = cmp.Or(r.Model, c.opts.Model)
		name = c.opts.Keeper.Keep(ctx, kept, func(text string) bool {
			alone = alone || !yield(chains.Delta{Notice: text})
			return !alone
		})
	}
	if alone {
		return false, wire.ErrStopped
	}
	if name == "" {
		return c.exchange(ctx, r, left, "", yield)
	}
	shown, err = c.exchange(ctx, r, left, name, yield)
	var failed *chains.ProviderError
	if shown || !errors.As(err, &failed) || failed.Err == nil || !keptNames().MatchString(failed.Err.Error()) {
		return shown, err
	}
	c.opts.Keeper.Forget(name)
	if !yield(chains.Delta{Notice: c.server.Name() + " does not have what it kept of this prompt any more: it is sent whole."}) {
		return false, wire.ErrStopped
	}
	return c.exchange(ctx, r, left, "", yield)
}

// keptNames is how a failure speaks of what a server keeps.
var keptNames = pattern(`(?i)cached.?content`)

// exchange sends one request. kept is the name of what the server has of it, "" for
// nothing.
func (c *Client) exchange(ctx context.Context, r chains.Request, left wire.Left, kept string, yield func(chains.Delta) bool) (shown bool, err error) {
	if kept != "" {
		r.Messages, r.Tools = r.Messages[1:], nil
	}
	w, invalid := c.wire(r, left)
	if invalid != nil {
		return false, invalid
	}
	if kept != "" {
		w.extra["extra_body"] = naming(kept, w.extra["extra_body"])
	}
	over := &wire.Transport{Client: c.server, Model: w.model, Edit: w.edit, Header: w.header}
	stream, err := oai.NewClientWithConfig(c.config(over, w.model)).CreateChatCompletionStream(ctx, w.frame)
	if err != nil {
		return false, err
	}
	return over.Exchange(ctx, stream.RecvRaw, &reply{client: c}, yield)
}

// naming is the fields for Gemini alone that name what is kept, beside those that the
// options have.
func naming(kept string, configured any) map[string]any {
	all := map[string]any{}
	outer, _ := configured.(map[string]any)
	maps.Copy(all, outer)
	google := map[string]any{}
	inner, _ := outer["google"].(map[string]any)
	maps.Copy(google, inner)
	google["cached_content"] = kept
	all["google"] = google
	return all
}
