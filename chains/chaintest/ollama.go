package chaintest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// ollamaRequest has the fields that the server reads of a request in Ollama's protocol.
type ollamaRequest struct {
	Model    string          `json:"model"`
	Tools    json.RawMessage `json:"tools"`
	Stream   bool            `json:"stream"`
	Think    any             `json:"think"`
	Truncate *bool           `json:"truncate"`
	Options  struct {
		Window int `json:"num_ctx"`
	} `json:"options"`
	Messages []struct {
		Role      string          `json:"role"`
		Content   string          `json:"content"`
		Images    []string        `json:"images"`
		ToolCalls json.RawMessage `json:"tool_calls"`
	} `json:"messages"`
}

// read returns the request in the form in which tokens are counted.
func (o *ollamaRequest) read() *wireRequest {
	r := &wireRequest{
		Model: o.Model, Stream: o.Stream, Tools: o.Tools, protocol: ollamaProtocol, window: o.Options.Window,
	}
	r.StreamOptions.IncludeUsage = true
	for _, m := range o.Messages {
		parts := []object{{"text": m.Content}}
		for _, img := range m.Images {
			parts = append(parts, object{"image_url": img})
		}
		doc, err := json.Marshal(parts)
		if err != nil {
			panic(fmt.Sprintf("chaintest: encode a request: %v", err)) // made of what was decoded
		}
		r.Messages = append(r.Messages, wireMessage{Role: m.Role, Content: doc, ToolCalls: m.ToolCalls})
	}
	return r
}

// defaultWindow is the window for a request that names none.
const defaultWindow = 4096

// ollama adds the handlers of Ollama under /api.
func (s *Server) ollama(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, object{"version": "0.13.0"})
	})
	mux.HandleFunc("GET /api/tags", s.ollamaTags)
	mux.HandleFunc("GET /api/ps", s.ollamaLoaded)
	mux.HandleFunc("POST /api/show", s.ollamaShow)
	mux.HandleFunc("POST /api/chat", s.ollamaChat)
	mux.HandleFunc("POST /api/pull", s.ollamaPull)
	mux.HandleFunc("POST /api/embed", s.embed)
}

// pulled returns the models that the server has.
func (s *Server) pulled() []Model {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.models)
}

// has finds a model by its name; a missing tag is "latest".
func has(all []Model, name string) (Model, bool) {
	name = strings.TrimSuffix(name, ":latest")
	i := slices.IndexFunc(all, func(m Model) bool { return strings.TrimSuffix(m.ID, ":latest") == name })
	if i < 0 {
		return Model{}, false
	}
	return all[i], true
}

func (s *Server) ollamaTags(w http.ResponseWriter, _ *http.Request) {
	models := []object{}
	for _, m := range s.pulled() {
		models = append(models, object{
			"name": m.ID, "model": m.ID, "size": 1 << 30, "details": object{"family": "test"},
		})
	}
	writeJSON(w, object{"models": models})
}

func (s *Server) ollamaLoaded(w http.ResponseWriter, _ *http.Request) {
	models := []object{}
	for _, m := range s.pulled() {
		if m.Loaded > 0 {
			models = append(models, object{"name": m.ID, "model": m.ID, "context_length": m.Loaded})
		}
	}
	writeJSON(w, object{"models": models})
}

func (s *Server) ollamaShow(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&asked) // what cannot be read names no model
	m, ok := has(s.pulled(), asked.Model)
	if !ok {
		s.send(w, r, ollamaFailure(http.StatusNotFound, "model '"+asked.Model+"' not found"), nil)
		return
	}
	can := []string{"completion"}
	if m.Embeds {
		can[0] = "embedding"
	}
	for what, yes := range map[string]bool{"vision": m.Images, "tools": !m.NoTools, "thinking": m.Thinks} {
		if yes {
			can = append(can, what)
		}
	}
	slices.Sort(can)
	writeJSON(w, object{
		"capabilities": can, "details": object{"family": "test"},
		"model_info": object{"general.architecture": "test", "test.context_length": m.Window},
	})
}

// ollamaFailure returns an error in Ollama's form.
func ollamaFailure(status int, words string) Answer {
	return Answer{Status: status, Body: string(encode(object{"error": words}))}
}

