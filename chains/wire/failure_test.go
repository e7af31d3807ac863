package wire_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newClient(t *testing.T, o wire.Options) *wire.Client {
	t.Helper()
	c, err := wire.New(o)
	check(t, err)
	t.Cleanup(c.CloseIdle)
	return c
}

// TestTooLong: servers' errors about too long prompts are recognized, and similar errors are
// not.
func TestTooLong(t *testing.T) {
	data, err := os.ReadFile("testdata/toolong.jsonl")
	check(t, err)
	c := newClient(t, wire.Options{BaseURL: "https://models.example/v1", Name: "somewhere", Key: "key-for-tests"})
	for line := range strings.Lines(string(data)) {
		var row struct {
			Server         string
			Status         int
			Kind           chains.ErrorKind
			Window, Prompt int
			Body           json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		f := wire.ReadFailure(row.Status, nil, row.Body)
		e := c.Refused(f, "test-model")
		if e.Kind != row.Kind || e.Window != row.Window {
			t.Errorf("%s: %q, window %d; want %q, %d: %s", row.Server, e.Kind, e.Window, row.Kind, row.Window, e.Message)
		}
		if row.Prompt > row.Window &&
			!strings.Contains(strings.ReplaceAll(e.Message, ",", ""),
				fmt.Sprintf(": %d of %d tokens. ", row.Prompt, row.Window)) {
			t.Errorf("%s: without the %d tokens: %s", row.Server, row.Prompt, e.Message)
		}
		words := f.Message[:min(len(f.Message), 40)]
		if !strings.Contains(e.Message, "It said: ") || !strings.Contains(e.Message, words) {
			t.Errorf("%s: without its words: %s", row.Server, e.Message)
		}
	}
}

// TestMinute: a limit of tokens per minute does not change the window, and a request above it
// is not repeated.
func TestMinute(t *testing.T) {
	c := newClient(t, wire.Options{BaseURL: "https://models.example/v1", Name: "somewhere"})
	f := wire.Failure{
		Status: 413, Code: "rate_limit_exceeded",
		Message: "Request too large for model x on tokens per minute (TPM): Limit 6000, Requested 8233",
	}
	e := c.Refused(f, "x")
	if e.Retryable || !strings.HasPrefix(e.Message, "More tokens than somewhere takes in a minute (413). ") {
		t.Errorf("%+v", e)
	}
	f.Message = "Rate limit reached on tokens per minute (TPM): Limit 6000, Used 5000, Requested 2000. Please try again in 10s."
	if e := c.Refused(f, "x"); !e.Retryable || e.Kind != chains.ErrRate {
		t.Errorf("%+v", e)
	}
}

// TestMeanings: the text of an error decides its kind before its status does, unless they
// contradict each other, and each line of the message is complete.
func TestMeanings(t *testing.T) {
	c := newClient(t, wire.Options{BaseURL: "https://models.example/v1", Name: "somewhere", Key: "key-for-tests"})
	for _, row := range []struct {
		status int
		said   string
		kind   chains.ErrorKind
		later  bool
		advice string
	}{
		{400, "tools are not supported", chains.ErrConfig, false, "somewhere takes no tools for this model (400)."},
		{429, "You exceeded your current quota", chains.ErrQuota, false, "Out of credit at somewhere (429). "},
		{404, "model m does not exist", chains.ErrConfig, false, `Model "m" not found at somewhere. Choose another one`},
		{404, "model m does not exist: unauthorized", chains.ErrConfig, false, `Model "m" not found at somewhere. `},
		{
			404, "This model is only supported in v1/responses and not in v1/chat/completions.", chains.ErrConfig,
			false, `somewhere has m over the Responses API alone (404): set protocol = "responses"`,
		},
		{404, "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.", chains.ErrConfig, false, `somewhere has no deployment "m" (404): name yours with --model.`},
		{
			404, "No endpoints found matching your data policy (Zero data retention).", chains.ErrConfig, false,
			"At somewhere nobody who serves m keeps to your data policy (404): ",
		},
		{404, "This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?", chains.ErrConfig, false, "m is no model that chats (404). Choose another one"},
		{
			500, "CUDA error: an illegal memory access was encountered", chains.ErrServer, true,
			"somewhere is not answering (500). ",
		},
		{0, "CUDA error: unspecified launch failure", chains.ErrServer, true, "somewhere is not answering. "},
		{404, "not here", chains.ErrConfig, false, "somewhere has no chat at this address (404): "},
		{
			400, "Unauthorized", chains.ErrAuth, false,
			"somewhere refused the key (400). Checked: the value of OPENAI_API_KEY.",
		},
		{500, "Unauthorized", chains.ErrServer, true, "somewhere is not answering (500). Try again in a moment; "},
		{
			403, "Rate limit exceeded: requests per minute", chains.ErrRate, true,
			"Rate limited by somewhere (403). Try again in a moment, ",
		},
		{429, "prompt is too long", chains.ErrContext, false, "Too long for m. Detach notes"},
		{413, "", chains.ErrContext, false, "Too long for m. Detach notes"},
		{500, "timed out", chains.ErrTimeout, true, "somewhere is not answering (500). "},
		{0, "overloaded", chains.ErrServer, true, "somewhere is not answering. "},
		{403, "no", chains.ErrAuth, false, "somewhere does not allow this request (403). Checked: "},
		{400, "unknown model", chains.ErrConfig, false, `Model "m" not found at somewhere. `},
		{
			407, "", chains.ErrConfig, false,
			"The proxy wants a name and a password (407): put them into HTTPS_PROXY as http://",
		},
		{418, "short and stout", chains.ErrConfig, false, "somewhere refused the request (418). It said: short and stout."},
	} {
		e := c.Refused(wire.Failure{Status: row.status, Message: row.said}, "m")
		if e.Kind != row.kind || e.Retryable != row.later || !strings.HasPrefix(e.Message, row.advice) ||
			strings.ContainsAny(e.Message, "{}") {
			t.Errorf("%d %s: %+v", row.status, row.said, e)
		}
	}
}

// TestRefusalLogged: the log has the server's id of a refused request, for a reply and for a
// list, and no key.
func TestRefusalLogged(t *testing.T) {
	const key = "key-for-tests-0011223344"
	for name, header := range map[string]string{"Anthropic": "Request-Id", "OpenAI": "X-Request-Id"} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, "req_0471142")
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, `{"error":{"message":"short and stout, `+key+`"}}`)
		}))
		var log strings.Builder
		o := wire.Options{
			BaseURL: srv.URL, Name: "somewhere", Key: key,
			Log: slog.New(slog.NewTextHandler(&log, nil)), Transport: &http.Transport{DisableKeepAlives: true},
		}
		ask(t, o)
		if err := newClient(t, o).GetJSON(t.Context(), srv.URL, nil, nil); err == nil {
			t.Error("a teapot has a list")
		}
		for line := range strings.Lines(log.String()) {
			if !strings.Contains(line, `provider=somewhere`) || !strings.Contains(line, "status=418") ||
				!strings.Contains(line, "request=req_0471142") || strings.Contains(line, key) || !strings.Contains(line, "stout") {
				t.Errorf("%s: %s", name, line)
			}
		}
		if n := strings.Count(log.String(), "\n"); n != 2 {
			t.Errorf("%s: %d lines", name, n)
		}
		srv.Close()
	}
}

