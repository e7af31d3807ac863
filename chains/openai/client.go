package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains"
)

var _ chains.Model = (*Client)(nil)

// Options says which server to speak to, and how. BaseURL is all that a server
// without keys needs.
type Options struct {
	BaseURL   string            // as documented by the provider, usually ending in /v1
	Key       string            // sent as a bearer token; "" sends none
	KeySource string            // where the key was found, for messages: "env OPENAI_API_KEY"
	Name      string            // what messages call the provider; "" takes it from BaseURL
	Model     string            // used when a request names none
	Headers   http.Header       // added to every request, last
	Transport http.RoundTripper // nil: one of our own
	Timeouts  Timeouts
	Recorder  Recorder // sees every request and reply, without keys; may be nil

	// Extra is merged into the top level of every request body: settings of one
	// server that nobody else knows, such as {"temperature": 0}.
	Extra map[string]any

	// Marks says how a model takes cache marks; nil means that none are sent.
	// A provider that is known not to pass a kind of mark on never gets it.
	Marks func(model string) Marks

	// SendCacheKey sends Request.CacheKey to providers that route by one.
	SendCacheKey bool

	AzureVersion string         // api-version of an Azure deployment; "" takes that of the address
	Jitter       func() float64 // in [0, 1), spreads retries; nil is random
}

// Timeouts limits how long the server may be silent. There is no limit on the
// whole reply. Zero values take the defaults; a negative value means no limit.
type Timeouts struct {
	Connect   time.Duration // to connect, and again for TLS; 10 s
	FirstByte time.Duration // until the reply begins; 120 s, none for servers of the local network
	Idle      time.Duration // between two pieces of a reply; 90 s
}

// Recorder keeps what goes over the wire. Record is called once per message
// with keys already removed: kind is "request", "reply" or "error", n counts
// the exchanges of a client from 1 and is the same for a request and what
// answers it. An error becomes a notice of the turn and stops nothing.
type Recorder interface {
	Record(n int64, kind string, body []byte) error
}

// Client is a chains.Model that talks to one server. Make it with New.
type Client struct {
	opts     Options
	name     string // for people
	base     string // BaseURL without trailing slash
	host     string // host:port of base
	provider Provider
	limits   Timeouts
	redact   redactor
	http     *http.Client
	idler    interface{ CloseIdleConnections() }
	api      *oai.Client

	exchanges   atomic.Int64
	noUsage     atomic.Bool // the server refuses stream_options
	plainWarned atomic.Bool
	models      atomic.Pointer[[]ModelInfo] // the last list, for "did you mean"
	echoes      echoes
}

// New checks o and makes a client. It does no I/O. The error says which option
// is wrong.
func New(o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(o.BaseURL))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("base URL %q: want http://host/v1 or https://host/v1", newRedactor(o.Key, o.Headers).line(o.BaseURL))
	}
	if strings.ContainsAny(o.Key, "\r\n\x00") {
		return nil, fmt.Errorf("key for %s: it has a line break in it; paste it again", u.Host)
	}
	if _, err := json.Marshal(o.Extra); err != nil {
		return nil, fmt.Errorf("extra request fields for %s: %w", u.Host, err)
	}
	c := &Client{
		opts:     o,
		base:     strings.TrimSuffix(strings.TrimRight(u.String(), "/"), "/chat/completions"),
		host:     u.Host,
		provider: ProviderAt(o.Name, u.String()),
		redact:   newRedactor(o.Key, o.Headers),
	}
	if c.provider.Name == "azure" {
		var deployment, version string
		c.base, deployment, version = azureAddress(u)
		c.opts.Model, c.opts.AzureVersion = cmp.Or(o.Model, deployment), cmp.Or(o.AzureVersion, version)
	}
	if c.opts.Jitter == nil {
		c.opts.Jitter = rand.Float64
	}
	c.name = o.Name
	if c.name == "" {
		c.name = c.provider.Name
	}
	c.limits = o.Timeouts.orDefaults(isLocal(u.Host))
	c.http = c.newHTTP()
	c.api = oai.NewClientWithConfig(c.config())
	return c, nil
}

