package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ibid/chains"
)

const (
	connectTime  = 10 * time.Second // for the connection, and again for TLS
	maxErrorBody = 64 << 10         // bytes of an error body that are read
	maxDocument  = 4 << 20          // bytes of a JSON document; OpenRouter's list of models has half a megabyte
)

// Options configure a client. A server without keys needs BaseURL only.
type Options struct {
	BaseURL   string // as documented by the provider
	Key       string // never shown; "" for none
	KeySource string // where the key was found, for messages: "env OPENAI_API_KEY"
	KeyError  error  // why there is no key; if set, no request is sent
	// returns another key within 10 s after the server refused one (401); may be nil
	NewKey      func(context.Context) (string, error)
	Name        string            // name of the provider in messages; "" takes it from BaseURL
	Provider    Provider          // what is known about the server; zero looks it up by Name and BaseURL
	Version     string            // of this program, for the User-Agent
	Headers     http.Header       // added to every request, last
	Extra       map[string]any    // fields that only some servers know, merged into the top level of a request
	Transport   http.RoundTripper // nil for the client's own
	Authorities *x509.CertPool    // authorities for certificates; nil for those of the system
	Certificate *tls.Certificate  // client certificate, for a server that asks for one; may be nil
	Timeouts    Timeouts
	// returns facts about a model; one that reasons may take minutes before it answers
	Facts    func(model string) Facts
	Log      *slog.Logger // gets refusals of the server, with its id of the request; may be nil
	Recorder *Recorder    // records every request and reply, without keys; may be nil
	Refusals Refusals     // remembers refused fields for later clients; may be nil

	// Lists caches the lists of models. Either function may be nil.
	Lists struct {
		Last func() []chains.ModelInfo // returns the list of an earlier run
		Keep func([]chains.ModelInfo)
	}
	Jitter func() float64 // returns a value in [0, 1) to spread retries; nil is random
}

// Timeouts limit how long the server may be silent. The reply as a whole has no limit. Zero values take the
// defaults; a negative value means no limit.
type Timeouts struct {
	// until the reply begins; 2 min, 10 min for models that reason, no limit for servers of the local network
	FirstByte time.Duration
	Idle      time.Duration // between two pieces of a reply; 5 min
}

// Client sends requests to one server, for any protocol. Create it with New.
type Client struct {
	Provider Provider // what is known about the server
	URL      *url.URL // BaseURL
	Chosen   string   // model for requests that name none, "" if there is none
	Ask      lister   // requests the list of models
	Answer   attempt  // makes the exchanges of one reply

	opts   Options
	name   string // of the provider, for messages
	local  bool
	redact *redactor
	http   *http.Client

	proxyVar string // environment variable that names a proxy

	key      atomic.Pointer[string] // key in use, "" for none
	renewing sync.Mutex             // held while another key is requested

	list        atomic.Pointer[[]chains.ModelInfo] // last list from the server, nil if there is none
	plainWarned atomic.Bool
	refused     sync.Map // refused fields, by model and field
}

