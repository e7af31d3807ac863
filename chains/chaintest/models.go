package chaintest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// list answers GET /models.
func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	data := []object{}
	for _, m := range s.opts.Models {
		data = append(data, object{"id": m.ID, "object": "model", "created": created, "owned_by": "chaintest"})
	}
	writeJSON(w, object{"object": "list", "data": data})
}

// ollama adds what Ollama says of its models in a dialect of its own.
func (s *Server) ollama(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, object{"version": "0.13.0"}) })
	mux.HandleFunc("GET /api/ps", s.ollamaLoaded)
	mux.HandleFunc("POST /api/show", s.ollamaShow)
}

func (s *Server) ollamaLoaded(w http.ResponseWriter, _ *http.Request) {
	models := []object{}
	for _, m := range s.opts.Models {
		if m.Loaded > 0 {
			models = append(models, object{"name": m.ID, "model": m.ID, "context_length": m.Loaded})
		}
	}
	writeJSON(w, object{"models": models})
}

func (s *Server) ollamaShow(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&asked) // what cannot be read names no model
	i := slices.IndexFunc(s.opts.Models, func(m Model) bool { return m.ID == asked.Model })
	if i < 0 {
		s.send(w, r, Answer{Status: http.StatusNotFound, Body: string(encode(object{"error": "model '" + asked.Model + "' not found"}))}, nil)
		return
	}
	can := []string{"completion"}
	if s.opts.Models[i].Images {
		can = append(can, "vision")
	}
	writeJSON(w, object{
		"capabilities": can, "details": object{"family": "test"},
		"model_info": object{"general.architecture": "test", "test.context_length": s.opts.Models[i].Window},
	})
}

func writeJSON(w http.ResponseWriter, o object) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(o)) // a client that is gone needs no answer
}
