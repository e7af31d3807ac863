package gather

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	md "github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

const (
	pageTimeout = 20 * time.Second
	maxPage     = 4 << 20 // in bytes
)

var (
	errLargePage = errors.New("it has more")
	errPrivate   = errors.New("its address is on this machine or in a private network")
)

// newClient returns a client without cookies that refuses redirects from https to http.
func newClient() *http.Client {
	return &http.Client{
		Timeout: pageTimeout,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > 5 {
				return errors.New("too many redirects")
			}
			if via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
				return errors.New("the page leads to an address that is not encrypted")
			}
			return nil
		},
	}
}

// PublicClient returns a client for addresses that a person did not choose. It connects to public addresses only,
// which it checks after name resolution for every connection. It uses no proxy, and refuses redirects to another
// host.
func PublicClient() *http.Client {
	return publicClient(func(a netip.AddrPort) bool { return isPublic(a.Addr()) })
}

func publicClient(allowed func(netip.AddrPort) bool) *http.Client {
	c := newClient()
	dialer := &net.Dialer{Timeout: pageTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		if a, err := netip.ParseAddrPort(address); err != nil || !allowed(a) {
			return errPrivate
		}
		return nil
	}}
	c.Transport = &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: pageTimeout,
		ForceAttemptHTTP2: true, DisableKeepAlives: true,
	}
	follow := c.CheckRedirect
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if !strings.EqualFold(r.URL.Host, via[0].URL.Host) &&
			!strings.EqualFold(r.URL.Hostname(), via[0].URL.Hostname()) {
			return fmt.Errorf("the page leads to another host: %s", r.URL.Redacted())
		}
		return follow(r, via)
	}
	return c
}

// reservedNetworks are the networks without public hosts, besides those that netip knows, and networks whose
// addresses contain another address.
var reservedNetworks = networks(`
0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 64:ff9b:1::/48`)

var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96") // the last 32 bits are an IPv4 address
	unicast = netip.MustParsePrefix("2000::/3")     // the allocated part of IPv6
)

func networks(list string) (all []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

// isPublic reports whether an address is in the public network.
func isPublic(a netip.Addr) bool {
	if a = a.Unmap(); nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if a.Zone() != "" || !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !unicast.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(reservedNetworks, func(p netip.Prefix) bool { return p.Contains(a) })
}

// Fetcher fetches pages. The zero value is for addresses that a person named.
type Fetcher struct {
	Client *http.Client // nil for a client of its own
	Most   int64        // bytes of a page, 0 is 4 MB
}

// Page is a page as markdown.
type Page struct {
	URL   string // address after redirects
	Title string // the address if it has none
	Text  string
}

// Fetch reads the page at an http or https address. The page must be text. An error is in words for a person.
func (f Fetcher) Fetch(ctx context.Context, address string) (Page, error) {
	if f.Client == nil {
		f.Client = newClient()
	}
	if f.Most == 0 {
		f.Most = maxPage
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Page{}, errors.New("this is not an address")
	}
	r.Header.Set("User-Agent", "ibid")
	r.Header.Set("Accept", "text/html,text/markdown,text/plain;q=0.9,*/*;q=0.1")
	res, err := f.Client.Do(r)
	if err != nil {
		return Page{}, reason(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return Page{}, fmt.Errorf("the server answered %s", res.Status)
	}
	full := res.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(full) // on an error kind is "", and the content is examined below
	if kind != "" && !isText(kind) {
		return Page{}, fmt.Errorf("it is %s, and only text can be attached", kind)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, f.Most+1))
	switch {
	case err != nil:
		return Page{}, reason(err)
	case int64(len(data)) > f.Most:
		return Page{}, fmt.Errorf("%w than %d MB", errLargePage, f.Most>>20)
	case bytes.IndexByte(data, 0) >= 0:
		return Page{}, errors.New("it is no text, and only text can be attached")
	}
	if full == "" {
		full = http.DetectContentType(data)
	}
	decoded, err := charset.NewReader(bytes.NewReader(data), full)
	if err != nil {
		return Page{}, err
	}
	p := Page{URL: res.Request.URL.String()}
	if kind, _, _ = strings.Cut(full, ";"); kind == "text/html" || kind == "application/xhtml+xml" {
		p.Title, p.Text, err = markdown(decoded, res.Request.URL)
	} else if data, err = io.ReadAll(decoded); err == nil {
		p.Text = string(data)
	}
	if err == nil && strings.TrimSpace(p.Text) == "" {
		err = errors.New("it holds no text; a page that is made by a script cannot be read")
	}
	if p.Title == "" {
		p.Title = address
	}
	return p, err
}

// isText reports whether a media type is text.
func isText(kind string) bool {
	return strings.HasPrefix(kind, "text/") || kind == "application/json" || kind == "application/xml" ||
		strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") && !strings.HasPrefix(kind, "image/")
}

// reason returns in words for a person why a page could not be fetched.
func reason(err error) error {
	var ne net.Error
	if errors.Is(err, errPrivate) {
		return errPrivate
	}
	if errors.As(err, &ne) && ne.Timeout() {
		return errors.New("no answer in time")
	}
	var ue *url.Error
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}

// markdown converts a page to its title and text, with absolute links.
func markdown(page io.Reader, from *url.URL) (title, text string, err error) {
	doc, err := html.Parse(page)
	if err != nil {
		return "", "", err
	}
	title = titleOf(doc) // first, because the conversion changes the page
	out, err := md.ConvertNode(doc, converter.WithDomain(from.Scheme+"://"+from.Host))
	if err != nil {
		return "", "", err
	}
	return title, string(out), nil
}

func titleOf(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "title" && n.FirstChild != nil {
			if title := strings.Join(strings.Fields(n.FirstChild.Data), " "); title != "" {
				return title
			}
		}
	}
	return ""
}
