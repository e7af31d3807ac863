package gather

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	md "github.com/JohannesKaufmann/html-to-markdown/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"ibid/context/prompt"
)

const (
	maxPage     = 4 << 20 // bytes of a page that are read
	pageTimeout = 20 * time.Second
)

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

// page fetches a page once in this process and turns it into markdown.
func (g *Gatherer) page(ctx context.Context, ref prompt.Ref) (prompt.Item, *prompt.Missing) {
	g.mu.Lock()
	it, ok := g.pages[ref.ID]
	g.mu.Unlock()
	if ok {
		return it, nil
	}
	title, text, err := g.fetch(ctx, ref.ID)
	if err != nil {
		return prompt.Item{}, &prompt.Missing{Ref: ref, State: "unreadable", Reason: fmt.Sprintf("%s could not be read: %v", ref.ID, err)}
	}
	it = prompt.NewItem(ref, title, ref.ID, text)
	g.mu.Lock()
	g.pages[ref.ID] = it
	g.mu.Unlock()
	return it, nil
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
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return "", "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", "", fmt.Errorf("the server answered %s", res.Status)
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if kind != "" && !strings.HasPrefix(kind, "text/") && kind != "application/xhtml+xml" && kind != "application/json" {
		return "", "", fmt.Errorf("it is %s, and only text can be attached", kind)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxPage+1))
	if err != nil {
		return "", "", err
	}
	if len(data) > maxPage {
		return "", "", fmt.Errorf("it has more than %d MB", maxPage>>20)
	}
	if kind != "text/html" && kind != "application/xhtml+xml" {
		return address, string(data), nil
	}
	return markdown(data, res.Header.Get("Content-Type"), address)
}

// markdown turns a page into its title and its text.
func markdown(data []byte, contentType, address string) (title, text string, err error) {
	decoded, err := charset.NewReader(strings.NewReader(string(data)), contentType)
	if err != nil {
		return "", "", err
	}
	doc, err := html.Parse(decoded)
	if err != nil {
		return "", "", err
	}
	title = titleOf(doc)
	if title == "" {
		title = address
	}
	out, err := md.ConvertNode(doc)
	if err != nil {
		return "", "", err
	}
	return title, string(out), nil
}

func titleOf(n *html.Node) string {
	if n.Type == html.ElementNode && n.Data == "title" && n.FirstChild != nil {
		return strings.Join(strings.Fields(n.FirstChild.Data), " ")
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if t := titleOf(c); t != "" {
			return t
		}
	}
	return ""
}
