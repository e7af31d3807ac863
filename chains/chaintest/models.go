package chaintest

import (
	"net/http"
)

// list answers GET /models.
func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	data := []object{}
	for _, m := range s.pulled() {
		entry := object{"id": m.ID, "object": "model", "created": replyTime, "owned_by": "chaintest"}
		if m.Price[0] != "" {
			entry["pricing"] = object{"prompt": m.Price[0], "completion": m.Price[1]}
		}
		data = append(data, entry)
	}
	writeJSON(w, object{"object": "list", "data": data})
}

func writeJSON(w http.ResponseWriter, o object) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(o)) // a client that is gone needs no answer
}
