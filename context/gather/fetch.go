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
	"strings"
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

var errLargePage = errors.New("it has more")

// PublicClient returns a client for addresses that a person did not choose. It connects to public addresses only,
// which it checks after name resolution for every connection. It uses no proxy, and refuses redirects to another
// host.
func PublicClient() *http.Client {
	return publicClient(isPublicPort)
}

func publicClient(allowed func(netip.AddrPort) bool) *http.Client {
	c := pageClient(&addressGuard{isPublic: allowed})
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if !strings.EqualFold(r.URL.Hostname(), via[0].URL.Hostname()) {
			return fmt.Errorf("the page leads to another host: %s", r.URL.Redacted())
		}
		return checkRedirect(r, via)
	}
	return c
}

// checkRedirect refuses redirects from https to http, and long chains of them.
func checkRedirect(r *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("too many redirects")
	}
	if via[0].URL.Scheme == "https" && r.URL.Scheme != "https" {
		return errors.New("the page leads to an address that is not encrypted")
	}
	return nil
}

// Fetcher fetches pages. The zero value is for addresses that a person named.
type Fetcher struct {
	Client *http.Client // nil for a client of its own
	Most   int64        // bytes of a page, 0 is 4 MB
	Public bool         // somebody else chose the address: only public ones are reached
}

// newClient returns a client without cookies for one page, whose host a person named.
func newClient() *http.Client {
	return pageClient(&addressGuard{isPublic: isPublicPort, isNamed: true})
}

func pageClient(g *addressGuard) *http.Client {
	return &http.Client{Timeout: pageTimeout, Transport: g, CheckRedirect: checkRedirect}
}

// Page is a page as markdown.
type Page struct {
	URL   string // address after redirects
	Title string // the address if it has none
	Text  string
}

// Fetch reads the page at an http or https address. The page must be text. An error is in words for a person.
func (f Fetcher) Fetch(ctx context.Context, address string) (Page, error) {
	if f.Most == 0 {
		f.Most = maxPage
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Page{}, errors.New("this is not an address")
	}
	client := f.Client
	switch {
	case f.Public:
		client = pageClient(&addressGuard{isPublic: isPublicPort})
	case client == nil:
		client = newClient()
	}
	r.Header.Set("User-Agent", "ibid")
	r.Header.Set("Accept", "text/html,text/markdown,text/plain;q=0.9,*/*;q=0.1")
	res, err := client.Do(r)
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
