package gather_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

type served struct {
	kind   string
	status int
	body   string
	to     string // redirect
}

func TestPages(t *testing.T) {
	pages := map[string]served{
		"/plain":     {kind: "text/html", body: "<html><head><title> A\n page </title><style>p{}</style><script>alert(1)</script></head><body><h1>Head</h1><p>Some <b>bold</b> text &amp; a <a href=\"/x?a=1\">link</a>.</p><ul><li>one<li>two</ul></body></html>"},
		"/latin":     {kind: "text/html; charset=iso-8859-1", body: "<title>Caf\xe9</title><p>cr\xe8me</p>"},
		"/meta":      {kind: "text/html", body: "<meta charset=\"windows-1252\"><title>x</title><p>\x93quoted\x94</p>"},
		"/text":      {kind: "text/plain; charset=iso-8859-1", body: "caf\xe9\n"},
		"/markdown":  {kind: "text/markdown", body: "# Head\n\n- [ ] todo\n"},
		"/json":      {kind: "application/json", body: `{"a":1}`},
		"/ld":        {kind: "application/ld+json", body: `{"b":1}`},
		"/untitled":  {kind: "application/xhtml+xml", body: "<p>x</p>"},
		"/image":     {kind: "text/html", body: "<title>x</title><img alt=\"dot\" src=\"data:image/png;base64," + strings.Repeat("QUJD", 100) + "\">"},
		"/moved":     {status: 302, to: "/plain"},
		"/loop":      {status: 302, to: "/loop"},
		"/gone":      {kind: "text/html", status: 404, body: "<p>no</p>"},
		"/pdf":       {kind: "application/pdf", body: "%PDF"},
		"/binary":    {body: "a\x00b\x01\x02"},
		"/disguised": {kind: "text/plain", body: "a\x00b\x01\x02"},
		"/large":     {kind: "text/plain", body: strings.Repeat("x", 4<<20+1)},
		"/empty":     {kind: "text/html", body: "<title>x</title>"},
	}
	asked := map[string]int{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path]++
		p := pages[r.URL.Path]
		if p.kind != "" {
			w.Header().Set("Content-Type", p.kind)
		} else if p.to == "" {
			w.Header()["Content-Type"] = nil
		}
		if p.to != "" {
			w.Header().Set("Location", p.to)
		}
		w.WriteHeader(max(p.status, 200))
		_, _ = w.Write([]byte(p.body))
	}))
	defer web.Close()
	tests := []struct{ path, title, content, missing string }{
		{path: "/plain", title: "A page", content: "# Head\n\nSome **bold** text & a [link](" + web.URL + "/x?a=1).\n\n- one\n- two"},
		{path: "/latin", title: "Café", content: "crème"},
		{path: "/meta", title: "x", content: "“quoted”"},
		{path: "/text", title: web.URL + "/text", content: "café"},
		{path: "/markdown", title: web.URL + "/markdown", content: "# Head\n\n- [ ] todo"},
		{path: "/json", title: web.URL + "/json", content: `{"a":1}`},
		{path: "/ld", title: web.URL + "/ld", content: `{"b":1}`},
		{path: "/untitled", title: web.URL + "/untitled", content: "x"},
		{path: "/image", title: "x", content: "data:image/png;size=300;sha256="},
		{path: "/moved", title: "A page", content: "# Head"},
		{path: "/loop", missing: "too many redirects"},
		{path: "/gone", missing: "404"},
		{path: "/pdf", missing: "application/pdf"},
		{path: "/binary", missing: "only text can be attached"},
		{path: "/disguised", missing: "only text can be attached"},
		{path: "/large", missing: "more than 4 MB"},
		{path: "/empty", missing: "no text"},
	}
	g, _ := newGatherer(t, "-- a.md --\nx\n")
	for _, tt := range tests {
		ref := prompt.Ref{Kind: prompt.URL, ID: web.URL + tt.path}
		for range 2 {
			items, missing, err := g.Gather(t.Context(), []prompt.Ref{ref})
			switch {
			case err != nil:
				t.Fatal(err)
			case tt.missing != "":
				if len(items) > 0 || len(missing) != 1 || (missing[0].State == "too_large") != (tt.path == "/large") || !strings.Contains(missing[0].Reason, tt.missing) || !strings.Contains(missing[0].Reason, tt.path) {
					t.Errorf("%s: %+v, %+v", tt.path, items, missing)
				}
			case len(items) != 1:
				t.Errorf("%s: %+v", tt.path, missing)
			case items[0].Title != tt.title || !strings.Contains(items[0].Content, tt.content) || items[0].Ref != ref:
				t.Errorf("%s: %q, %q", tt.path, items[0].Title, items[0].Content)
			}
		}
		if tt.missing == "" && tt.path != "/plain" && asked[tt.path] != 1 {
			t.Errorf("%s was fetched %d times", tt.path, asked[tt.path])
		}
	}
	for _, never := range []string{"alert", "p{}", "base64"} {
		items, _, _ := g.Gather(t.Context(), []prompt.Ref{{Kind: prompt.URL, ID: web.URL + "/plain"}, {Kind: prompt.URL, ID: web.URL + "/image"}})
		if strings.Contains(items[0].Content+items[1].Content, never) {
			t.Errorf("%q in %q", never, items[0].Content)
		}
	}
}