// TestWaits: the forms in which servers say when to try again.
func TestWaits(t *testing.T) {
	for _, row := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", "0.5", time.Second / 2},
		{"Retry-After", "-3", 0},
		{"Retry-After", "Sun, 09 Sep 2001 01:46:40 GMT", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After-Ms", "1500", 1500 * time.Millisecond},
		{"X-Ratelimit-Reset", "6m0s", 6 * time.Minute},
		{"X-Ratelimit-Reset", "1000000007", 0},
	} {
		if got := wire.ReadFailure(429, http.Header{row.name: {row.value}}, nil).RetryAfter; got != row.want {
			t.Errorf("%s %s: %v, want %v", row.name, row.value, got, row.want)
		}
	}
}

// ask makes one exchange, and returns its error and the number of tries.
func ask(t *testing.T, o wire.Options) (*chains.ProviderError, int) {
	t.Helper()
	o.Jitter = func() float64 { return 0 }
	c := newClient(t, o)
	tries := 0
	var last error
	for _, err := range c.Retry(t.Context(), chains.Request{Model: "test-model"},
		func(ctx context.Context, out *wire.OutgoingRequest) error {
			if tries++; tries > 1 {
				return ctx.Err()
			}
			return c.Exchange(t.Context(), o.BaseURL+"/chat/completions", nil, []byte("{}"), "", out, nil)
		}) {
		if err != nil {
			last = err
		}
		if tries > 0 && err == nil {
			break // it waits to try again
		}
	}
	var failed *chains.ProviderError
	if last != nil && !errors.As(last, &failed) {
		t.Fatalf("%v", last)
	}
	return failed, tries
}