// ollamaChat answers a request in Ollama's protocol, as a server with limited memory would.
func (s *Server) ollamaChat(w http.ResponseWriter, r *http.Request) {
	var req ollamaRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || !req.Stream {
		s.send(w, r, ollamaFailure(http.StatusBadRequest, "missing request body, or one that asks for no stream"), nil)
		return
	}
	m, ok := has(s.pulled(), req.Model)
	read := req.read()
	if read.window == 0 {
		read.window = defaultWindow
	}
	if m.Window > 0 {
		read.window = min(read.window, m.Window)
	}
	var refusal Answer
	switch {
	case !ok:
		refusal = ollamaFailure(http.StatusNotFound, fmt.Sprintf("model %q not found, try pulling it first", req.Model))
	case req.Think != nil && !m.Thinks:
		refusal = ollamaFailure(http.StatusBadRequest, fmt.Sprintf("%q does not support thinking", req.Model))
	case m.NoTools && len(req.Tools) > 0:
		refusal = ollamaFailure(http.StatusBadRequest, fmt.Sprintf("%q does not support tools", req.Model))
	case s.opts.Memory > 0 && read.window > s.opts.Memory:
		refusal = ollamaFailure(http.StatusInternalServerError,
			"model requires more system memory (9.8 GiB) than is available (7.1 GiB)")
	case total(read) > read.window && req.Truncate != nil && !*req.Truncate:
		refusal = ollamaFailure(http.StatusBadRequest,
			fmt.Sprintf("the input length (%d tokens) exceeds the context length (%d tokens)",
				total(read), read.window))
	default:
		s.load(req.Model, read.window)
		s.send(w, r, s.next(), read)
		return
	}
	s.send(w, r, refusal, nil)
}

// load records the window with which a model is in memory.
func (s *Server) load(name string, window int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.models {
		if strings.TrimSuffix(s.models[i].ID, ":latest") == strings.TrimSuffix(name, ":latest") {
			s.models[i].Loaded = window
		}
	}
}

// ollamaPull adds a model of the library, or fails if the next answer for pulls is an error.
func (s *Server) ollamaPull(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&asked) // what cannot be read names no model
	s.mu.Lock()
	var a Answer
	if len(s.pulls) > 0 {
		a, s.pulls = s.pulls[0], s.pulls[1:]
	}
	s.mu.Unlock()
	m, ok := has(s.opts.Library, asked.Model)
	pieces := [][]byte{[]byte(a.Body)}
	if a.Body == "" && a.Status < 400 {
		pieces = [][]byte{row(object{"status": "pulling manifest"})}
		if ok {
			const size = 4 << 30
			for i := range int64(5) {
				pieces = append(pieces, row(object{
					"status": "pulling 0a1b2c3d4e5f", "digest": "sha256:0a1b2c3d4e5f",
					"total": size, "completed": i * size / 4,
				}))
			}
			pieces = append(pieces, row(object{"status": "verifying sha256 digest"}), row(object{"status": "success"}))
		} else {
			pieces = append(pieces, row(object{"error": "pull model manifest: file does not exist"}))
		}
	}
	s.sendPieces(w, r, &a, pieces, rowsType)
	if _, there := has(s.pulled(), m.ID); ok && !there && a.Status < 400 && a.Body == "" {
		s.mu.Lock()
		s.models = append(s.models, m)
		s.mu.Unlock()
	}
}

// rows returns the reply in Ollama's protocol, as lines with their ends.
func (w *reply) rows() [][]byte {
	a, size := w.answer, w.answer.Chunk
	if size <= 0 {
		size = chunkSize
	}
	var all [][]byte
	say := func(message object, more object) {
		message["role"] = "assistant"
		o := object{"model": w.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false}
		for k, v := range more {
			o[k] = v
		}
		all = append(all, row(o))
	}
	for _, p := range split(a.Reasoning, size) {
		say(object{"content": "", "thinking": p}, nil)
	}
	for _, p := range split(a.Text, size) {
		say(object{"content": p}, nil)
	}
	for _, c := range a.ToolCalls {
		say(object{"content": "", "tool_calls": []object{{"function": object{
			"name": c.Name, "arguments": json.RawMessage(c.Arguments),
		}}}}, nil)
	}
	if a.ErrorFrame != "" {
		return append(all, fmt.Appendf(nil, "{\"error\":%s}\n", a.ErrorFrame))
	}
	end := object{"done": true, "done_reason": "stop", "total_duration": 1}
	if a.Finish != "" {
		end["done_reason"] = a.Finish
	}
	if u := w.counted; u != nil {
		end["prompt_eval_count"], end["eval_count"] = u.Prompt, u.Completion
	}
	say(object{"content": ""}, end)
	return all
}

// rowsType is the type of a reply of rows.
const rowsType = "application/x-ndjson"

// row returns a line of a reply.
func row(o object) []byte { return append(encode(o), '\n') }
