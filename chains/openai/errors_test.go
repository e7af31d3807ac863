package openai_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/chains/wire"
)

// TestNoKeyInAnyError: providers echo keys, and networks put them into errors.
func TestNoKeyInAnyError(t *testing.T) {
	const key, second = "sk-proj-Zm9vYmFyYmF6cXV4Cg", "header-credential-77"
	echoes := []transportFunc{
		always(401, `{"error":{"message":"Incorrect API key provided: `+key+`. Authorization: Bearer `+key+`"}}`),
		always(401, `{"error":{"message":"Your api key: ****`+key[len(key)-4:]+` is invalid"}}`),
		always(401, `{"error":{"message":"bad key `+key[:15]+`… and `+second+`"}}`),
		always(400,
			`{"error":{"message":"unexpected gsk_abcdefghijklmnopqrstuvwxyz and AIzaSyA1234567890abcdefghij1234567"}}`),
		always(400, `{"error":{"message":"headers were {\"X-Api-Key\": \"other-credential\"}","code":"`+key+`"}}`),
		always(200, "data: "+piece(map[string]any{"content": "Hi"})+"\n\ndata: {\"error\":{\"message\":\"key "+key+
			"\"}}\n\n"),
		always(200, "<html>"+key),
		always(200, ": "+key+"\n\n"+hi),
		broken(&net.OpError{
			Op:  "dial",
			Err: &net.DNSError{Err: "no such host " + key, Name: key + ".example", IsNotFound: true},
		}),
	}
	secrets := []string{
		key, key[:15], second, "gsk_abcdefghij", "AIzaSyA12345", "other-credential",
		"****" + key[len(key)-4:],
	}
	for i, echo := range echoes {
		c := clientOf(t,
			wire.Options{
				BaseURL: "http://localhost:5/v1?key=" + key, Key: key, Transport: echo,
				Headers: http.Header{"X-Auth": {"Token " + second}},
			})
		o := ask(t, c)
		said := strings.Join(o.Notices, " ")
		if o.Err != nil {
			e := providerError(t, o.Err)
			said += e.Message + e.Code
			for err := e.Err; err != nil; err = nil {
				said += err.Error()
			}
		}
		for _, secret := range secrets {
			if strings.Contains(said, secret) {
				t.Errorf("case %d: %q holds %q", i, said, secret)
			}
		}
		if said == "" {
			t.Errorf("case %d says nothing", i)
		}
	}
	if _, err := openai.New(openai.Options{Options: wire.Options{
		BaseURL: "nonsense " + key,
		Key:     key,
	}}); err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("New: %v", err)
	}
}

// TestNothingAnswers: a refused connection on this machine is not tried again.
func TestNothingAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	host := l.Addr().String()
	_ = l.Close()
	c := clientOf(t, wire.Options{BaseURL: "http://" + host + "/v1", Name: "ollama"})
	o := ask(t, c)
	e := providerError(t, o.Err)
	if want := "Nothing answers at " + host + ". Is Ollama running?"; e.Kind != chains.ErrNetwork ||
		e.Message != want || len(o.Notices) > 0 {
		t.Errorf("%q %q, notices %q; want %q", e.Kind, e.Message, o.Notices, want)
	}
}

// TestNoRedirect: the key does not follow a redirect to another host.
func TestNoRedirect(t *testing.T) {
	other := newServer(t)
	moved := newServer(t, answer{status: 307, header: map[string]string{"Location": other.url + "/chat/completions"}})
	e := failure(t, clientOf(t, wire.Options{BaseURL: moved.url, Key: "key-for-tests", Name: "somewhere"}))
	host := strings.TrimSuffix(strings.TrimPrefix(other.url, "http://"), "/v1")
	if want := "somewhere sends requests on to " + host +
		": set base_url to the new address."; e.Kind != chains.ErrConfig || e.Message != want {
		t.Errorf("%q %q, want %q", e.Kind, e.Message, want)
	}
	if len(other.got()) > 0 {
		t.Error("the other host got the request")
	}
	list := httptest.NewServer(http.RedirectHandler(other.url+"/models", http.StatusFound))
	defer list.Close()
	_, err := clientOf(t, wire.Options{BaseURL: list.URL, Key: "key-for-tests"}).Models(t.Context())
	if e := providerError(t, err); e.Kind != chains.ErrConfig {
		t.Errorf("list of models: %+v", e)
	}
}