// orDefaults fills in what is zero, and turns "no limit" into zero.
func (t Timeouts) orDefaults(local bool) Timeouts {
	pick := func(d, def time.Duration) time.Duration {
		switch {
		case d == 0:
			return def
		case d < 0:
			return 0
		}
		return d
	}
	first := 120 * time.Second
	if local {
		first = 0
	}
	return Timeouts{
		Connect:   pick(t.Connect, 10*time.Second),
		FirstByte: pick(t.FirstByte, first),
		Idle:      pick(t.Idle, 90*time.Second),
	}
}

// newHTTP is the HTTP client under go-openai. It has no overall timeout, which
// would cut long replies off, and follows no redirect that would carry the key
// elsewhere or turn the request into a GET.
func (c *Client) newHTTP() *http.Client {
	base := c.opts.Transport
	if base == nil {
		base = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: c.limits.Connect, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   c.limits.Connect,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   2,
			IdleConnTimeout:       90 * time.Second,
			ExpectContinueTimeout: time.Second,
		}
	}
	c.idler, _ = base.(interface{ CloseIdleConnections() })
	return &http.Client{
		Transport: &transport{base: base, client: c},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			was := via[0]
			if len(via) > 3 || next.URL.Host != was.URL.Host || next.URL.Scheme != was.URL.Scheme || next.Method != was.Method {
				return fmt.Errorf("%s sends requests on to %s: %w", c.name, next.URL.Host, errMoved)
			}
			return nil
		},
	}
}

// config is go-openai's configuration.
func (c *Client) config() oai.ClientConfig {
	cfg := oai.DefaultConfig(c.opts.Key)
	if c.isAzureDeployment() {
		cfg = oai.DefaultAzureConfig(c.opts.Key, c.base)
		cfg.APIVersion = c.opts.AzureVersion
		cfg.AzureModelMapperFunc = func(model string) string { return url.PathEscape(model) }
	}
	cfg.BaseURL = c.base
	cfg.HTTPClient = c.http
	return cfg
}

// isAzureDeployment says that requests go to Azure's older addresses, which
// name the deployment in the path; the newer /openai/v1 is like everybody else.
func (c *Client) isAzureDeployment() bool { return c.opts.AzureVersion != "" }

// isOpenAI says that the server takes max_completion_tokens.
func (c *Client) isOpenAI() bool {
	return c.provider.Name == "openai" || c.provider.Name == "azure" || c.isAzureDeployment()
}

// Name is what messages call the provider.
func (c *Client) Name() string { return c.name }

// Local says that the server is on this machine or in its network.
func (c *Client) Local() bool { return isLocal(c.host) }

// CloseIdle closes connections that no request is using. The client stays usable.
func (c *Client) CloseIdle() {
	if c.idler != nil {
		c.idler.CloseIdleConnections()
	}
}

// plainWarning is said once when a key would travel unencrypted.
func (c *Client) plainWarning() string {
	if c.opts.Key == "" || isLoopback(c.host) || strings.HasPrefix(c.base, "https://") || c.plainWarned.Swap(true) {
		return ""
	}
	return fmt.Sprintf("The key for %s travels unencrypted: use https in base_url.", c.name)
}

// missingKey is the error for a provider that is known to want a key when
// there is none; nil if a request may be tried.
func (c *Client) missingKey() *chains.ProviderError {
	if c.opts.Key != "" || !c.provider.Needed() {
		return nil
	}
	for name := range c.opts.Headers {
		if secretHeader(name) {
			return nil
		}
	}
	return &chains.ProviderError{Kind: chains.ErrAuth, Message: c.noKeyLine()}
}

// sleep waits for d, or less if ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
