package chaintest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
)

// Options configure a Server. The zero value is a server that echoes, needs no key and has one
// model.
type Options struct {
	Answers []Answer // one per request for a completion; then it echoes

	Key    string  // required as a bearer token, or as Anthropic's header; "" asks for none
	Models []Model // what it lists; nil is one called "test-model"
	Ollama bool    // it is Ollama: it speaks that protocol too

	NoResponses bool // it has no Responses API

	// With Gemini the server keeps contents under /v1beta/cachedContents, and chat completions
	// under /v1beta/openai can name them.
	Gemini  bool
	Now     func() time.Time // by which contents live; nil is time.Now
	Creates []Answer         // of Gemini: how creations of contents fail, one each; then they work

	Embeds []Answer // how requests for vectors fail, one each; then vaulttest.Meaning answers, a fixed table

	Memory  int      // of Ollama: tokens of the largest window that there is room for, 0 for any
	Library []Model  // of Ollama: what a pull can fetch
	Pulls   []Answer // of Ollama: how pulls fail, one each; then they work

	Cache prompt.Cache // how its cache matches (Kind, Min and Step); the zero value finds every common prefix
}

// Model is a model in the server's list.
type Model struct {
	ID     string
	Window int // tokens that it was trained for
	Loaded int // tokens that it was loaded with, 0: not loaded
	Images bool
	Price  [2]string // of a token of a prompt and of a reply, in dollars; "" is not listed

	NoTools bool // Ollama: it calls none
	Thinks  bool // Ollama: it can be told to
	Embeds  bool // Ollama: it makes vectors, and does not chat

	// Efforts are the levels of effort that a model of OpenAI takes. It thinks except at "none",
	// and then takes tools only over the Responses API. With nil it does not think.
	Efforts []string
}

// RecordedRequest is a request at a Server.
type RecordedRequest struct {
	Method string
	Path   string // with the query
	Header http.Header
	Body   []byte
}

// Server is an HTTP server with OpenAI's protocol, Anthropic's at /v1/messages, and with Ollama
// that of /api/chat. Make one with NewServer or Start.
type Server struct {
	opts  Options
	meter meter
	http  *httptest.Server
	stop  context.CancelFunc // ends the replies that are on their way

	mu       sync.Mutex
	answers  []Answer
	pulls    []Answer
	embeds   []Answer
	models   []Model // that it has
	creates  []Answer
	contents []Content // that it keeps, as Gemini
	made     int       // contents so far
	requests []RecordedRequest
	replies  int
	sealed   map[string]string // reasoning that stands before a call, by the call's id
}

// NewServer starts a Server on this machine and closes it when the test ends.
func NewServer(t testing.TB, o Options) *Server {
	t.Helper()
	s := Start(o)
	t.Cleanup(s.Close)
	return s
}

// Start starts a Server on this machine. Close ends it.
func Start(o Options) *Server {
	if o.Models == nil {
		o.Models = []Model{{ID: "test-model"}}
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{
		opts: o, stop: stop, sealed: map[string]string{}, answers: slices.Clone(o.Answers),
		pulls: slices.Clone(o.Pulls), embeds: slices.Clone(o.Embeds), creates: slices.Clone(o.Creates),
		models: slices.Clone(o.Models), meter: meter{rules: o.Cache, seen: map[string][]request{}},
	}
	s.http = httptest.NewUnstartedServer(s.handler())
	s.http.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.http.Start()
	return s
}

// Close ends unfinished replies and waits for all goroutines.
func (s *Server) Close() {
	s.stop()
	s.http.CloseClientConnections()
	s.http.Close()
}

// URL is the base URL for a client: http://127.0.0.1:port/v1.
func (s *Server) URL() string { return s.http.URL + "/v1" }

// Host is the URL without a path, which is the base of the APIs of local servers.
func (s *Server) Host() string { return s.http.URL }

// Forget empties the cache, as if it had expired.
func (s *Server) Forget() {
	s.meter.mu.Lock()
	defer s.meter.mu.Unlock()
	clear(s.meter.seen)
}

// Requests returns the requests so far, to any path, oldest first.
func (s *Server) Requests() []RecordedRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Completions returns the requests for completions, oldest first.
func (s *Server) Completions() []RecordedRequest {
	return slices.DeleteFunc(s.Requests(), func(r RecordedRequest) bool {
		return !strings.Contains(r.Path, "/chat/completions") && !strings.HasSuffix(r.Path, "/messages") &&
			!strings.HasSuffix(r.Path, "/responses") && r.Path != "/api/chat"
	})
}

// handler records every request, checks the key and selects the handler.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, base := range []string{"", "/v1", "/api/v1", "/openai/v1", "/v1beta/openai"} {
		mux.HandleFunc("POST "+base+"/chat/completions", s.complete)
		mux.HandleFunc("POST "+base+"/messages", s.message)
		mux.HandleFunc("GET "+base+"/models", s.list)
		mux.HandleFunc("POST "+base+"/embeddings", s.embed)
		if !s.opts.NoResponses {
			mux.HandleFunc("POST "+base+"/responses", s.respond)
		}
	}
	mux.HandleFunc("POST /openai/deployments/{name}/chat/completions", s.complete) // Azure
	if s.opts.Ollama {
		s.ollama(mux)
	}
	if s.opts.Gemini {
		s.gemini(mux)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.send(w, r, failure(http.StatusNotFound, "invalid_request_error", "unknown_url",
			fmt.Sprintf("Unknown request URL: %s %s.", r.Method, r.URL.Path)), nil)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		rec := RecordedRequest{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: body}
		s.mu.Lock()
		s.requests = append(s.requests, rec)
		s.mu.Unlock()
		if s.opts.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.opts.Key &&
			r.Header.Get("X-Api-Key") != s.opts.Key && r.Header.Get("X-Goog-Api-Key") != s.opts.Key {
			s.send(w, r, RefuseKey(), nil)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		mux.ServeHTTP(w, r)
	})
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var req wireRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || len(req.Messages) == 0 || !req.Stream {
		s.send(w, r, failure(http.StatusBadRequest, "invalid_request_error", "",
			"We could not parse the JSON body of your request, or it has no messages, or asks for no stream."), nil)
		return
	}
	if refusal, ok := s.keeps(&req); !ok {
		s.send(w, r, refusal, nil)
		return
	}
	if said := req.toolsRefused(s.model(req.Model)); said != "" {
		s.send(w, r, failure(http.StatusBadRequest, "invalid_request_error", "", said), nil)
		return
	}
	s.send(w, r, s.next(), &req)
}

