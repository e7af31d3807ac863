package openai

import (
	"slices"

	"ibid/chains"
	"ibid/chains/wire"
)

// Protocol is one of OpenAI's two protocols.
type Protocol string

// The protocols. Responses is for OpenAI itself and Azure's v1 address, chat completions for all others.
const (
	ChatCompletions Protocol = "chat"
	Responses       Protocol = "responses"
)

// Fields that record that a server does not take one of the protocols.
const (
	chatField      wire.Field = "chat completions"
	responsesField wire.Field = "responses"
)

// protocol returns the protocol for a model: that of the options, else the one that the server is known to require.
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

// otherProtocol returns the other protocol if err says that the server requires it, else "".
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

// toolsInChat switches off reasoning in r for models of OpenAI that take tools only in the Responses API while they
// reason. It returns a notice, once a model.
func (c *Client) toolsInChat(r *chains.Request) (said string, err error) {
	facts := c.Facts(r.Model)
	if !facts.Responses || len(r.Tools) == 0 || r.Effort == chains.EffortOff || !c.isOpenAI() {
		return "", nil
	}
	if !slices.Contains(facts.Efforts, "none") {
		return "", c.NewError(chains.ErrConfig,
			"{model} takes tools over the Responses API alone: take protocol = \"chat\" out of [providers.{name}], or write with /chain chat.",
			"{model}", r.Model)
	}
	r.Effort = chains.EffortOff
	if _, known := c.unthinking.LoadOrStore(r.Model, true); !known {
		said = r.Model + " does not think while it has tools over chat completions; protocol = \"responses\" lets it."
	}
	return said, nil
}
