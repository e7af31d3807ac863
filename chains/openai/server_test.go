package openai_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains/openai"
	"ibid/chains/wire"
)

// answer is the test server's answer to one completion: exactly these bytes, in these pieces.
type answer struct {
	status int // 0 is 200
	header map[string]string
	body   string

	wait  time.Duration // before the status
	piece int           // bytes per write, 0 for all at once
	cut   int           // tear the connection down after so many bytes; negative: before the status
	hold  bool          // after the body, stay silent until the client leaves
}

// receivedRequest is a completion request at the server.
type receivedRequest struct {
	path, body, from string
	header           http.Header
}

// server sends prepared bytes. It fails its test if it gets more requests than it has answers.
type server struct {
	url string // base URL, ending in /v1

	t        testing.TB
	mu       sync.Mutex
	answers  []answer
	requests []receivedRequest
	pages    map[string]string // by path
}

func newServer(t testing.TB, answers ...answer) *server {
	t.Helper()
	s := &server{t: t, answers: answers, pages: map[string]string{}}
	h := httptest.NewServer(s)
	s.url = h.URL + "/v1"
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return s
}

// client returns a client of the server.
func (s *server) client() *openai.Client {
	s.t.Helper()
	return clientOf(s.t, wire.Options{BaseURL: s.url})
}

func (s *server) got() []receivedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]receivedRequest(nil), s.requests...)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	if page, ok := s.pages[r.URL.Path]; ok || r.Method == http.MethodGet || strings.HasPrefix(r.URL.Path, "/api/") {
		s.mu.Unlock()
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, page)
		return
	}
	s.requests = append(s.requests,
		receivedRequest{path: r.URL.String(), body: string(body), from: r.RemoteAddr, header: r.Header.Clone()})
	if len(s.answers) == 0 {
		s.mu.Unlock()
		s.t.Error("more requests than answers")
		w.WriteHeader(http.StatusTeapot)
		return
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	s.mu.Unlock()
	a.send(w, r)
}

func (a answer) send(w http.ResponseWriter, r *http.Request) {
	if a.wait > 0 {
		ctx, cancel := context.WithTimeout(r.Context(), a.wait)
		<-ctx.Done()
		cancel()
	}
	if a.cut < 0 {
		panic(http.ErrAbortHandler) // how net/http is told to hang up
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	body := a.body
	if a.cut > 0 {
		body = body[:min(a.cut, len(body))]
	}
	for first := true; first || len(body) > 0; first = false {
		n := len(body)
		if a.piece > 0 {
			n = min(n, a.piece)
		}
		_, _ = io.WriteString(w, body[:n])
		_ = http.NewResponseController(w).Flush()
		body = body[n:]
	}
	if a.hold {
		<-r.Context().Done()
	}
	if a.cut > 0 {
		panic(http.ErrAbortHandler)
	}
}

const done = "data: [DONE]\n\n"

// stream returns a complete answer of chunks.
func stream(chunks ...string) answer { return answer{body: events(chunks...) + done} }

// textAnswer returns a complete answer with this text.
func textAnswer(text string) answer {
	return stream(piece(map[string]any{"content": text}), ends("stop"), counts(100, 0, 10))
}

// events returns chunks as server-sent events.
func events(chunks ...string) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString("data: " + c + "\n\n")
	}
	return b.String()
}

func piece(delta map[string]any) string { return chunkOf(delta, nil) }

func ends(reason string) string { return chunkOf(map[string]any{}, reason) }

func chunkOf(delta map[string]any, finish any) string {
	return encode(map[string]any{
		"id":      "chatcmpl-1",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
	})
}

func counts(prompt, cached, completion int) string {
	return encode(map[string]any{"choices": []any{}, "usage": map[string]any{
		"prompt_tokens": prompt, "completion_tokens": completion,
		"prompt_tokens_details": map[string]any{"cached_tokens": cached},
	}})
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers always encode
	}
	return string(b)
}
