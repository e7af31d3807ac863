package openai

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains"
	"ibid/chains/wire"
)

// Options configure a client. A server without keys needs BaseURL only; it usually ends in /v1.
type Options struct {
	wire.Options
	Model string // model of requests that name none

	// Protocol is the protocol to use. "" uses the one that the server is known to require, and switches if the
	// server asks for the other.
	Protocol Protocol

	// SendCacheKey sends Request.CacheKey to providers that route by one.
	SendCacheKey bool

	AzureVersion string // api-version of an Azure deployment; "" takes that of the address

	Keeper Keeper // may be nil
}

// Keeper stores the beginning of prompts at the server, under names.
type Keeper interface {
	// Keep returns the name under which the server has the system message and the tools of r, "" if they must be
	// sent. It passes notices for the person to say, and stops when ctx ends.
	Keep(ctx context.Context, r chains.Request, say func(string)) (name string)
	// Forget records that the server does not know a name any more.
	Forget(name string)
}

// Client is a chains.Model that talks to one server. Create it with New.
type Client struct {
	*wire.Client
	opts Options
	base string // beginning of request URLs, without trailing slash

	versionBelow   atomic.Bool // requests begin at /v1 below base, which the address lacked
	needsReasoning sync.Map    // models that require reasoning_content in each message with calls
	unthinking     sync.Map    // models for which toolsInChat gave its notice
}

// New validates o and returns a client. It does no I/O. The error says which option is wrong.
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
			server.URL.RawQuery = "" // api-version of another interface
		}
	}
	c.Chosen, c.Ask, c.Answer = c.opts.Model, c.list, c.answer
	return c, nil
}

// transport returns the transport for a request, and go-openai's client over it.
func (c *Client) transport(out *wire.OutgoingRequest, extra map[string]any, header http.Header) (*wire.Transport,
	*oai.Client,
) {
	to := &wire.Transport{Client: c.Client, Out: out, Extra: extra, Header: header}
	cfg := oai.DefaultConfig("") // the transport has the key
	if c.isAzureDeployment() {
		cfg = oai.DefaultAzureConfig("", c.base)
		cfg.APIVersion = c.opts.AzureVersion
		cfg.AzureModelMapperFunc = func(string) string { return url.PathEscape(out.Model) }
	}
	cfg.BaseURL, cfg.HTTPClient = c.address(), to
	return to, oai.NewClientWithConfig(cfg)
}

// isAzureDeployment reports whether requests go to Azure's older addresses, which contain the deployment; the newer
// /openai/v1 is like any other server.
func (c *Client) isAzureDeployment() bool { return c.opts.AzureVersion != "" }

// isOpenAI reports whether the server takes max_completion_tokens.
func (c *Client) isOpenAI() bool {
	p := c.Provider
	return p.Name == "openai" && !p.Foreign || p.Name == "azure" || c.isAzureDeployment()
}

// address returns the beginning of request URLs.
func (c *Client) address() string {
	if c.versionBelow.Load() {
		return c.base + "/v1"
	}
	return c.base
}

// tryBelow switches to /v1 below the address after a 404, if the server is unknown and its address has no version.
// It reports whether it did.
func (c *Client) tryBelow(err error) bool {
	return isNotFound(err) && c.Provider.Foreign &&
		!c.isAzureDeployment() && !strings.Contains(c.base[len(c.URL.Scheme)+3:], "/v") &&
		c.versionBelow.CompareAndSwap(false, true)
}

// isNotFound reports whether err says that nothing exists at an address.
func isNotFound(err error) bool {
	e := wire.ErrorOf(err)
	return e.Status == 404 && e.Code != wire.NoSuchModel
}
