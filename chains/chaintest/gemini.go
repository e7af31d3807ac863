package chaintest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Content is a cached content of a Server that acts as Gemini.
type Content struct {
	Name    string
	Model   string
	Label   string // its display name
	System  string
	Tools   json.RawMessage
	Expires time.Time
}

// contentRequest is a request to create or extend a content.
type contentRequest struct {
	Model  string          `json:"model"`
	Label  string          `json:"displayName"`
	TTL    string          `json:"ttl"`
	Tools  json.RawMessage `json:"tools"`
	System struct {
		Parts []struct {
			Text string `json:"text"`
		} `json:"parts"`
	} `json:"systemInstruction"`
}

// Contents returns the present contents of the server, oldest first.
func (s *Server) Contents() []Content {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire()
	return slices.Clone(s.contents)
}

// gemini adds the handlers of Gemini under /v1beta/cachedContents.
func (s *Server) gemini(mux *http.ServeMux) {
	const base = "/v1beta/cachedContents"
	mux.HandleFunc("POST "+base, s.createContent)
	mux.HandleFunc("PATCH "+base+"/{id}", s.changeContent)
	mux.HandleFunc("DELETE "+base+"/{id}", s.changeContent)
}

// expire removes expired contents; mu is held.
func (s *Server) expire() {
	now := s.now()
	s.contents = slices.DeleteFunc(s.contents, func(c Content) bool { return !now.Before(c.Expires) })
}

func (s *Server) now() time.Time {
	if s.opts.Now != nil {
		return s.opts.Now()
	}
	return time.Now()
}

// described returns a content in the form of the list.
func (c Content) described() object {
	return object{
		"name": c.Name, "model": c.Model, "displayName": c.Label,
		"expireTime": c.Expires.UTC().Format(time.RFC3339Nano),
	}
}

// tokens returns the length of a content.
func (c Content) tokens() int { return count(c.System) + count(string(c.Tools)) }

func (s *Server) createContent(w http.ResponseWriter, r *http.Request) {
	var req contentRequest
	err := json.NewDecoder(r.Body).Decode(&req)
	ttl, bad := time.ParseDuration(req.TTL)
	c := Content{Model: req.Model, Label: req.Label, Tools: req.Tools}
	for _, p := range req.System.Parts {
		c.System += p.Text
	}
	var refusal Answer
	s.mu.Lock()
	var a Answer
	if len(s.creates) > 0 {
		a, s.creates = s.creates[0], s.creates[1:]
	}
	s.mu.Unlock()
	switch {
	case err != nil, bad != nil, !strings.HasPrefix(req.Model, "models/"), len(req.Label) > 128:
		refusal = geminiFailure(http.StatusBadRequest, "INVALID_ARGUMENT", "Invalid JSON payload received.")
	case a.Status >= 400:
		refusal = a
	case c.tokens() < s.opts.Cache.Min:
		refusal = geminiFailure(http.StatusBadRequest, "INVALID_ARGUMENT",
			fmt.Sprintf("Cached content is too small. total_token_count=%d, min_total_token_count=%d",
				c.tokens(), s.opts.Cache.Min))
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.made++
		c.Name, c.Expires = fmt.Sprintf("cachedContents/content%d", s.made), s.now().Add(ttl)
		s.contents = append(s.contents, c)
		writeJSON(w, c.described())
		return
	}
	s.send(w, r, refusal, nil)
}

// changeContent extends or deletes a content.
func (s *Server) changeContent(w http.ResponseWriter, r *http.Request) {
	var req contentRequest
	_ = json.NewDecoder(r.Body).Decode(&req) // to delete nothing is said
	i := s.content(r.PathValue("id"))
	if i < 0 {
		s.send(w, r, noContent(), nil)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodDelete {
		s.contents = slices.Delete(s.contents, i, i+1)
		writeJSON(w, object{})
		return
	}
	if ttl, err := time.ParseDuration(req.TTL); err == nil {
		s.contents[i].Expires = s.now().Add(ttl)
	}
	writeJSON(w, s.contents[i].described())
}

// content returns the index of a content that has not expired, or a negative number.
func (s *Server) content(id string) int {
	return slices.IndexFunc(s.Contents(), func(c Content) bool { return c.Name == "cachedContents/"+id })
}

// keeps adds the tokens of a request's content to the request. ok is false if the content is
// refused.
func (s *Server) keeps(req *wireRequest) (refusal Answer, ok bool) {
	name := req.ExtraBody.Google.Content
	if name == "" {
		return refusal, true
	}
	i := s.content(strings.TrimPrefix(name, "cachedContents/"))
	switch {
	case i < 0:
		return noContent(), false
	case len(req.Tools) > 0 ||
		slices.ContainsFunc(req.Messages, func(m wireMessage) bool { return m.Role == "system" }):
		return geminiFailure(http.StatusBadRequest, "INVALID_ARGUMENT",
			"CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config."), false
	}
	c := s.Contents()[i]
	if c.Model != "models/"+strings.TrimPrefix(req.Model, "models/") {
		return geminiFailure(http.StatusBadRequest, "INVALID_ARGUMENT",
			"Model used by GenerateContent request and CachedContent has to be the same."), false
	}
	req.kept = c.tokens()
	return refusal, true
}

func noContent() Answer {
	return geminiFailure(http.StatusForbidden, "PERMISSION_DENIED", "CachedContent not found (or permission denied)")
}

// geminiFailure returns an error in Gemini's form: an array around an object.
func geminiFailure(status int, code, words string) Answer {
	return Answer{
		Status: status,
		Body:   "[" + string(encode(object{"error": object{"code": status, "message": words, "status": code}})) + "]",
	}
}