// TestRedirectAtHome: within its host a request follows, with body and key.
func TestRedirectAtHome(t *testing.T) {
	srv := newServer(t, answer{status: 308, header: map[string]string{"Location": "/v2/chat/completions"}}, textAnswer("ok"))
	o := ask(t, clientOf(t, wire.Options{BaseURL: srv.url, Key: "key-for-tests"}))
	got := srv.got()
	if o.Err != nil || o.Text != "ok" || len(got) != 2 {
		t.Fatalf("%+v, %d requests", o, len(got))
	}
	if got[1].path != "/v2/chat/completions" || got[1].body != got[0].body ||
		got[1].header.Get("Authorization") != "Bearer key-for-tests" {
		t.Errorf("second request %+v", got[1])
	}
}

// TestPlainHTTPWarning: one warning is shown when a key is sent to another machine without
// encryption.
func TestPlainHTTPWarning(t *testing.T) {
	for base, want := range map[string]int{
		"http://10.0.0.5:8000/v1": 1, "https://10.0.0.5/v1": 0,
		"http://127.0.0.1:8000/v1": 0,
	} {
		c := clientOf(t, wire.Options{BaseURL: base, Key: "key-for-tests", Transport: always(200, hi+done)})
		notices := 0
		for range 2 {
			notices += len(ask(t, c).Notices)
		}
		if notices != want {
			t.Errorf("%s: %d warnings, want %d", base, notices, want)
		}
	}
}

// TestDidYouMean asks the server for its list when a model does not exist.
func TestDidYouMean(t *testing.T) {
	srv := newServer(t, answer{status: 404, body: `{"error":{"message":"model not found"}}`})
	srv.pages["/v1/models"] = `{"data":[{"id":"text-embed-1"},{"id":"qwen3:8b"},{"id":"llama3.1:8b"}]}`
	r := question("?")
	r.Model = "lama3.1:8b"
	e := providerError(t, collect(t.Context(), clientOf(t, wire.Options{BaseURL: srv.url, Name: "groq"}), r).Err)
	if want := `Model "lama3.1:8b" not found at groq. Did you mean "llama3.1:8b"? Choose with /model or --model. It said: model not found.`; e.Message != want {
		t.Errorf("%q, want %q", e.Message, want)
	}
}

// TestVersionMissing: an address without /v1 is repaired, and that is said once.
func TestVersionMissing(t *testing.T) {
	srv := newServer(t, answer{status: 404, body: "404 page not found"}, textAnswer("ok"), textAnswer("ok"),
		answer{status: 404, body: "404 page not found"}, answer{status: 404, body: "nothing here"})
	bare := strings.TrimSuffix(srv.url, "/v1")
	c := clientOf(t, wire.Options{BaseURL: bare})
	for i, notices := range []int{1, 0} {
		if o := ask(t, c); o.Err != nil || o.Text != "ok" || len(o.Notices) != notices {
			t.Errorf("%d: %+v", i, o)
		}
	}
	e := failure(t, clientOf(t, wire.Options{BaseURL: bare}))
	if !strings.Contains(e.Message, "page not found") {
		t.Errorf("%q", e.Message)
	}
	var paths []string
	for _, r := range srv.got() {
		paths = append(paths, r.path)
	}
	if got, want := strings.Join(paths, " "),
		"/chat/completions /v1/chat/completions /v1/chat/completions /chat/completions /v1/chat/completions"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	srv.pages["/v1/models"] = `{"data":[{"id":"small"}]}`
	if list, err := clientOf(t, wire.Options{BaseURL: bare}).Models(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