// TestPageEncryption: a page that was asked for in private is not answered in the open.
func TestPageEncryption(t *testing.T) {
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }))
	defer open.Close()
	safe := httptest.NewTLSServer(http.RedirectHandler(open.URL, http.StatusFound))
	defer safe.Close()
	client := gather.NewClient()
	client.Transport = safe.Client().Transport
	g := gather.New(vaulttest.New(t, "-- a.md --\nx\n"), gather.Options{HTTP: client})
	_, missing, _ := g.Gather(t.Context(), []prompt.Ref{{Kind: prompt.URL, ID: safe.URL}})
	if !strings.Contains(reasons(missing), "not encrypted") {
		t.Errorf("%+v", missing)
	}
}

// TestPageSlow: a server that does not answer holds up a turn for so long, or
// until the person stops it.
func TestPageSlow(t *testing.T) {
	var asked atomic.Int32
	hold := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1); <-hold }))
	defer web.Close()
	defer close(hold)
	g := gather.New(vaulttest.New(t, "-- a.md --\nx\n"), gather.Options{HTTP: &http.Client{Timeout: 20 * time.Millisecond}})
	refs := []prompt.Ref{{Kind: prompt.URL, ID: web.URL}}
	items, missing, err := g.Gather(t.Context(), append(refs, note("a.md")))
	if err != nil || len(items) != 1 || len(missing) != 1 || !strings.Contains(missing[0].Reason, "could not be read: no answer in time") {
		t.Errorf("%v, %+v, %v", items, missing, err)
	}
	slow := gather.New(vaulttest.New(t, "-- a.md --\nx\n"), gather.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, _, err := slow.Gather(ctx, refs); err == nil {
		t.Error("stopped, and no word of it")
	}
	for _, address := range []string{"http://127.0.0.1:1/", "https://host.invalid/", "http://%zz/", "https://"} {
		if _, missing, _ := g.Gather(t.Context(), []prompt.Ref{{Kind: prompt.URL, ID: address}}); len(missing) != 1 || missing[0].State != "unreadable" {
			t.Errorf("%s: %+v", address, missing)
		}
	}
}

// TestRefetch: a page is fetched again when it is asked for, and keeps its text
// when that fails.
func TestRefetch(t *testing.T) {
	text, status, asked := "one", 200, 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}))
	defer web.Close()
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	g := gather.New(vaulttest.New(t, "-- a.md --\nx\n"), gather.Options{Now: func() time.Time { return now }})
	refs := []prompt.Ref{note("a.md"), {Kind: prompt.URL, ID: web.URL}, {Kind: prompt.Note, ID: web.URL}}
	if failed := g.Refetch(t.Context(), refs); len(failed) > 0 || asked > 0 || len(g.Pages()) > 0 {
		t.Fatalf("a page that is not known is not fetched again: %v, asked %d times", failed, asked)
	}
	known, _, err := g.Gather(t.Context(), refs[:2])
	if err != nil || len(known) != 2 {
		t.Fatal(known, err)
	}
	current := func() string {
		t.Helper()
		changed, moves, err := g.Current(t.Context(), known)
		if err != nil || len(moves) > 0 || len(changed) > 1 {
			t.Fatal(changed, moves, err)
		}
		return changed[web.URL].Item.Content
	}
	first := now
	now = now.Add(time.Hour)
	if text = "two"; current() != "" || asked != 1 {
		t.Errorf("to look again at what is known asks nothing of the network: %q, asked %d times", current(), asked)
	}
	status = 500
	failed := g.Refetch(t.Context(), refs)
	if got := reasons(failed); len(failed) != 1 || failed[0].State != "old_page" || !strings.Contains(got, "could not be read: the server answered 500") || !strings.HasSuffix(got, "; its text of 2026-11-21 09:30 is kept") {
		t.Errorf("%+v", failed)
	}
	if !g.Pages()[web.URL].Equal(first) || current() != "" {
		t.Errorf("the old text is not kept: %v, %q", g.Pages(), current())
	}
	status = 200
	if failed := g.Refetch(t.Context(), refs); len(failed) > 0 || current() != "two" || !g.Pages()[web.URL].Equal(now) {
		t.Errorf("%v, %q, %v", failed, current(), g.Pages())
	}
	if again, _, _ := g.Gather(t.Context(), refs[1:2]); asked != 3 || again[0].Content != "two" {
		t.Errorf("asked %d times: %+v", asked, again)
	}
}
