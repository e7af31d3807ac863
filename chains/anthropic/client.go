package anthropic

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

var (
	_ chains.Model  = (*Client)(nil)
	_ chains.Server = (*Client)(nil)
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

	maxReplies sync.Map // limits of replies that the server has named, by model
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

// answer makes the exchanges of one reply, and leaves out what the server refuses. If the server names the limit of the
// model's replies, it tries again with that.
func (c *Client) answer(ctx context.Context, out *wire.OutgoingRequest) error {
	fields := c.fields(out.Request)
	err := c.Without(ctx, out, fields, c.attempt)
	if !out.Shown && c.learnMaxTokens(out.Model, out.MaxTokens, err) {
		err = c.Without(ctx, out, fields, c.attempt)
	}
	return err
}

// maxReplyError matches an error that names the limit of a model's replies.
var maxReplyError = wire.Pattern(`max_tokens: \d+ > (\d+)\b.{0,40}maximum`)

// learnMaxTokens records the limit of a model's replies that err names. It reports whether a request for so many tokens
// is smaller now.
func (c *Client) learnMaxTokens(model string, asked int, err error) bool {
	m := maxReplyError().FindStringSubmatch(wire.Words(err))
	if m == nil || wire.ErrorOf(err).Kind != chains.ErrConfig || c.opts.Extra["max_tokens"] != nil {
		return false
	}
	before := c.maxTokens(model, asked)
	most, err := strconv.Atoi(m[1])
	if err != nil || most < 1 || most >= before {
		return false
	}
	c.maxReplies.Store(model, most)
	return true
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
