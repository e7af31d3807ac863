package chaintest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// list answers GET /models, with the length of the context under the name that
// the imitated server has for it.
func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	data := []object{}
	for _, m := range s.opts.Models {
		o := object{"id": m.ID, "object": "model", "created": created, "owned_by": "chaintest"}
		if m.Window > 0 {
			switch s.opts.Like {
			case LikeOpenRouter:
				o["context_length"] = m.Window
				o["top_provider"] = object{"context_length": m.Window}
			case LikeMistral:
				o["max_context_length"] = m.Window
			case LikeGroq:
				o["context_window"] = m.Window
			case LikeVLLM:
				o["max_model_len"] = m.Window
			case LikeLlamaCpp:
				o["meta"] = object{"n_ctx_train": m.Window, "n_ctx": max(m.Loaded, 0)}
			}
		}
		data = append(data, o)
	}
	writeJSON(w, object{"object": "list", "data": data})
}

// local adds the endpoints of servers that run on a person's machine.
func (s *Server) local(mux *http.ServeMux) {
	switch s.opts.Like {
	case LikeLlamaCpp:
		mux.HandleFunc("GET /props", s.props)
	case LikeOllama:
		mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, object{"version": "0.13.0"}) })
		mux.HandleFunc("GET /api/tags", s.ollamaTags)
		mux.HandleFunc("GET /api/ps", s.ollamaLoaded)
		mux.HandleFunc("POST /api/show", s.ollamaShow)
	case LikeLMStudio:
		mux.HandleFunc("GET /api/v0/models", s.lmStudio0)
		mux.HandleFunc("GET /api/v1/models", s.lmStudio1)
	}
}

func (s *Server) props(w http.ResponseWriter, _ *http.Request) {
	loaded := 0
	for _, m := range s.opts.Models {
		loaded = max(loaded, m.Loaded)
	}
	writeJSON(w, object{"default_generation_settings": object{"n_ctx": loaded}, "total_slots": 1})
}

func (s *Server) ollamaTags(w http.ResponseWriter, _ *http.Request) {
	models := []object{}
	for _, m := range s.opts.Models {
		models = append(models, object{"name": m.ID, "model": m.ID, "size": 1 << 30, "details": object{"format": "gguf", "family": "test"}})
	}
	writeJSON(w, object{"models": models})
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
	rec, _ := r.Context().Value(recordKey{}).(Recorded)
	var asked struct{ Model, Name string }
	_ = json.Unmarshal(rec.Body, &asked) // what cannot be read names no model
	i := slices.IndexFunc(s.opts.Models, func(m Model) bool { return m.ID == asked.Model || m.ID == asked.Name })
	if i < 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(encode(object{"error": "model '" + asked.Model + "' not found"}))
		return
	}
	m := s.opts.Models[i]
	can := []string{"completion"}
	if m.Images {
		can = append(can, "vision")
	}
	if m.Tools {
		can = append(can, "tools")
	}
	writeJSON(w, object{
		"capabilities": can, "details": object{"family": "test"},
		"model_info": object{"general.architecture": "test", "test.context_length": m.Window},
	})
}

func (s *Server) lmStudio0(w http.ResponseWriter, _ *http.Request) {
	data := []object{}
	for _, m := range s.opts.Models {
		o := object{"id": m.ID, "object": "model", "type": "llm", "state": "not-loaded", "max_context_length": m.Window}
		if m.Images {
			o["type"] = "vlm"
		}
		if m.Tools {
			o["capabilities"] = []string{"tool_use"}
		}
		if m.Loaded > 0 {
			o["state"], o["loaded_context_length"] = "loaded", m.Loaded
		}
		data = append(data, o)
	}
	writeJSON(w, object{"object": "list", "data": data})
}

func (s *Server) lmStudio1(w http.ResponseWriter, _ *http.Request) {
	models := []object{}
	for _, m := range s.opts.Models {
		loaded := []object{}
		if m.Loaded > 0 {
			loaded = append(loaded, object{"id": m.ID, "config": object{"context_length": m.Loaded}})
		}
		models = append(models, object{
			"type": "llm", "key": m.ID, "max_context_length": m.Window, "loaded_instances": loaded,
			"capabilities": object{"vision": m.Images, "trained_for_tool_use": m.Tools},
		})
	}
	writeJSON(w, object{"models": models})
}

func writeJSON(w http.ResponseWriter, o object) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(o)) // a client that is gone needs no answer
}
