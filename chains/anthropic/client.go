package anthropic

import (
	"context"
	"net/http"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// version is the version of the protocol in its header.
const version = "2023-06-01"

// defaultMaxTokens is the limit of a reply for an unknown model, since the protocol requires a number.
const defaultMaxTokens = 8192

// Options configure a client. Anthropic itself needs the key only.
type Options struct {
	wire.Options        // BaseURL with or without /v1; a temperature in Extra is left out while a model reasons
	Model        string // model of requests that name none

	Marks    bool          // send the cache marks of prompts
	Lifetime time.Duration // wanted lifetime of the cache; from an hour on the marks request one
}

// Client is a chains.Model that talks to one server. Create it with New.
type Client struct {
	*wire.Client
	opts Options
	base string // beginning of request URLs, without trailing slash
}

// New validates o and returns a client. It does no I/O. The error says which option is wrong.
func New(o Options) (*Client, error) {
	server, err := wire.New(o.Options)
	if err != nil {
		return nil, err
	}
	c := &Client{Client: server, opts: o, base: server.Base("/messages", "/v1") + "/v1"}
	c.Chosen, c.Ask, c.Answer = o.Model, c.list, c.answer
	return c, nil
}

// Model returns the server's model of this name; "" is the model of the options.
func (c *Client) Model(name string) chains.Model { return c.Named(name) }

// list requests the list of models, which has the newest first.
func (c *Client) list(ctx context.Context) ([]chains.ModelInfo, error) {
	return c.ModelsAt(ctx, c.base+"/models?limit=1000", c.header())
}

// header returns the headers of every request.
func (c *Client) header() http.Header {
	return http.Header{"Anthropic-Version": {version}, "X-Api-Key": nil}
}

// answer makes the exchanges of one reply, and leaves out what the server refuses.
func (c *Client) answer(ctx context.Context, out *wire.OutgoingRequest) error {
	return c.Without(ctx, out, c.fields(out.Request), c.attempt)
}

// fields returns the fields of a request that some servers and models refuse.
func (c *Client) fields(r chains.Request) []wire.Field {
	return c.FieldsOf(r, map[wire.Field]bool{
		wire.StreamField: true, wire.MarksField: c.opts.Marks, wire.BudgetField: r.Effort != "",
		wire.AdaptiveField: r.Effort != "",
	})
}

// maxPauses limits how often a reply is continued.
const maxPauses = 4

// attempt makes the exchanges of one reply: one, and another for each time that the server pauses.
func (c *Client) attempt(ctx context.Context, out *wire.OutgoingRequest) error {
	body := c.encodeRequest(out.Request, out.Left)
	var before *chains.Usage
	for pauses := 0; ; pauses++ {
		doc := wire.Encode(body, body.extra)
		in := &reply{counts: map[string]int{}, before: before, goesOn: pauses < maxPauses}
		err := c.Exchange(ctx, c.base+"/messages", c.header(), doc, "text/event-stream", out, in)
		if err != nil || !in.paused {
			return err
		}
		body.Messages = append(body.Messages, message{Role: "assistant", Content: in.spoken()})
		before = in.usage()
	}
}