// New validates o and returns a client. It does no I/O. The error says which option is wrong.
func New(o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(o.BaseURL))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("base URL %q: want http://host/v1 or https://host/v1",
			newRedactor(o.Key, o.Headers, nil).line(o.BaseURL))
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	c := &Client{
		Provider: o.Provider, URL: u,
		opts: o, local: isLocal(u.Host), redact: newRedactor(o.Key, o.Headers, u.Query()),
	}
	c.key.Store(&o.Key)
	c.list.Store(new([]chains.ModelInfo))
	if c.Provider.Name == "" {
		c.Provider = ProviderAt(o.Name, u.String())
	}
	c.name = cmp.Or(o.Name, c.Provider.Name)
	c.http = &http.Client{Transport: o.Transport, CheckRedirect: c.checkRedirect}
	proxy, variable := proxyFromEnvironment(u.Scheme)
	if c.proxyVar = variable; c.http.Transport == nil {
		to := &tls.Config{RootCAs: o.Authorities}
		if o.Certificate != nil {
			to.Certificates = []tls.Certificate{*o.Certificate}
		}
		c.http.Transport = &http.Transport{
			Proxy:                 proxy,
			DialContext:           (&net.Dialer{Timeout: connectTime, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   connectTime,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   2,
			IdleConnTimeout:       90 * time.Second,
			ReadBufferSize:        64 << 10, // so that one read empties a stream that has waited
			ExpectContinueTimeout: time.Second,
			TLSClientConfig:       to,
		}
	}
	return c, nil
}

// orDefaults fills in the defaults, and returns 0 for no limit.
func (t Timeouts) orDefaults(local, thinks bool) Timeouts {
	first := 2 * time.Minute
	switch {
	case local:
		first = 0
	case thinks:
		first = 10 * time.Minute
	}
	return Timeouts{
		FirstByte: max(0, cmp.Or(t.FirstByte, first)),
		Idle:      max(0, cmp.Or(t.Idle, 5*time.Minute)),
	}
}

// Limits returns the timeouts for a model.
func (c *Client) Limits(model string) Timeouts {
	return c.opts.Timeouts.orDefaults(c.Local(), c.Facts(model).Thinks)
}

// checkRedirect refuses redirects that would send the key to another host or turn the request into a GET.
func (c *Client) checkRedirect(next *http.Request, via []*http.Request) error {
	was := via[0]
	if len(via) > 3 || next.URL.Host != was.URL.Host || next.URL.Scheme != was.URL.Scheme || next.Method != was.Method {
		return redirectError(next.URL.Host)
	}
	return nil
}

// Name returns the name of the provider in messages.
func (c *Client) Name() string { return c.name }

// Local reports whether the server is on this machine or in its network.
func (c *Client) Local() bool { return c.local }

// Base returns the address at which requests begin, without a query, a final slash and the given endings, which are
// removed in order.
func (c *Client) Base(endings ...string) string {
	at := *c.URL
	at.RawQuery, at.Fragment = "", ""
	base := strings.TrimRight(at.String(), "/")
	for _, end := range endings {
		base = strings.TrimSuffix(base, end)
	}
	return base
}

// CloseIdle closes connections that no request uses. The client stays usable.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }

// do sends req with the key and the headers of the options. The exchange as a whole has no time limit, which would
// cut off long replies.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	req.Header.Set("User-Agent", "ibid/"+cmp.Or(c.opts.Version, "dev"))
	// The nil value is not sent. It tells net/http that it may send the request again if the server closed an idle
	// connection before it answered.
	req.Header["Idempotency-Key"] = nil
	if c.URL.RawQuery != "" {
		all := c.URL.Query()
		maps.Copy(all, req.URL.Query())
		req.URL.RawQuery = all.Encode()
	}
	return c.sendWithKey(req)
}

// GetJSON reads a JSON document at an address of the server. header may be nil. The error is a
// *chains.ProviderError or that of ctx.
func (c *Client) GetJSON(ctx context.Context, at string, header http.Header, into any) error {
	return c.JSON(ctx, http.MethodGet, at, header, nil, into)
}

// JSON sends body as a JSON document, nil for none, and decodes the answer into into. header may be nil, and so may
// into, if the answer does not matter. The error is a *chains.ProviderError or that of ctx.
func (c *Client) JSON(ctx context.Context, method, at string, header http.Header, body, into any) error {
	if c.opts.KeyError != nil {
		return c.missingKey()
	}
	var doc []byte
	if body != nil {
		doc = Marshal(body)
	}
	req, err := c.newRequest(ctx, method, at, header, doc, "application/json")
	if err != nil {
		return err
	}
	resp, err := c.do(req)
	if err != nil {
		return c.Unreachable(context.WithoutCancel(ctx), err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		doc, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return c.refusalError(resp, doc, "")
	}
	if into == nil {
		return nil
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, maxDocument)).Decode(into)
	var misfit *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &misfit) {
		bad := c.NewError(chains.ErrBadReply,
			"{name} answers with something that is not JSON. Check base_url, which usually ends in /v1.")
		bad.Err = err
		return bad
	}
	return nil
}

// plainWarning returns a warning that the key travels unencrypted, the first time that this is so, else "".
func (c *Client) plainWarning() string {
	if c.opts.Key == "" || Loopback(c.URL.Host) || c.URL.Scheme == "https" || c.plainWarned.Swap(true) {
		return ""
	}
	return fmt.Sprintf("The key for %s travels unencrypted: use https in base_url.", c.name)
}

// missingKey returns the error for a provider that needs a key if there is none, or if reading it failed; nil if a
// request may be tried.
func (c *Client) missingKey() *chains.ProviderError {
	if c.opts.KeyError != nil {
		e := c.NewError(chains.ErrAuth, "No key for {name}: {why}.", "{why}", c.opts.KeyError.Error())
		e.Err = c.opts.KeyError
		return e
	}
	if c.opts.Key != "" || !c.Provider.Needed() {
		return nil
	}
	for name := range c.opts.Headers {
		if secretHeader(name) {
			return nil
		}
	}
	return c.NewError(chains.ErrAuth, c.askForKey())
}
