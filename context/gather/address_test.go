package gather

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// serveRedirects serves pages that lead elsewhere by their query, and counts what it was asked.
func serveRedirects(t *testing.T) (address string, asked *int) {
	asked = new(int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked++
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("fine"))
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// A page that a person named may be on this machine, but it leads to no other host that is not public.
func TestNamedPageAndItsRedirects(t *testing.T) {
	page, _ := serveRedirects(t)
	other, asked := serveRedirects(t)
	byName := strings.Replace(other, "127.0.0.1", "localhost", 1)
	for _, to := range []string{"", "?to=/", "?to=" + other, "?to=/?to=/"} {
		if p, err := (Fetcher{}).Fetch(t.Context(), page+"/"+to); err != nil || p.Text != "fine" {
			t.Errorf("%q: %+v, %v", to, p, err)
		}
	}
	*asked = 0
	for _, to := range []string{
		byName, "http://[::1]:1/", "http://0.0.0.0:1/", "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/",
		"http://[::ffff:10.0.0.1]/", "http://100.64.0.1/", "http://[fd00::1]/", "http://[64:ff9b::a00:1]/",
		"/?to=" + byName,
	} {
		_, err := Fetcher{}.Fetch(t.Context(), page+"/?to="+to)
		if err == nil || !strings.Contains(err.Error(), "this machine or in a private network") ||
			!strings.Contains(err.Error(), "the page leads to http://") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if *asked > 0 {
		t.Errorf("the other host was asked %d times", *asked)
	}
}

// A host that was public when the person's page was asked for, and has another address now, is not reached there.
func TestNamedPageWithAnotherAddress(t *testing.T) {
	page, _ := serveRedirects(t)
	rebound, asked := serveRedirects(t)
	public := netip.MustParseAddrPort(strings.TrimPrefix(page, "http://"))
	client := pageClient(&addressGuard{
		isNamed: true, isPublic: func(a netip.AddrPort) bool { return a == public },
	})
	_, err := Fetcher{Client: client}.Fetch(t.Context(), page+"/?to="+rebound)
	if err == nil || !strings.Contains(err.Error(), "the page leads to "+rebound) || *asked > 0 {
		t.Errorf("%v, asked %d times", err, *asked)
	}
}

// A page that somebody else named is fetched from public addresses only, whatever client is configured.
func TestGatherPublic(t *testing.T) {
	page, asked := serveRedirects(t)
	for _, address := range []string{
		page, strings.Replace(page, "127.0.0.1", "localhost", 1), strings.Replace(page, "127.0.0.1", "0.0.0.0", 1),
		strings.Replace(page, "127.0.0.1", "[::ffff:7f00:1]", 1), strings.Replace(page, "127.0.0.1", "2130706433", 1),
		strings.Replace(page, "127.0.0.1", "0177.0.0.1", 1), strings.Replace(page, "127.0.0.1", "127.1", 1),
	} {
		if p, err := (Fetcher{Client: http.DefaultClient, Public: true}).Fetch(t.Context(), address); err == nil {
			t.Errorf("%s: %+v", address, p)
		}
	}
	if *asked > 0 {
		t.Errorf("asked %d times", *asked)
	}
}
