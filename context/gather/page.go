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
	"net/url"
	"strings"
	"time"

	md "github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"ibid/context/prompt"
)

const (
	pageTimeout = 20 * time.Second
)

var errLargePage = errors.New("it has more")

// newClient fetches pages without cookies and without following a redirect from
// https to http.
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

// page is a page as it was fetched last.
type page struct {
	item prompt.Item
	at   time.Time
}

// Refetch fetches pages again that were fetched before in this process; other
// references it passes over. Of a page that cannot be reached now, the old text
// goes on counting, and why is reported.
func (g *Gatherer) Refetch(ctx context.Context, refs []prompt.Ref) []prompt.Missing {
	var failed []prompt.Missing
	for _, r := range refs {
		old, ok := g.fetched(r)
		if !ok {
			continue
		}
		if _, miss := g.page(ctx, r, true); miss != nil && ctx.Err() == nil {
			miss.State = "old_page"
			miss.Reason += "; its text of " + old.at.Format("2006-01-02 15:04") + " is kept"
			failed = append(failed, *miss)
		}
	}
	return failed
}

// Pages says of the pages that were fetched in this process when that was, by URL.
func (g *Gatherer) Pages() map[string]time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make(map[string]time.Time, len(g.pages))
	for url, p := range g.pages {
		all[url] = p.at
	}
	return all
}

func (g *Gatherer) fetched(ref prompt.Ref) (page, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p, ok := g.pages[ref.ID]
	return p, ok && ref.Kind == prompt.URL
}

// page is a page as markdown. One that was fetched before is fetched again only
// if anew is set.
func (g *Gatherer) page(ctx context.Context, ref prompt.Ref, anew bool) (prompt.Item, *prompt.Missing) {
	if p, ok := g.fetched(ref); ok && !anew {
		return p.item, nil
	}
	title, text, err := g.fetch(ctx, ref.ID)
	if err != nil {
		miss := &prompt.Missing{Ref: ref, State: "unreadable", Reason: fmt.Sprintf("%s could not be read: %v", ref.ID, err)}
		if errors.Is(err, errLargePage) {
			miss.State = "too_large"
		}
		return prompt.Item{}, miss
	}
	p := page{item: prompt.NewItem(ref, title, ref.ID, withoutData(text)), at: g.opts.Now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pages[ref.ID] = p
	return p.item, nil
}

func (g *Gatherer) fetch(ctx context.Context, address string) (title, text string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", "", errors.New("this is not an address")
	}
	r.Header.Set("User-Agent", "ibid")
	r.Header.Set("Accept", "text/html,text/markdown,text/plain;q=0.9,*/*;q=0.1")
	res, err := g.opts.HTTP.Do(r)
	if err != nil {
		return "", "", reason(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", "", fmt.Errorf("the server answered %s", res.Status)
	}
	full := res.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(full) // what cannot be parsed is looked at below
	if kind != "" && !isText(kind) {
		return "", "", fmt.Errorf("it is %s, and only text can be attached", kind)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, g.opts.MaxPage+1))
	switch {
	case err != nil:
		return "", "", reason(err)
	case int64(len(data)) > g.opts.MaxPage:
		return "", "", fmt.Errorf("%w than %d MB", errLargePage, g.opts.MaxPage>>20)
	case bytes.IndexByte(data, 0) >= 0:
		return "", "", errors.New("it is no text, and only text can be attached")
	}
	if full == "" {
		full = http.DetectContentType(data)
	}
	decoded, err := charset.NewReader(bytes.NewReader(data), full)
	if err != nil {
		return "", "", err
	}
	title = address
	if kind, _, _ = strings.Cut(full, ";"); kind == "text/html" || kind == "application/xhtml+xml" {
		title, text, err = markdown(decoded, res.Request.URL)
	} else if data, err = io.ReadAll(decoded); err == nil {
		text = string(data)
	}
	if err == nil && strings.TrimSpace(text) == "" {
		err = errors.New("it holds no text; a page that is made by a script cannot be read")
	}
	if title == "" {
		title = address
	}
	return title, text, err
}

// isText reports whether a media type is one of text.
func isText(kind string) bool {
	return strings.HasPrefix(kind, "text/") || kind == "application/json" || kind == "application/xml" ||
		strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") && !strings.HasPrefix(kind, "image/")
}

// reason says in words for a person why a page could not be fetched.
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

// markdown turns a page into its title and its text, with links that lead
// somewhere from here too.
func markdown(page io.Reader, from *url.URL) (title, text string, err error) {
	doc, err := html.Parse(page)
	if err != nil {
		return "", "", err
	}
	title = titleOf(doc) // before the conversion, which takes the page apart
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
