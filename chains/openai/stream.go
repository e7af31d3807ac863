package openai

import (
	"cmp"
	"context"
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
	return c.Client.Stream(ctx, func(yield func(chains.Delta) bool) (bool, error) {
		model := cmp.Or(r.Model, c.opts.Model)
		speaks := c.protocol(model)
		shown, err := c.speak(ctx, r, model, speaks, yield)
		if other := c.other(speaks, err); !shown && other != "" {
			again := error(nil)
			if shown, again = c.speak(ctx, r, model, other, yield); shown || !nowhere(again) {
				c.Refuse(model, map[Protocol]wire.Field{ChatCompletions: chatField, Responses: responsesField}[speaks])
				speaks, err = other, again
			}
		}
		if !shown && c.tryBelow(err) {
			again := error(nil)
			if shown, again = c.speak(ctx, r, model, speaks, yield); nowhere(again) {
				c.below.Store(false)
				return false, err
			}
			err = again
			if !yield(chains.Delta{Notice: "base_url " + c.Line(c.base) + " is taken for " + c.Line(c.address())}) {
				return shown, wire.ErrStopped
			}
		}
		if !shown {
			c.Suggest(ctx, err, model, c.Models)
		}
		return shown, err
	})
}

// speak makes the exchanges of one reply in a protocol: one, and others without what
// the server refuses.
func (c *Client) speak(ctx context.Context, r chains.Request, model string, p Protocol, yield func(chains.Delta) bool) (bool, error) {
	fields, exchange := c.chatFields(r, model), c.attempt
	if p == Responses {
		fields, exchange = c.responseFields(r, model), c.respond
	}
	tries := func(left wire.Left) (bool, error) { return exchange(ctx, r, left, yield) }
	shown, err := c.Without(model, fields, yield, tries)
	if shown || !wantsReasoning().MatchString(wire.Words(err)) {
		return shown, err
	}
	if _, again := c.reasoned.LoadOrStore(model, true); again {
		return shown, err
	}
	return c.Without(model, fields, yield, tries)
}

// wantsReasoning is how servers ask for the reasoning of each message with calls.
var wantsReasoning = pattern(`reasoning_content.{0,80}\b(?:must be|missing|required)\b|missing.{0,20}reasoning_content`)

// respond makes one exchange of the Responses API.
func (c *Client) respond(ctx context.Context, r chains.Request, left wire.Left, yield func(chains.Delta) bool) (bool, error) {
	w, invalid := c.wireResponse(r, left)
	if invalid != nil {
		return false, invalid
	}
	over := &wire.Transport{Client: c.Client, Model: w.frame.Model, Edit: w.edit}
	stream, err := oai.NewClientWithConfig(c.config(over, w.frame.Model)).CreateResponseStream(ctx, w.frame)
	if err != nil {
		return false, err
	}
	return over.Exchange(ctx, stream.RecvRaw, &responseReply{client: c, model: w.frame.Model}, yield)
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
	if shown || !keptNames().MatchString(wire.Words(err)) {
		return shown, err
	}
	c.opts.Keeper.Forget(name)
	if !yield(chains.Delta{Notice: c.Name() + " does not have what it kept of this prompt any more: it is sent whole."}) {
		return false, wire.ErrStopped
	}
	return c.exchange(ctx, r, left, "", yield)
}

// keptNames is how a failure speaks of what a server keeps.
var keptNames = pattern(`cached.?content`)

// exchange sends one request. kept is the name of what the server has of it, "" for
// nothing.
func (c *Client) exchange(ctx context.Context, r chains.Request, left wire.Left, kept string, yield func(chains.Delta) bool) (shown bool, err error) {
	if kept != "" {
		r.Messages, r.Tools = r.Messages[1:], nil
	}
	r, unsent, invalid := c.toolsInChat(r)
	if invalid != nil {
		return false, invalid
	}
	if unsent != "" && !yield(chains.Delta{Notice: unsent}) {
		return false, wire.ErrStopped
	}
	w, invalid := c.wire(r, left)
	if invalid != nil {
		return false, invalid
	}
	if kept != "" {
		w.extra["extra_body"] = naming(kept, w.extra["extra_body"])
	}
	over := &wire.Transport{Client: c.Client, Model: w.model, Edit: w.edit, Header: w.header}
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
