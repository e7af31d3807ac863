package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"ibid/chains"
	"ibid/context/gather"
	"ibid/vault/md"
)

// Web configures the tools that use the network. The zero value has none.
type Web struct {
	// Address of a SearXNG server, "" for no webSearch
	Search string `toml:"search" help:"address of a SearXNG server, for the tool webSearch" words:"internet browse google"`
	// Whether to offer fetchUrl
	Fetch bool `toml:"fetch" help:"the tool fetchUrl, for pages on public hosts" words:"internet browse url"`

	Pages gather.Fetcher // fetcher of fetchUrl; without a client it reaches public hosts only
}

// CheckSearch returns an error if the address of a search server is invalid.
func CheckSearch(address string) error {
	if _, ok := parseAddress(address); !ok {
		return fmt.Errorf("%q is no address of a search server, such as http://127.0.0.1:8888", address)
	}
	return nil
}

// parseAddress parses the address of a page.
func parseAddress(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

type webArgs struct {
	Query string
	Limit int
}

// Limits of the answer of a search server.
const (
	searchTime = 15 * time.Second
	maxAnswer  = 2 << 20 // bytes
	maxSnippet = 1000    // characters
	maxTitle   = 200
)

// webAnswer is the answer of a SearXNG server.
type webAnswer struct {
	Results []struct {
		URL           string `json:"url"`
		Title         string `json:"title"`
		Content       string `json:"content"`
		PublishedDate string `json:"publishedDate"`
	} `json:"results"`
}

func (o Options) webSearch(ctx context.Context, a webArgs) chains.ToolOutput {
	query := strings.Join(strings.Fields(strings.ToValidUTF8(a.Query, " ")), " ")
	answer, err := o.Web.ask(ctx, query)
	if err != nil {
		return failedResult("The search did not work", err.Error())
	}
	out := chains.ToolOutput{Attributes: [][2]string{{"query", query}}, Guidance: howToCite}
	var hosts []string
	for _, r := range answer.Results {
		u, ok := parseAddress(r.URL)
		if !ok || len(out.Documents) == a.Limit {
			continue
		}
		u.Fragment, u.User = "", nil
		d := chains.Document{
			ID: len(out.Documents) +
				1, Title: md.Clip(visibleLine(cmp.Or(r.Title, u.Host)), maxTitle), Path: u.String(),
			Content: md.Clip(visibleLine(r.Content), maxSnippet),
		}
		if day, _, _ := strings.Cut(r.PublishedDate, "T"); len(day) == len(time.DateOnly) {
			if _, err := time.Parse(time.DateOnly, day); err == nil {
				d.Modified = day
			}
		}
		out.Documents, out.Sources = append(out.Documents, d),
			append(out.Sources, chains.Source{ID: d.ID, Path: d.Path})
		if host := u.Hostname(); !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	if len(out.Documents) == 0 {
		return chains.ToolOutput{Attributes: out.Attributes, Text: "No page matches.", Note: "no page matches"}
	}
	out.Note = md.Plural(len(out.Documents), "page") + ": " + strings.Join(hosts, ", ")
	return out
}

// ask sends a query to the search server.
func (w *Web) ask(ctx context.Context, query string) (answer webAnswer, err error) {
	u, ok := parseAddress(w.Search)
	if !ok {
		return answer, errors.New("its address is not understood")
	}
	if !strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/search") {
		u.Path = strings.TrimRight(u.Path, "/") + "/search"
	}
	values := u.Query()
	values.Set("q", query)
	values.Set("format", "json")
	u.RawQuery = values.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return answer, err
	}
	r.Header.Set("User-Agent", "ibid")
	r.Header.Set("Accept", "application/json")
	client := http.Client{Timeout: searchTime, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Do(r)
	if err != nil {
		return answer, fmt.Errorf("%s does not answer", u.Host)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("%s answered %s; it must allow the format json", u.Host, res.Status)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(&answer); err != nil {
		return answer, fmt.Errorf("%s does not answer in JSON; it must allow the format json", u.Host)
	}
	return answer, nil
}

// visibleLine returns a text on one line, without characters that control a terminal or the direction of text.
func visibleLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

type fetchArgs struct {
	URL              string
	MaxContentLength int
}

// pageJSON is a fetched page.
type pageJSON struct {
	URL     string `json:"url"`
	Title   string `json:"title"`
	Content string `json:"content"`
}

func (o Options) fetchURL(ctx context.Context, a fetchArgs) chains.ToolOutput {
	u, ok := parseAddress(strings.TrimSpace(a.URL))
	if !ok || u.User != nil {
		return failedResult("url: it is no http or https address",
			"give a full address, such as https://example.org/page, without a password")
	}
	u.Fragment = ""
	page, err := o.Web.Pages.Fetch(ctx, u.String())
	if err != nil {
		return failedResult("The page was not fetched", visibleLine(err.Error()))
	}
	limit := min(a.MaxContentLength, roomOf(chains.CallerOf(ctx)))
	data := pageJSON{
		page.URL, md.Clip(visibleLine(page.Title), maxTitle),
		truncateText(strings.TrimSpace(page.Text), limit),
	}
	return chains.ToolOutput{
		Text: success(data, "Page fetched"),
		Note: "page: " + page.URL, Sources: []chains.Source{{Path: page.URL}},
	}
}
