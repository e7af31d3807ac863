package chaintest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/chains"
)

// Options say how a Server is. The zero value echoes, asks for no key and has
// one model.
type Options struct {
	Answers []Answer // one per request for a completion; then it echoes

	// Respond makes the answer to what Answers do not cover; nil echoes.
	Respond func(Recorded) Answer

	Key    string  // required as a bearer token; "" asks for none
	Models []Model // what it lists; nil is one called "test-model"
	Strict bool    // 404 for a model that is not in the list
	Like   string  // whose lists of models it gives: see Like…, "" is OpenAI's

	Window   int              // tokens from which a prompt is refused, 0: never
	Truncate int              // tokens that it reads of a prompt, silently; 0: all
	Count    func(string) int // tokens of a text; nil is one per four bytes

	Cache     string // what it finds again: see Cache…, "" is the longest common prefix
	CacheMin  int    // tokens below which nothing is cached
	CacheStep int    // cached tokens are rounded down to a multiple
	NoCached  bool   // cached tokens are not reported

	Delay time.Duration // before every chunk of an echo
}

// The servers that a Server can be like.
const (
	LikeOpenAI     = ""           // ids only
	LikeOpenRouter = "openrouter" // context_length
	LikeMistral    = "mistral"    // max_context_length
	LikeGroq       = "groq"       // context_window
	LikeVLLM       = "vllm"       // max_model_len
	LikeLlamaCpp   = "llamacpp"   // meta.n_ctx, and /props
	LikeOllama     = "ollama"     // /api/tags, /api/show, /api/ps, /api/version
	LikeLMStudio   = "lmstudio"   // /api/v0/models and /api/v1/models
)

// Model is a model that a Server lists.
type Model struct {
	ID     string
	Window int // tokens that it was trained for, 0: not told
	Loaded int // tokens that a local server has loaded it with, 0: not loaded
	Images bool
	Tools  bool
}

// Recorded is a request that a Server got.
type Recorded struct {
	Method string
	Path   string // with the query
	Header http.Header
	Body   []byte
}

// Server is an HTTP server that speaks OpenAI's wire format. Make one with
// NewServer, Start or Serve.
type Server struct {
	opts  Options
	url   string
	meter meter
	http  *http.Server
	ended chan struct{} // closed when no reply goes on any more
	idle  chan struct{} // closed when the goroutine that accepts is done
	once  sync.Once

	mu       sync.Mutex
	answers  []Answer
	requests []Recorded
	replies  int
}

// NewServer starts a Server on this machine and closes it when the test ends.
func NewServer(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := Start("127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a Server at addr, host:port, where port 0 is a free one. Close ends it.
func Start(addr string, o Options) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("start the test server at %s: %w", addr, err)
	}
	if o.Models == nil {
		o.Models = []Model{{ID: "test-model"}}
	}
	if o.Count == nil {
		o.Count = func(text string) int { return (len(text) + 3) / 4 }
	}
	s := &Server{
		opts: o, url: "http://" + l.Addr().String(), answers: slices.Clone(o.Answers),
		ended: make(chan struct{}), idle: make(chan struct{}),
		meter: meter{count: o.Count, cache: o.Cache, min: o.CacheMin, step: o.CacheStep, seen: map[string]*memory{}},
	}
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.idle)
		_ = s.http.Serve(l) // always ends with an error: that it was closed
	}()
	return s, nil
}

// Serve runs a Server at addr until ctx ends. It calls ready with the base URL
// as soon as requests are answered; ready may be nil.
func Serve(ctx context.Context, addr string, o Options, ready func(url string)) error {
	s, err := Start(addr, o)
	if err != nil {
		return err
	}
	defer s.Close()
	if ready != nil {
		ready(s.URL())
	}
	<-ctx.Done()
	return nil
}

// Close breaks off what is on its way, and waits until all is quiet.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.ended)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := s.http.Shutdown(ctx); err != nil {
			_ = s.http.Close() // nobody is left to be told
		}
	})
	<-s.idle
}

// URL is the base URL for a client: http://127.0.0.1:port/v1.
func (s *Server) URL() string { return s.url + "/v1" }

// Host is the URL without a path, under which local servers have their own APIs.
func (s *Server) Host() string { return s.url }

// Add puts answers at the end of the script.
func (s *Server) Add(answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answers...)
}

// Requests are the requests so far, to whatever path, oldest first.
func (s *Server) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Completions are the requests for completions, oldest first.
func (s *Server) Completions() []Recorded {
	return slices.DeleteFunc(s.Requests(), func(r Recorded) bool { return !strings.Contains(r.Path, "/chat/completions") })
}

