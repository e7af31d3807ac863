package wire_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains/wire"
)

// TestQueryStays: what stands behind the path of base_url stands behind the path of
// every request, whatever the protocol.
func TestQueryStays(t *testing.T) {
	for _, row := range keyed {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var seen []string
			at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				seen = append(seen, r.URL.Path)
				if q := r.URL.Query(); q.Get("team") != "a b" || len(q["team"]) != 1 || len(q["api-version"]) > 1 ||
					strings.Contains(r.URL.Path, "?") {
					t.Errorf("asked for %s", r.URL)
				}
				_, _ = io.WriteString(w, row.answer)
			}))
			defer at.Close()
			if err := row.send(t.Context(),
				wire.Options{BaseURL: at.URL + "/gate?team=a+b", Transport: &http.Transport{DisableKeepAlives: true}}); err != nil {
				t.Error(err)
			}
			if len(seen) == 0 {
				t.Error("nothing was asked")
			}
			for _, path := range seen {
				if !strings.HasPrefix(path, "/gate/") {
					t.Errorf("asked at %s", path)
				}
			}
		})
	}
}

// TestQuerySecret: a key in the address is not shown.
func TestQuerySecret(t *testing.T) {
	c := newClient(t, wire.Options{BaseURL: "https://gate.example/v1?key=hidden-471142&team=notes"})
	if said := c.Line("no key hidden-471142 for notes"); said != "no key [key removed] for notes" {
		t.Error(said)
	}
}

// socks starts a SOCKS5 server that connects every host to one address, and sends the names of
// the hosts to a channel.
func socks(t *testing.T, to string) (at string, hosts chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { l.Close() })
	hosts = make(chan string, 9)
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				b := make([]byte, 300)
				_, _ = io.ReadFull(in, b[:2])
				_, _ = io.ReadFull(in, b[:b[1]])    // ways to say who it is
				_, _ = in.Write([]byte{5, 0})       // no need to
				_, _ = io.ReadFull(in, b[:5])       // 5, connect, 0, a name, its length
				_, _ = io.ReadFull(in, b[5:7+b[4]]) // the name and the port
				port := binary.BigEndian.Uint16(b[5+b[4]:])
				hosts <- net.JoinHostPort(string(b[5:5+b[4]]), big.NewInt(int64(port)).String())
				_, _ = in.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
				out, err := net.Dial("tcp", to)
				if err != nil {
					return
				}
				defer out.Close()
				go func() { _, _ = io.Copy(out, in) }()
				_, _ = io.Copy(in, out)
			}()
		}
	}()
	return l.Addr().String(), hosts
}

// TestAllProxy: ALL_PROXY is for what has no variable of its own, also one that speaks
// SOCKS; NO_PROXY is followed there too.
func TestAllProxy(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		_, _ = io.WriteString(w, `{"at":"the server"}`)
	}))
	defer server.Close()
	proxy, hosts := socks(t, server.Listener.Addr().String())
	for _, name := range []string{
		"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy",
		"all_proxy",
	} {
		t.Setenv(name, "")
	}
	get := func(base string) (string, error) {
		c := newClient(t, wire.Options{BaseURL: base})
		var doc struct{ At string }
		err := c.GetJSON(t.Context(), base+"/models", nil, &doc)
		return doc.At + c.Proxy(), err
	}
	for _, scheme := range []string{"socks5://", "socks5h://", "socks://"} {
		t.Setenv("ALL_PROXY", scheme+proxy)
		if got, err := get("http://models.example/v1"); err != nil || got != "the server"+proxy {
			t.Errorf("%s: %s, %v", scheme, got, err)
		}
		if host := <-hosts; host != "models.example:80" {
			t.Errorf("%s: asked for %s", scheme, host)
		}
	}
	if got, err := get(server.URL); err != nil || got != "the server" {
		t.Errorf("on this machine: %s, %v", got, err)
	}
	t.Setenv("NO_PROXY", "models.example")
	if c := newClient(t, wire.Options{BaseURL: "http://models.example/v1"}); c.Proxy() != "" {
		t.Errorf("goes through %s, which NO_PROXY excepts", c.Proxy())
	}
	t.Setenv("NO_PROXY", "")
	t.Setenv("ALL_PROXY", "socks5://127.0.0.1:9")
	if _, err := get("https://models.example/v1"); err == nil ||
		!strings.Contains(err.Error(), "through the proxy 127.0.0.1:9 (") ||
		!strings.Contains(err.Error(), "Check ALL_PROXY;") {
		t.Errorf("the proxy is gone: %v", err)
	}
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:19")
	if c := newClient(t, wire.Options{BaseURL: "https://models.example/v1"}); c.Proxy() != "127.0.0.1:19" {
		t.Errorf("goes through %s, and not through the proxy for https", c.Proxy())
	}
}

// TestClientCertificate: a server that wants to know who asks is shown it.
func TestClientCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	from := &x509.Certificate{
		SerialNumber: big.NewInt(7), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, from, from, &key.PublicKey, key)
	check(t, err)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"serial":`+r.TLS.PeerCertificates[0].SerialNumber.String()+`}`)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	o := wire.Options{
		BaseURL: server.URL, Authorities: pool,
		Certificate: &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
	}
	var doc struct{ Serial int }
	c := newClient(t, o)
	if err := c.GetJSON(context.Background(), server.URL, nil, &doc); err != nil || doc.Serial != 7 {
		t.Errorf("shown %d, %v", doc.Serial, err)
	}
	o.Certificate = nil
	err = newClient(t, o).GetJSON(context.Background(), server.URL, nil, &doc)
	if err == nil || !strings.Contains(err.Error(), "wants a certificate of yours: set cert_file and key_file") {
		t.Errorf("none: %v", err)
	}
}
