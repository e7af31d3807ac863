package gather_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

func TestPages(t *testing.T) {
	pages := map[string][]string{}
	rows := vaulttest.Rows(t, "pages.txt", 8)
	for _, row := range rows {
		pages[row[0]] = row
	}
	large := strings.NewReplacer("{data}", strings.Repeat("QUJD", 100), "{large}", strings.Repeat("x", 4<<20+1))
	asked := map[string]int{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path]++
		p := pages[r.URL.Path]
		w.Header()["Content-Type"] = nil
		if p[1] != "" {
			w.Header().Set("Content-Type", p[1])
		}
		status := http.StatusOK
		if p[2] != "" {
			w.Header().Set("Location", p[4])
			status, _ = strconv.Atoi(p[2])
		}
		w.WriteHeader(status)
		_, _ = large.WriteString(w, p[3])
	}))
	defer web.Close()
	g, _ := newGatherer(t, "-- a.md --\nx\n")
	for _, row := range rows {
		path, title, content, why := row[0], strings.Replace(row[5], "{web}", web.URL, 1),
			strings.Replace(row[6], "{web}", web.URL, 1), row[7]
		page := ref(prompt.URL, web.URL+path)
		for range 2 {
			items, missing := itemsOf(t, g, page)
			switch {
			case why != "":
				if len(items) > 0 || len(missing) != 1 || (missing[0].State == "too_large") != (path == "/large") ||
					!strings.Contains(missing[0].Reason, why) || !strings.Contains(missing[0].Reason, path) {
					t.Errorf("%s: %+v, %+v", path, items, missing)
				}
			case len(items) != 1:
				t.Errorf("%s: %+v", path, missing)
			case items[0].Title != title || !strings.Contains(items[0].Content, content) || items[0].Ref != page:
				t.Errorf("%s: %q, %q", path, items[0].Title, items[0].Content)
			}
		}
		if why == "" && path != "/plain" && asked[path] != 1 {
			t.Errorf("%s was fetched %d times", path, asked[path])
		}
	}
	for _, never := range []string{"alert", "p{}", "base64"} {
		items, _ := itemsOf(t, g, ref(prompt.URL, web.URL+"/plain"), ref(prompt.URL, web.URL+"/image"))
		if strings.Contains(items[0].Content+items[1].Content, never) {
			t.Errorf("%q in %q", never, items[0].Content)
		}
	}
}

// TestPageEncryption: a page that was asked for in private is not answered in the open.
func TestPageEncryption(t *testing.T) {
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("x"))
	}))
	defer open.Close()
	safe := httptest.NewTLSServer(http.RedirectHandler(open.URL, http.StatusFound))
	defer safe.Close()
	client := gather.NewClient()
	client.Transport = safe.Client().Transport
	g := gather.New(vaulttest.New(t, "-- a.md --\nx\n"), gather.Options{HTTP: client})
	_, missing := itemsOf(t, g, ref(prompt.URL, safe.URL))
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
	g := gather.New(vaulttest.New(t, "-- a.md --\nx\n"),
		gather.Options{HTTP: &http.Client{Timeout: 20 * time.Millisecond}})
	refs := []prompt.Ref{ref(prompt.URL, web.URL)}
	items, missing, err := g.Gather(t.Context(), append(refs, note("a.md")))
	if err != nil || len(items) != 1 || len(missing) != 1 ||
		!strings.Contains(missing[0].Reason, "could not be read: no answer in time") {
		t.Errorf("%v, %+v, %v", items, missing, err)
	}
	slow := gather.New(vaulttest.New(t, "-- a.md --\nx\n"), gather.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, _, err := slow.Gather(ctx, refs); err == nil {
		t.Error("stopped, and no word of it")
	}
	for _, address := range []string{"http://127.0.0.1:1/", "https://host.invalid/", "http://%zz/", "https://"} {
		if _, missing := itemsOf(t, g, ref(prompt.URL, address)); len(missing) != 1 || missing[0].State != "unreadable" {
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
	refs := []prompt.Ref{note("a.md"), ref(prompt.URL, web.URL), {Kind: prompt.Note, ID: web.URL}}
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
	if got := reasons(failed); len(failed) != 1 || failed[0].State != "old_page" ||
		!strings.Contains(got, "could not be read: the server answered 500") ||
		!strings.HasSuffix(got, "; its text of 2026-11-21 09:30 is kept") {
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
