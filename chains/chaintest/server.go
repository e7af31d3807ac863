package chaintest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Answer is what the server sends for one chat completion.
type Answer struct {
	Status int // 0 is 200
	Header map[string]string
	Body   string

	Wait  time.Duration // before the status
	Piece int           // bytes per write, 0 for all at once
	Delay time.Duration // before each write
	Cut   int           // tear the connection down after so many bytes; negative: before the status
	Hold  bool          // after the body, stay silent until the client leaves
}

// Stream is a good answer made of chunks, ended with [DONE].
func Stream(chunks ...string) Answer { return Answer{Body: Events(chunks...) + "data: [DONE]\n\n"} }

// Text is a good answer with this text, one chunk per piece, and a report of
// 100 prompt tokens.
func Text(pieces ...string) Answer {
	var chunks []string
	for _, p := range pieces {
		chunks = append(chunks, Chunk(map[string]any{"content": p}))
	}
	return Stream(append(chunks, End("stop"), Counted(100, 0, len(pieces)))...)
}

// Refusal is an answer with an error status and a JSON body.
func Refusal(status int, body string) Answer {
	return Answer{Status: status, Body: body, Header: map[string]string{"Content-Type": "application/json"}}
}

// Replay is the recorded stream in file, sent in pieces of this many bytes (0:
// all at once). It skips the test when the file is not there.
func Replay(t testing.TB, file string, piece int) Answer {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("no recorded streams: %v", err)
	}
	return Answer{Body: string(body), Piece: piece}
}

// Pieces is the sizes at which recorded streams are cut.
func Pieces() []int { return []int{1, 7, 777, 0} }

// Events is chunks as server-sent events.
func Events(chunks ...string) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString("data: " + c + "\n\n")
	}
	return b.String()
}

// Chunk is a chunk of a reply with this delta.
func Chunk(delta map[string]any) string {
	return encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}},
	})
}

// End is the chunk with the finish reason.
func End(reason string) string {
	return encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk",
		"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}},
	})
}

// Counted is the chunk with the usage report.
func Counted(prompt, cached, completion int) string {
	return encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": []any{},
		"usage": map[string]any{
			"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
			"prompt_tokens_details": map[string]any{"cached_tokens": cached},
		},
	})
}

// Called is the chunk with a whole tool call.
func Called(index int, id, name, arguments string) string {
	return Chunk(map[string]any{"tool_calls": []any{map[string]any{
		"index": index, "id": id, "type": "function",
		"function": map[string]any{"name": name, "arguments": arguments},
	}}})
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers always encode
	}
	return string(b)
}

// Received is a request that reached the server.
type Received struct {
	Method string
	Path   string // below the base URL: /chat/completions
	Header http.Header
	Body   string
}

// Server answers chat completions with prepared answers, /models with a list
// of one model, and other addresses with what Page gave it. Make it with
// NewServer; its test closes it.
type Server struct {
	URL string // base URL, ending in /v1

	t    testing.TB
	http *httptest.Server

	mu       sync.Mutex
	answers  []Answer
	received []Received
	pages    map[string]string
}

// NewServer starts a server on a loopback port.
func NewServer(t testing.TB, answers ...Answer) *Server {
	t.Helper()
	s := &Server{t: t, answers: answers, pages: map[string]string{
		"/v1/models": `{"object":"list","data":[{"id":"test-model","object":"model","owned_by":"chaintest"}]}`,
	}}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL + "/v1"
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// Add appends answers.
func (s *Server) Add(answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answers...)
}

// Page makes the server answer GET and POST of path, such as /v1/models or
// /api/ps, with this JSON.
func (s *Server) Page(path, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = body
}

// Requests is what reached the server so far, oldest first, chat completions
// only.
func (s *Server) Requests() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Received(nil), s.received...)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		s.servePage(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.received = append(s.received, Received{
		Method: r.Method, Path: strings.TrimPrefix(r.URL.Path, "/v1"), Header: r.Header.Clone(), Body: string(body),
	})
	if len(s.answers) == 0 {
		n := len(s.received)
		s.mu.Unlock()
		s.t.Errorf("chaintest: no answer prepared for request %d", n)
		http.Error(w, fmt.Sprintf(`{"error":{"message":"no answer prepared for request %d"}}`, n), http.StatusNotImplemented)
		return
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	s.mu.Unlock()
	a.send(w, r)
}

func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	page, ok := s.pages[r.URL.Path]
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		page = `{"error":"no such page"}`
	}
	_, _ = io.WriteString(w, page)
}

// send writes the answer as it says. It panics with http.ErrAbortHandler to
// tear the connection down, which net/http understands.
func (a Answer) send(w http.ResponseWriter, r *http.Request) {
	if !a.pause(r, a.Wait) {
		return
	}
	if a.Cut < 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	flush := func() {
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
	flush()
	body := a.Body
	if a.Cut > 0 {
		body = body[:min(a.Cut, len(body))]
	}
	for len(body) > 0 {
		n := len(body)
		if a.Piece > 0 {
			n = min(n, a.Piece)
		}
		if !a.pause(r, a.Delay) {
			return
		}
		if _, err := io.WriteString(w, body[:n]); err != nil {
			return
		}
		flush()
		body = body[n:]
	}
	if a.Hold {
		<-r.Context().Done()
	}
	if a.Cut > 0 {
		panic(http.ErrAbortHandler)
	}
}

// pause waits, and says whether the client is still there.
func (a Answer) pause(r *http.Request, d time.Duration) bool {
	return wait(r.Context(), d) == nil
}