// toolsRefused returns the error of a model that takes tools only over the Responses API.
func (r *wireRequest) toolsRefused(m Model) string {
	if m.Efforts == nil || r.Effort == "none" || len(r.Tools) == 0 {
		return ""
	}
	return "Function tools with reasoning_effort are not supported for " + m.ID +
		" in /v1/chat/completions. Please use /v1/responses instead."
}

// next returns the next answer of the options, and an echo after the last.
func (s *Server) next() (a Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) > 0 {
		a, s.answers = s.answers[0], s.answers[1:]
	}
	return a
}

// prepare completes an answer to a valid request: its text and its usage.
func (s *Server) prepare(a Answer, req *wireRequest) *reply {
	if a.isZero() {
		a.Text = req.echo()
	}
	total, cached, written := total(req), 0, -1
	if a.Status < 400 { // a request that was refused has been read by no model
		cached = min(s.meter.cached(req), total) // a cut word may have more tokens than the whole
		total, cached = total+req.kept, cached+req.kept
		if req.window > 0 {
			total = min(total, req.window) // it cuts what is longer
		}
		if req.protocol == anthropicProtocol {
			written = max(0, min(countMarked(req), total)-cached)
		}
		s.meter.answered(req, a.Text)
	}
	s.mu.Lock()
	s.replies++
	w := &reply{id: fmt.Sprintf("chatcmpl-%d", s.replies), model: req.Model, answer: &a}
	s.mu.Unlock()
	if !req.StreamOptions.IncludeUsage {
		return w
	}
	u := chains.Usage{
		Prompt: total, Cached: cached, CacheWrite: written,
		Completion: count(a.Text) + count(a.Reasoning), Reasoning: count(a.Reasoning),
	}
	if a.Usage != nil {
		u = *a.Usage
	}
	w.usage, w.counted = usageObject(u), &u
	return w
}

// send writes an answer; req is nil if it is no completion.
func (s *Server) send(w http.ResponseWriter, r *http.Request, a Answer, req *wireRequest) {
	pieces, kind := [][]byte{[]byte(a.Body)}, "text/event-stream"
	if req != nil {
		rep := s.prepare(a, req)
		if a = *rep.answer; a.Body == "" && a.Status < 400 {
			switch req.protocol {
			case anthropicProtocol:
				pieces = rep.events()
			case responsesProtocol:
				pieces = rep.responseEvents(s.model(req.Model).Efforts != nil)
			case ollamaProtocol:
				pieces, kind = rep.rows(), rowsType
			default:
				pieces = rep.frames()
			}
		}
	}
	s.sendPieces(w, r, &a, pieces, kind)
}

// sendPieces writes a reply of this type, unless the answer has another.
func (s *Server) sendPieces(w http.ResponseWriter, r *http.Request, a *Answer, pieces [][]byte, kind string) {
	if given := a.contentType(); given != "" {
		kind = given
	}
	w.Header().Set("Content-Type", kind)
	for k, v := range a.Header {
		w.Header()[http.CanonicalHeaderKey(k)] = v
	}
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	if err := write(r.Context(), w, a, pieces); err != nil {
		panic(http.ErrAbortHandler) // breaks the connection: what a client must see of it
	}
}

var errCut = errors.New("cut off")

// write writes the pieces, or those that Split makes of them, with the delays of the answer.
func write(ctx context.Context, w http.ResponseWriter, a *Answer, pieces [][]byte) error {
	if a.Split > 0 {
		pieces = slices.Collect(slices.Chunk(slices.Concat(pieces...), a.Split))
	}
	flush := http.NewResponseController(w).Flush
	if err := flush(); err != nil {
		return err
	}
	left := a.CutAfter
	for _, p := range pieces {
		if err := pause(ctx, a.Delay); err != nil {
			return err
		}
		if a.CutAfter > 0 {
			p = p[:min(left, len(p))]
			left -= len(p)
		}
		if _, err := w.Write(p); err != nil {
			return err
		}
		if err := flush(); err != nil {
			return err
		}
		if a.CutAfter > 0 && left == 0 {
			return errCut
		}
	}
	return nil
}