// TestCertificates: after an untrusted certificate the request is not repeated.
func TestCertificates(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	e, _ := ask(t, wire.Options{BaseURL: srv.URL})
	if e == nil || e.Retryable ||
		!strings.Contains(e.Message, "is not trusted: nobody here knows who signed it. ") ||
		!strings.Contains(e.Message, "SSL_CERT_FILE") {
		t.Errorf("unknown authority: %+v", e)
	}
	late, when := expired(t)
	e, _ = ask(t, wire.Options{BaseURL: late.URL, Authorities: when})
	if e == nil || e.Retryable ||
		!strings.Contains(e.Message, "is not trusted: certificate has expired or is not yet valid") ||
		!strings.Contains(e.Message, "Check the clock of this machine") {
		t.Errorf("expired: %+v", e)
	}
	known := srv.Client().Transport.(*http.Transport).Clone()
	known.TLSClientConfig.ServerName = "another.example"
	e, _ = ask(t, wire.Options{BaseURL: srv.URL, Transport: known})
	if e == nil || e.Retryable || !strings.Contains(e.Message, "is not trusted: certificate is valid for ") {
		t.Errorf("another name: %+v", e)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	e, _ = ask(t,
		wire.Options{
			BaseURL:   strings.Replace(plain.URL, "http:", "https:", 1),
			Transport: &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}},
		})
	if e == nil || e.Retryable || !strings.Contains(e.Message, "speaks http, not https: write http://") {
		t.Errorf("no TLS: %+v", e)
	}
}

// expired returns a server whose certificate has expired, and the pool of its issuer.
func expired(t *testing.T) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	now := time.Now()
	cert := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: now.Add(-48 * time.Hour), NotAfter: now.Add(-24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
	check(t, err)
	if cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv, pool
}

// TestProxyVariables: NO_PROXY is respected, and only the host of a proxy is shown. A process
// reads the variables once, so each row runs in a process of its own.
func TestProxyVariables(t *testing.T) {
	const of = "IBID_TEST_PROXY_OF"
	if base := os.Getenv(of); base != "" {
		fmt.Print("proxy ", newClient(t, wire.Options{BaseURL: base}).Proxy(), "\n")
		return
	}
	for _, row := range []struct{ proxy, none, says string }{
		{"http://me:secret-471142@127.0.0.1:9", "", "proxy 127.0.0.1:9\n"},
		{"http://me:secret-471142@127.0.0.1:9", "other.example", "proxy 127.0.0.1:9\n"},
		{"http://me:secret-471142@127.0.0.1:9", ".example", "proxy \n"},
	} {
		child := exec.Command(os.Args[0], "-test.run=^TestProxyVariables$")
		child.Env = append(os.Environ(), of+"=https://models.example/v1", "HTTPS_PROXY="+row.proxy,
			"NO_PROXY="+row.none, "https_proxy=", "no_proxy=")
		out, err := child.CombinedOutput()
		if err != nil || !strings.Contains(string(out), row.says) || strings.Contains(string(out), "471142") {
			t.Errorf("%s, but not for %s: %s %v", row.proxy, row.none, out, err)
		}
	}
}

// TestProxies: errors name the proxy.
func TestProxies(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer refusing.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	gone := l.Addr().String()
	_ = l.Close()
	through := func(host string) *http.Transport {
		return &http.Transport{Proxy: http.ProxyURL(&url.URL{
			Scheme: "http",
			User:   url.UserPassword("me", "secret-471142"), Host: host,
		})}
	}
	rows := []struct{ base, host, says string }{
		{"https://models.example/v1", gone, "Cannot reach models.example through the proxy " + gone + " ("},
		{
			"https://models.example/v1", strings.TrimPrefix(refusing.URL, "http://"),
			"(Proxy Authentication Required). Check HTTPS_PROXY; ",
		},
		{
			"http://models.example/v1", strings.TrimPrefix(refusing.URL, "http://"),
			"wants a name and a password (407): put them into HTTP_PROXY ",
		},
	}
	for _, row := range rows {
		e, _ := ask(t, wire.Options{BaseURL: row.base, Transport: through(row.host)})
		if e == nil || e.Retryable || !strings.Contains(e.Message, row.says) || strings.Contains(e.Message, "secret") {
			t.Errorf("%s through %s: %+v", row.base, row.host, e)
		}
	}
}

// TestHeaderThatCannotBeSent: a key or header with a line break is said once, and not sent again and again.
func TestHeaderThatCannotBeSent(t *testing.T) {
	for _, o := range []wire.Options{
		{Key: "key-for-\ntests"}, {Headers: http.Header{"X: Y": {"1"}}}, {Headers: http.Header{"X-Team": {"a\nb"}}},
	} {
		o.BaseURL = "http://127.0.0.1:9/v1"
		e, _ := ask(t, o)
		if e == nil || e.Kind != chains.ErrConfig || e.Retryable || !strings.Contains(e.Message, "Check its key and headers") ||
			strings.Contains(e.Message, "key-for") {
			t.Errorf("%+v: %+v", o.Headers, e)
		}
	}
}

