package chaintest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// responsesRequest has the fields that the server reads of a request of the Responses API.
type responsesRequest struct {
	Model       string          `json:"model"`
	Input       []inputItem     `json:"input"`
	Tools       json.RawMessage `json:"tools"`
	Stream      bool            `json:"stream"`
	Temperature *float64        `json:"temperature"`
	Reasoning   struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
}

// inputItem is an item of any type.
type inputItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    json.RawMessage `json:"output"`
	Encrypted string          `json:"encrypted_content"`
}

// read returns the request in the form in which tokens are counted.
func (r *responsesRequest) read() *wireRequest {
	w := &wireRequest{Model: r.Model, Stream: r.Stream, Tools: r.Tools, protocol: responsesProtocol}
	w.StreamOptions.IncludeUsage = true
	for _, item := range r.Input {
		m := wireMessage{Role: item.Role, Content: item.Content}
		switch {
		case item.Role == "developer":
			m.Role = "system"
		case item.Type == "function_call":
			m = wireMessage{Role: "assistant", ToolCalls: encode(object{
				"id": item.CallID, "name": item.Name, "arguments": item.Arguments,
			})}
		case item.Type == "function_call_output":
			m = wireMessage{Role: "tool", Content: item.Output, ToolCallID: item.CallID}
		case item.Type == "reasoning":
			m = wireMessage{Role: "assistant", Content: encode(object{"encrypted": item.Encrypted})}
		}
		w.Messages = append(w.Messages, m)
	}
	return w
}

// wrong names the part of the request that the API does not allow, "" if there is none. sealed
// is the reasoning that the server sent before a call, by the call's id.
func (r *responsesRequest) wrong(m Model, sealed map[string]string) string {
	calls, thoughts, marks := map[string]bool{}, map[string]bool{}, 0
	for i, item := range r.Input {
		marks += strings.Count(string(item.Content)+string(item.Output), `"prompt_cache_breakpoint"`)
		switch item.Type {
		case "message":
			if said := item.wrongParts(i); said != "" {
				return said
			}
		case "reasoning":
			if !strings.HasPrefix(item.Encrypted, r.Model+" ") {
				return "The encrypted content could not be verified."
			}
			thoughts[item.Encrypted] = true
		case "function_call":
			calls[item.CallID] = true
			if want := sealed[item.CallID]; want != "" && !thoughts[want] {
				return fmt.Sprintf(
					"Item '%s' of type 'function_call' was provided without its required 'reasoning' item.",
					item.CallID)
			}
		case "function_call_output":
			if !calls[item.CallID] {
				return "No tool call found for function call output with call_id " + item.CallID + "."
			}
			delete(calls, item.CallID)
		default:
			return fmt.Sprintf("Invalid value: '%s'.", item.Type)
		}
	}
	effort := r.Reasoning.Effort
	switch {
	case len(calls) > 0:
		return "No tool output found for a function call."
	case len(r.Input) == 0 || !r.Stream:
		return "this server wants input, and only streams"
	case marks > 4:
		return fmt.Sprintf("at most 4 prompt_cache_breakpoint, found %d", marks)
	case effort != "" && !slices.Contains(m.Efforts, effort):
		return fmt.Sprintf(
			"Unsupported value: 'reasoning.effort' does not support '%s' with this model. Supported values are: %s.",
			effort, strings.Join(m.Efforts, ", "))
	case r.Temperature != nil && m.Efforts != nil && effort != "none":
		return "Unsupported parameter: 'temperature' is not supported with this model."
	}
	return ""
}

// wrongParts names a part that a message must not have.
func (i inputItem) wrongParts(at int) string {
	kinds := []string{"input_text", "input_image"}
	if i.Role == "assistant" {
		kinds = []string{"output_text", "refusal"}
	}
	var parts []struct{ Type string }
	if json.Unmarshal(i.Content, &parts) != nil || len(parts) == 0 {
		return fmt.Sprintf("input[%d].content: expected parts", at)
	}
	for _, p := range parts {
		if !slices.Contains(kinds, p.Type) {
			return fmt.Sprintf("Invalid value: '%s'. Supported values are: '%s'.", p.Type, strings.Join(kinds, "', '"))
		}
	}
	return ""
}