// handler records every request, asks for the key and finds who answers.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, base := range []string{"", "/v1", "/api/v1", "/openai/v1"} {
		mux.HandleFunc("POST "+base+"/chat/completions", s.complete)
		if s.opts.Like != LikeLMStudio || base != "/api/v1" {
			mux.HandleFunc("GET "+base+"/models", s.list)
		}
	}
	mux.HandleFunc("POST /openai/deployments/{name}/chat/completions", s.complete) // Azure
	s.local(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.send(w, r, failure(http.StatusNotFound, "invalid_request_error", "unknown_url", fmt.Sprintf("Unknown request URL: %s %s.", r.Method, r.URL.Path)), nil)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		rec := Recorded{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: body}
		s.mu.Lock()
		s.requests = append(s.requests, rec)
		s.mu.Unlock()
		if s.opts.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.opts.Key {
			s.send(w, r, Refused(), nil)
			return
		}
		mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), recordKey{}, rec)))
	})
}

// recordKey is where a request's context carries what was recorded of it: the
// body can be read only once.
type recordKey struct{}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	rec, _ := r.Context().Value(recordKey{}).(Recorded)
	var req wireRequest
	if err := json.Unmarshal(rec.Body, &req); err != nil || len(req.Messages) == 0 {
		s.send(w, r, failure(http.StatusBadRequest, "invalid_request_error", "", "We could not parse the JSON body of your request, or it has no messages."), nil)
		return
	}
	if s.opts.Strict && !slices.ContainsFunc(s.opts.Models, func(m Model) bool { return m.ID == req.Model }) {
		s.send(w, r, NoModel(req.Model), &req)
		return
	}
	s.send(w, r, s.next(rec), &req)
}

// next is the answer whose turn it is.
func (s *Server) next(rec Recorded) Answer {
	s.mu.Lock()
	if len(s.answers) > 0 {
		a := s.answers[0]
		s.answers = s.answers[1:]
		s.mu.Unlock()
		return a
	}
	s.mu.Unlock()
	if s.opts.Respond != nil {
		return s.opts.Respond(rec)
	}
	return Answer{Delay: s.opts.Delay}
}

// prepare completes an answer to a request that was understood: what it says,
// and what it reports.
func (s *Server) prepare(a Answer, req *wireRequest) *reply {
	if a.isZero() {
		a.Text = req.echo()
	}
	total, cached := s.meter.total(req), 0
	if s.opts.Window > 0 && total > s.opts.Window && a.Status == 0 {
		a = TooLong(s.opts.Window, total)
	}
	if a.Status < 400 { // a request that was refused has been read by no model
		cached = min(s.meter.cached(req), total) // a cut word may have more tokens than the whole
	}
	s.mu.Lock()
	s.replies++
	w := &reply{id: fmt.Sprintf("chatcmpl-%d", s.replies), model: req.Model, answer: &a}
	s.mu.Unlock()
	if a.NoUsage || req.Stream && !req.StreamOptions.IncludeUsage {
		return w
	}
	u := chains.Usage{Prompt: total, Cached: cached, Completion: s.opts.Count(a.Text) + s.opts.Count(a.Reasoning), Reasoning: s.opts.Count(a.Reasoning)}
	if s.opts.Truncate > 0 {
		u.Prompt, u.Cached = min(total, s.opts.Truncate), min(cached, s.opts.Truncate)
	}
	if s.opts.NoCached {
		u.Cached = -1
	}
	if a.Usage != nil {
		u = *a.Usage
	}
	w.usage = usageObject(u)
	return w
}

// send writes an answer; req is nil for what is no completion.
func (s *Server) send(w http.ResponseWriter, r *http.Request, a Answer, req *wireRequest) {
	var pieces [][]byte
	stream := req != nil && req.Stream
	if req != nil {
		rep := s.prepare(a, req)
		a = *rep.answer
		switch {
		case a.Body != "" || a.Status >= 400:
			pieces = [][]byte{[]byte(a.Body)}
		case stream && !a.Whole:
			pieces = rep.frames()
		default:
			pieces = [][]byte{rep.whole()}
		}
	} else {
		pieces = [][]byte{[]byte(a.Body)}
	}
	w.Header().Set("Content-Type", a.contentType(stream))
	for k, v := range a.Header {
		w.Header()[http.CanonicalHeaderKey(k)] = v
	}
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	if err := s.write(r.Context(), w, &a, pieces); err != nil {
		panic(http.ErrAbortHandler) // breaks the connection: what a client must see of it
	}
}

var errCut = errors.New("cut off")

// write writes the pieces, or those that Split makes of them, as the answer says.
func (s *Server) write(ctx context.Context, w http.ResponseWriter, a *Answer, pieces [][]byte) error {
	if a.Split > 0 {
		pieces = slices.Collect(slices.Chunk(slices.Concat(pieces...), a.Split))
	}
	flush := http.NewResponseController(w).Flush
	if err := flush(); err != nil {
		return err
	}
	left := a.CutAfter
	for _, p := range pieces {
		if err := s.wait(ctx, a.Delay); err != nil {
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

// wait is a pause that ends with the request or the server.
func (s *Server) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-s.ended:
		return errCut
	default:
	}
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return errCut
	}
}
