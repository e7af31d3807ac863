package openai

import (
	"context"
	"encoding/json"

	"ibid/chains/wire"
)

// answer makes the exchanges of one reply. If the server requires the other protocol, or has its API at another
// address, it switches.
func (c *Client) answer(ctx context.Context, out *wire.OutgoingRequest) error {
	speaks := c.protocol(out.Model)
	err := c.answerWith(ctx, out, speaks)
	if other := c.otherProtocol(speaks, err); !out.Shown && other != "" {
		if again := c.answerWith(ctx, out, other); out.Shown || !isNotFound(again) {
			c.Refuse(out.Model, map[Protocol]wire.Field{ChatCompletions: chatField, Responses: responsesField}[speaks])
			speaks, err = other, again
		}
	}
	if out.Shown || !c.tryBelow(err) {
		return err
	}
	again := c.answerWith(ctx, out, speaks)
	if !out.Shown && isNotFound(again) {
		c.versionBelow.Store(false)
		return err
	}
	out.Say("base_url " + c.Line(c.base) + " is taken for " + c.Line(c.address()))
	return again
}

// answerWith makes the exchanges of one reply in a protocol, and leaves out what the server refuses.
func (c *Client) answerWith(ctx context.Context, out *wire.OutgoingRequest, p Protocol) error {
	fields, try := c.chatFields(out.Request), c.chat
	if p == Responses {
		fields, try = c.responseFields(out.Request), c.respond
	}
	err := c.Without(ctx, out, fields, try)
	if out.Shown || !wantsReasoning().MatchString(wire.Words(err)) {
		return err
	}
	if _, again := c.needsReasoning.LoadOrStore(out.Model, true); again {
		return err
	}
	return c.Without(ctx, out, fields, try)
}

// wantsReasoning matches errors that ask for the reasoning of each message with calls.
var wantsReasoning = wire.Pattern(
	`reasoning_content.{0,80}\b(?:must be|missing|required)\b|missing.{0,20}reasoning_content`)

// respond makes one exchange of the Responses API.
func (c *Client) respond(ctx context.Context, out *wire.OutgoingRequest) error {
	frame, extra := c.wireResponse(out.Request, out.Left)
	to, sdk := c.transport(out, extra, nil)
	if _, err := sdk.CreateResponseStream(ctx, frame); err != nil {
		return err
	}
	return to.Exchange(ctx, &responseReply{client: c, model: out.Model})
}

// chat makes one exchange of chat completions, with a name in place of what the server has stored. If the server
// does not know that name, it drops the name and sends everything.
func (c *Client) chat(ctx context.Context, out *wire.OutgoingRequest) error {
	name := ""
	if c.opts.Keeper != nil {
		name = c.opts.Keeper.Keep(ctx, out.Request, out.Say)
	}
	err := c.exchange(ctx, out, name)
	if name == "" || out.Shown || !cachedContentError().MatchString(wire.Words(err)) {
		return err
	}
	c.opts.Keeper.Forget(name)
	out.Say(c.Name() + " does not have what it kept of this prompt any more: it is sent whole.")
	return c.exchange(ctx, out, "")
}

// cachedContentError matches errors about stored prompts.
var cachedContentError = wire.Pattern(`cached.?content`)

// exchange sends one request. kept is the name of the part that the server has stored, "" if it has none.
func (c *Client) exchange(ctx context.Context, out *wire.OutgoingRequest, kept string) error {
	r := out.Request
	if kept != "" {
		r.Messages, r.Tools = r.Messages[1:], nil
	}
	said, err := c.toolsInChat(&r)
	if err != nil {
		return err
	}
	out.Say(said)
	w := c.wireChat(r, out.Left)
	if kept != "" {
		w.extra["extra_body"] = withCachedContent(kept, w.extra["extra_body"])
	}
	to, sdk := c.transport(out, w.extra, w.header)
	if _, err = sdk.CreateChatCompletionStream(ctx, w.frame); err != nil {
		return err
	}
	return to.Exchange(ctx, &reply{client: c})
}

// withCachedContent returns Gemini's fields that name the stored part, merged with those of the options.
func withCachedContent(kept string, configured any) json.RawMessage {
	outer, _ := configured.(map[string]any)
	google := wire.Encode(outer["google"], map[string]any{"cached_content": kept})
	return wire.Encode(outer, map[string]any{"google": google})
}
