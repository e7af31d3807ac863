package chaintest

import (
	"encoding/json"
	"net/http"
	"strings"

	"ibid/vault/vaulttest"
)

// embed answers a request for vectors in either protocol. The vectors are from a fixed table of
// meanings, in no order.
func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model string
		Input []string
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || len(req.Input) == 0 {
		s.send(w, r, failure(http.StatusBadRequest, "invalid_request_error", "", "missing input"), nil)
		return
	}
	s.mu.Lock()
	var fails Answer
	if len(s.embeds) > 0 {
		fails, s.embeds = s.embeds[0], s.embeds[1:]
	}
	s.mu.Unlock()
	if !fails.isZero() {
		s.send(w, r, fails, nil)
		return
	}
	data, vectors := []object{}, [][]float32{}
	for i, text := range req.Input {
		v := vaulttest.Meaning(text)
		data, vectors = append([]object{{"object": "embedding", "index": i, "embedding": v}}, data...),
			append(vectors, v)
	}
	if strings.HasSuffix(r.URL.Path, "/embed") {
		writeJSON(w, object{"model": req.Model, "embeddings": vectors})
		return
	}
	writeJSON(w, object{"object": "list", "model": req.Model, "data": data})
}

// Embedded returns the texts for which vectors were requested.
func (s *Server) Embedded() (texts []string) {
	for _, r := range s.Requests() {
		if strings.Contains(r.Path, "/embed") {
			var req struct{ Input []string }
			_ = json.Unmarshal(r.Body, &req) // a body that is none has none
			texts = append(texts, req.Input...)
		}
	}
	return texts
}