// TestSuggest: the suggestions are models similar to an unknown one, and never that one.
func TestSuggest(t *testing.T) {
	c := newClient(t, wire.Options{BaseURL: "https://models.example/v1", Name: "groq", Key: "key-for-tests"})
	list := []chains.ModelInfo{
		{ID: "llama3.1:8b", Chat: true},
		{ID: "llama3.2:8b", Chat: true},
		{ID: "embed-llama3.1:8b"},
		{ID: "qwen3", Chat: true},
	}
	for model, want := range map[string]string{
		"lama3.1:8b":  `Model "lama3.1:8b" not found at groq. Did you mean "llama3.1:8b" or "llama3.2:8b"? Choose with /model or --model. It said: no access to it.`,
		"llama3.1:8b": `Model "llama3.1:8b" not found at groq. Did you mean "llama3.2:8b"? Choose with /model or --model. It said: no access to it.`,
		"claude":      "Model \"claude\" not found at groq. Choose another one with /model or --model; `ibid models` lists them. It said: no access to it.",
	} {
		e := c.Refused(wire.Failure{Status: 404, Code: "model_not_found", Message: "no access to it"}, model)
		c.Ask = func(context.Context) ([]chains.ModelInfo, error) { return list, nil }
		c.Suggest(t.Context(), e, model)
		if e.Message != want {
			t.Errorf("got  %s\nwant %s", e.Message, want)
		}
	}
}

// TestKeptList: before the server's first list, that of the last run is used. Each list of the
// server is stored, and replaces it.
func TestKeptList(t *testing.T) {
	var kept [][]chains.ModelInfo
	o := wire.Options{BaseURL: "https://models.example/v1"}
	o.Lists.Last = func() []chains.ModelInfo { return []chains.ModelInfo{{ID: "old", Window: 7}} }
	o.Lists.Keep = func(list []chains.ModelInfo) { kept = append(kept, list) }
	c := newClient(t, o)
	if m, ok := c.Known("old"); !ok || m.Window != 7 {
		t.Errorf("before it was asked: %+v, %v", m, ok)
	}
	for _, list := range [][]chains.ModelInfo{nil, {{ID: "new", Chat: true}}} { // an empty one is not worth keeping
		c.Ask = func(context.Context) ([]chains.ModelInfo, error) { return list, nil }
		if _, err := c.Models(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(kept) != 1 || kept[0][0].ID != "new" {
		t.Errorf("kept: %+v", kept)
	}
	if m, ok := c.Known("old"); ok {
		t.Errorf("after it was asked: %+v", m)
	}
}

// TestRepairURL: base URLs in the forms that people type.
func TestRepairURL(t *testing.T) {
	for base, want := range map[string]string{
		"https://api.openai.com/v1":                  "https://api.openai.com/v1",
		"api.groq.com":                               "https://api.groq.com/openai/v1",
		"https://api.openai.com":                     "https://api.openai.com/v1",
		"https://openrouter.ai/":                     "https://openrouter.ai/api/v1",
		"https://api.openai.com/v1/chat/completions": "https://api.openai.com/v1",
		"https://api.anthropic.com/v1/messages":      "https://api.anthropic.com/v1",
		"localhost:1234":                             "http://localhost:1234/v1",
		"192.168.1.7:9000/v1/":                       "http://192.168.1.7:9000/v1",
		"https://models.example/openai":              "https://models.example/openai",
		"models.example/v1/chat/completions?team=a":  "https://models.example/v1?team=a",
		"https://api.groq.com/?team=a":               "https://api.groq.com/openai/v1?team=a",
		"https://x.openai.azure.com/openai/deployments/a/chat/completions?api-version=1": "https://x.openai.azure.com/openai/deployments/a/chat/completions?api-version=1",
		"not a url": "not a url",
		"":          "",
	} {
		got, said := wire.RepairURL(base)
		if got != want || (said == "") != (strings.TrimRight(base, "/") == want) {
			t.Errorf("%q: %q %q, want %q", base, got, said, want)
		}
	}
}

// TestIdleConnection: a connection that the server closes as the next request arrives is opened
// again, without an error.
func TestIdleConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer l.Close()
	agents := make(chan string, 9)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { // answers once, and hangs up on the second request
				defer conn.Close()
				in := bufio.NewReader(conn)
				for first := true; ; first = false {
					req, err := http.ReadRequest(in)
					if err != nil || !first {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					agents <- req.UserAgent() + req.Header.Get("Idempotency-Key")
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				}
			}()
		}
	}()
	c := newClient(t, wire.Options{BaseURL: "http://" + l.Addr().String(), Version: "1.2.3"})
	for range 3 {
		var doc map[string]any
		if err := c.JSON(t.Context(), http.MethodPost, c.URL.String(), nil, struct{}{}, &doc); err != nil {
			t.Fatal(err)
		}
		if agent := <-agents; agent != "ibid/1.2.3" {
			t.Errorf("agent %q", agent)
		}
	}
}