// model returns the model of this name in the server's list.
func (s *Server) model(name string) Model {
	i := slices.IndexFunc(s.opts.Models, func(m Model) bool { return m.ID == name })
	if i < 0 {
		return Model{}
	}
	return s.opts.Models[i]
}

// respond answers a request of the Responses API.
func (s *Server) respond(w http.ResponseWriter, r *http.Request) {
	var req responsesRequest
	wrong := ""
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		wrong = err.Error()
	} else {
		s.mu.Lock()
		wrong = req.wrong(s.model(req.Model), s.sealed)
		s.mu.Unlock()
	}
	if wrong != "" {
		s.send(w, r, failure(http.StatusBadRequest, "invalid_request_error", "", wrong), nil)
		return
	}
	a := s.next()
	if s.model(req.Model).Efforts != nil && req.Reasoning.Effort != "none" {
		s.mu.Lock()
		for _, c := range a.ToolCalls {
			s.sealed[c.ID] = sealedThought(req.Model, a)
		}
		s.mu.Unlock()
	}
	s.send(w, r, a, req.read())
}

// sealedThought returns the encrypted reasoning of an answer.
func sealedThought(model string, a Answer) string {
	return fmt.Sprintf("%s %d", model, len(a.Reasoning))
}

// responseEvents returns the reply as a stream of the Responses API.
func (w *reply) responseEvents(thinks bool) [][]byte {
	a, size := w.answer, w.answer.Chunk
	if size <= 0 {
		size = chunkSize
	}
	var all [][]byte
	n := 0
	add := func(o object) {
		o["sequence_number"] = len(all)
		all = append(all, nameEvent(o))
	}
	item := func(begin, end object, deltas func()) {
		add(object{"type": "response.output_item.added", "output_index": n, "item": begin})
		deltas()
		add(object{"type": "response.output_item.done", "output_index": n, "item": end})
		n++
	}
	pieces := func(kind, text string) {
		for _, p := range split(text, size) {
			add(object{"type": kind, "output_index": n, "delta": p})
		}
	}
	add(object{
		"type": "response.created", "response": object{"id": w.id, "object": "response", "status": "in_progress"},
	})
	if thinks {
		sealed := object{
			"type": "reasoning", "id": "rs_1", "summary": []object{}, "encrypted_content": sealedThought(w.model, *a),
		}
		item(object{"type": "reasoning", "id": "rs_1", "summary": []object{}}, sealed, func() {
			for i, thought := range strings.Split(a.Reasoning, "\n\n") {
				if thought != "" {
					add(object{"type": "response.reasoning_summary_part.added", "output_index": n, "summary_index": i})
					pieces("response.reasoning_summary_text.delta", thought)
				}
			}
		})
	}
	if a.Text != "" {
		kind := "response.output_text.delta"
		if a.Finish == "refusal" {
			kind = "response.refusal.delta"
		}
		message := object{"type": "message", "role": "assistant", "content": []object{}}
		item(message, message, func() { pieces(kind, a.Text) })
	}
	for _, c := range a.ToolCalls {
		call := func(arguments string) object {
			return object{
				"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Name, "arguments": arguments,
			}
		}
		item(call(""), call(c.Arguments), func() { pieces("response.function_call_arguments.delta", c.Arguments) })
	}
	add(w.responseEnd())
	return all
}

// responseEnd returns the last event of the reply.
func (w *reply) responseEnd() object {
	a := w.answer
	if a.ErrorFrame != "" {
		return object{
			"type": "response.failed", "response": object{"status": "failed", "error": json.RawMessage(a.ErrorFrame)},
		}
	}
	end := object{"id": w.id, "object": "response", "status": "completed"}
	if u := w.counted; u != nil {
		end["usage"] = object{
			"input_tokens": u.Prompt, "input_tokens_details": object{
				"cached_tokens": max(0, u.Cached), "cache_write_tokens": max(0, u.CacheWrite),
			},
			"output_tokens": u.Completion, "output_tokens_details": object{"reasoning_tokens": max(0, u.Reasoning)},
		}
	}
	if reason := map[string]string{"length": "max_output_tokens", "content_filter": "content_filter"}[a.Finish]; reason != "" {
		end["status"], end["incomplete_details"] = "incomplete", object{"reason": reason}
	}
	return object{"type": "response." + end["status"].(string), "response": end}
}
