package openai

import (
	"slices"

	"ibid/chains"
	"ibid/chains/wire"
)

// Protocol is one of the two in which OpenAI's models are spoken to.
type Protocol string

// The protocols. Responses is what OpenAI itself and Azure's v1 address are spoken to
// in, chat completions what everybody else offers.
const (
	ChatCompletions Protocol = "chat"
	Responses       Protocol = "responses"
)

// What is kept of a server that does not take one of the two.
const (
	chatField      wire.Field = "chat completions"
	responsesField wire.Field = "responses"
)

// protocol is the one that a model is spoken to in: that of the options, else what the
// server is known to want.
func (c *Client) protocol(model string) Protocol {
	switch {
	case c.opts.Protocol != "":
		return c.opts.Protocol
	case c.Refuses(model, responsesField):
		return ChatCompletions
	case c.isOpenAI() && !c.isAzureDeployment() || c.Refuses(model, chatField):
		return Responses
	}
	return ChatCompletions
}

var (
	wantsResponses = wire.Pattern(`v1/responses|responses (?:api|endpoint)`)
	wantsChat      = wire.Pattern(`v1/chat/completions|chat completions (?:api|endpoint)`)
)

// otherProtocol is the other protocol, where err says that the server wants that; else "".
func (c *Client) otherProtocol(p Protocol, err error) Protocol {
	if c.opts.Protocol != "" {
		return ""
	}
	switch said := wire.Words(err); {
	case p == ChatCompletions && wantsResponses().MatchString(said):
		return Responses
	case p == Responses && (isNotFound(err) || wire.ErrorOf(err).Status == 405 || wantsChat().MatchString(said)):
		return ChatCompletions
	}
	return ""
}

// toolsInChat makes r what chat completions take: OpenAI's models that take tools over
// the Responses API alone while they think are not to think. It says so, once.
func (c *Client) toolsInChat(r *chains.Request) (said string, err error) {
	facts := c.Facts(r.Model)
	if !facts.Responses || len(r.Tools) == 0 || r.Effort == chains.EffortOff || !c.isOpenAI() {
		return "", nil
	}
	if !slices.Contains(facts.Efforts, "none") {
		return "", c.NewError(chains.ErrConfig,
			"{model} takes tools over the Responses API alone: take protocol = \"chat\" out of [providers.{name}], or write with /chain chat.", "{model}", r.Model)
	}
	r.Effort = chains.EffortOff
	if _, known := c.unthinking.LoadOrStore(r.Model, true); !known {
		said = r.Model + " does not think while it has tools over chat completions; protocol = \"responses\" lets it."
	}
	return said, nil
}
