package gather_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"ibid/context/gather"
)

// Which addresses a page may have that a person did not choose.
func TestPublicAddresses(t *testing.T) {
	for _, address := range strings.Fields("8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.0.1 100.128.0.1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2606:4700::1 2a00:1450::1") {
		if !gather.Public(netip.MustParseAddr(address)) {
			t.Errorf("%s is not reached", address)
		}
	}
	for _, address := range strings.Fields(`127.0.0.1 127.8.9.1 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 169.254.0.1
		100.64.0.1 100.100.100.200 100.127.255.255 192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255 240.0.0.1
		:: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 ::127.0.0.1 ::10.0.0.1
		::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:100.64.0.1
		64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::8.8.8.8 2002:7f00:1::1 2002:a00:1::1 2001:0:1::1 2001:db8::1 100::1`) {
		if gather.Public(netip.MustParseAddr(address)) {
			t.Errorf("%s is reached", address)
		}
	}
}

// A page that nobody chose is on a public host, also behind a redirect, and it leads
// to no other host.
func TestPublicClient(t *testing.T) {
	asked := 0
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write([]byte("secret"))
	}))
	defer inner.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(inner.URL, "http://"), ":")
	pages := map[string]string{
		"/inner": "http://127.0.0.1:" + port + "/",
		"/name":  "http://localhost:" + port + "/", "/same": "/text", "/other": "http://host.invalid/x",
	}
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := pages[r.URL.Path]; to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("fine"))
	}))
	defer outer.Close()
	here := netip.MustParseAddrPort(strings.TrimPrefix(outer.URL, "http://"))
	may := gather.Fetcher{Client: gather.ClientThatMay(func(a netip.AddrPort) bool {
		return a == here || gather.Public(a.Addr())
	})}
	for _, path := range []string{"/text", "/same"} {
		if p, err := may.Fetch(t.Context(), outer.URL+path); err != nil || p.Text != "fine" || p.URL != outer.URL+"/text" {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}
	for address, want := range map[string]string{
		outer.URL + "/inner":                       "its address is on this machine or in a private network",
		outer.URL + "/name":                        "the page leads to another host: http://localhost:" + port + "/",
		outer.URL + "/other":                       "the page leads to another host: http://host.invalid/x",
		"http://localhost:" + port + "/":           "its address is on this machine or in a private network",
		"http://127.0.0.1:" + port + "/":           "its address is on this machine or in a private network",
		"http://[::1]:" + port + "/":               "its address is on this machine or in a private network",
		"http://[::ffff:127.0.0.1]:" + port + "/":  "its address is on this machine or in a private network",
		"http://169.254.169.254/latest/meta-data/": "its address is on this machine or in a private network",
		"http://[64:ff9b::7f00:1]:" + port + "/":   "its address is on this machine or in a private network",
		"http://0.0.0.0:" + port + "/":             "its address is on this machine or in a private network",
		"http://100.100.100.200/latest/meta-data/": "its address is on this machine or in a private network",
	} {
		if _, err := may.Fetch(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if asked > 0 {
		t.Errorf("the inner server was asked %d times", asked)
	}
	if _, err := (gather.Fetcher{Client: gather.PublicClient()}).Fetch(t.Context(), outer.URL); !errors.Is(err,
		gather.ErrPrivateHost) {
		t.Errorf("%v", err)
	}
}
