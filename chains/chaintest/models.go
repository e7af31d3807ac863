package chaintest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// list answers GET /models, with the length of the context under the name that
// the imitated server has for it.
func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	name := map[string]string{
		LikeOpenRouter: "context_length", LikeMistral: "max_context_length", LikeGroq: "context_window", LikeVLLM: "max_model_len",
	}[s.opts.Like]
	s.each(w, "data", func(m Model) object {
		o := object{"id": m.ID, "object": "model", "created": created, "owned_by": "chaintest"}
		if name != "" && m.Window > 0 {
			o[name] = m.Window
		}
		if s.opts.Like == LikeLlamaCpp {
			o["meta"] = object{"n_ctx_train": m.Window, "n_ctx": m.Loaded}
		}
		return o
	})
}

// each answers with a list of what about says of the models; nil is left out.
func (s *Server) each(w http.ResponseWriter, name string, about func(Model) object) {
	list := []object{}
	for _, m := range s.opts.Models {
		if o := about(m); o != nil {
			list = append(list, o)
		}
	}
	writeJSON(w, object{"object": "list", name: list})
}

// local adds the endpoints of servers that run on a person's machine.
func (s *Server) local(mux *http.ServeMux) {
	switch s.opts.Like {
	case LikeLlamaCpp:
		mux.HandleFunc("GET /props", s.props)
	case LikeOllama:
		mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, object{"version": "0.13.0"}) })
		mux.HandleFunc("GET /api/ps", s.ollamaLoaded)
		mux.HandleFunc("POST /api/show", s.ollamaShow)
	case LikeLMStudio:
		mux.HandleFunc("GET /api/v0/models", s.lmStudio)
	}
}

func (s *Server) props(w http.ResponseWriter, _ *http.Request) {
	loaded := 0
	for _, m := range s.opts.Models {
		loaded = max(loaded, m.Loaded)
	}
	writeJSON(w, object{"default_generation_settings": object{"n_ctx": loaded}, "total_slots": 1})
}

func (s *Server) ollamaLoaded(w http.ResponseWriter, _ *http.Request) {
	s.each(w, "models", func(m Model) object {
		if m.Loaded == 0 {
			return nil
		}
		return object{"name": m.ID, "model": m.ID, "context_length": m.Loaded}
	})
}

func (s *Server) ollamaShow(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&asked) // what cannot be read names no model
	i := slices.IndexFunc(s.opts.Models, func(m Model) bool { return m.ID == asked.Model })
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

func (s *Server) lmStudio(w http.ResponseWriter, _ *http.Request) {
	s.each(w, "data", func(m Model) object {
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
		return o
	})
}

func writeJSON(w http.ResponseWriter, o object) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(o)) // a client that is gone needs no answer
}
