package openai

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains"
	"ibid/chains/wire"
)

var (
	_ chains.Model  = (*Client)(nil)
	_ chains.Server = (*Client)(nil)
)

// Options says which server to speak to, and how. BaseURL is all that a server
// without keys needs; usually it ends in /v1.
type Options struct {
	wire.Options
	Model string // used when a request names none

	// Protocol is the one to speak; "" is the one that the server is known to want,
	// and the other where it says so.
	Protocol Protocol

	// SendCacheKey sends Request.CacheKey to providers that route by one.
	SendCacheKey bool

	AzureVersion string // api-version of an Azure deployment; "" takes that of the address

	Keeper Keeper // nil keeps nothing
}

// Keeper keeps the beginning of prompts at the server, under names.
type Keeper interface {
	// Keep gives the name under which the server has the system message and the tools
	// of r, "" if they are to be sent. What the person is to know goes to say; if nobody
	// listens any more, ctx ends.
	Keep(ctx context.Context, r chains.Request, say func(string)) (name string)
	// Forget takes in that the server does not know a name any more.
	Forget(name string)
}

// Client is a chains.Model that talks to one server. Make it with New.
type Client struct {
	*wire.Client
	opts Options
	base string // where requests begin, without trailing slash

	below      atomic.Bool // requests begin at /v1 below base, which the address did not say
	reasoned   sync.Map    // the models that want reasoning_content in each message with calls
	unthinking sync.Map    // the models of which it was said that they do not think beside tools
}

// New checks o and makes a client. It does no I/O. The error says which option
// is wrong.
func New(o Options) (*Client, error) {
	server, err := wire.New(o.Options)
	if err != nil {
		return nil, err
	}
	c := &Client{
		Client: server, opts: o,
		base: server.Base("/chat/completions"),
	}
	if server.Provider.Name == "azure" {
		var deployment, version string
		c.base, deployment, version = azureAddress(server.URL)
		c.opts.Model, c.opts.AzureVersion = cmp.Or(o.Model, deployment), cmp.Or(o.AzureVersion, version)
		if version == "" && !strings.Contains(server.URL.Path, "/openai/v1") {
			server.URL.RawQuery = "" // the version of another interface
		}
	}
	c.Chosen, c.Ask = c.opts.Model, c.list
	return c, nil
}

// config is go-openai's configuration for requests to a model over doer.
func (c *Client) config(doer oai.HTTPDoer, model string) oai.ClientConfig {
	cfg := oai.DefaultConfig("") // the transport has the key
	if c.isAzureDeployment() {
		cfg = oai.DefaultAzureConfig("", c.base)
		cfg.APIVersion = c.opts.AzureVersion
		cfg.AzureModelMapperFunc = func(string) string { return url.PathEscape(model) }
	}
	cfg.BaseURL = c.address()
	cfg.HTTPClient = doer
	return cfg
}

// isAzureDeployment says that requests go to Azure's older addresses, which
// name the deployment in the path; the newer /openai/v1 is like everybody else.
func (c *Client) isAzureDeployment() bool { return c.opts.AzureVersion != "" }

// isOpenAI says that the server takes max_completion_tokens.
func (c *Client) isOpenAI() bool {
	p := c.Provider
	return p.Name == "openai" && !p.Foreign || p.Name == "azure" || c.isAzureDeployment()
}

// address is the beginning of the addresses of requests.
func (c *Client) address() string {
	if c.below.Load() {
		return c.base + "/v1"
	}
	return c.base
}

// tryBelow has requests begin at /v1 from now on, where err says that nothing is at
// an address that nobody knows and that has no version; it reports whether it did.
func (c *Client) tryBelow(err error) bool {
	return isNotFound(err) && c.Provider.Foreign &&
		!c.isAzureDeployment() && !strings.Contains(c.base[len(c.URL.Scheme)+3:], "/v") && c.below.CompareAndSwap(false, true)
}

// isNotFound reports whether err says that nothing is at an address.
func isNotFound(err error) bool {
	e := wire.ErrorOf(err)
	return e.Status == 404 && e.Code != wire.NoSuchModel
}

// Model is the server's model of this name, with thinking told from saying; ""
// is the model of the options or of the address.
func (c *Client) Model(name string) chains.Model { return wire.SplitThinking(c.Named(c, name)) }
