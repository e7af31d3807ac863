package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
)

// Named is m for requests that name no model: they are for this one.
func (c *Client) Named(m chains.Model, model string) chains.Model { return named{m, model} }

type named struct {
	of    chains.Model
	model string
}

// Stream implements chains.Model.
func (m named) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	r.Model = cmp.Or(r.Model, m.model)
	return m.of.Stream(ctx, r)
}

// Request makes a request with a JSON document, nil for none, that wants an answer of
// this type. header may be nil. The error is a *chains.ProviderError.
func (c *Client) Request(ctx context.Context, method, at string, header http.Header, body []byte, accept string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, at, bytes.NewReader(body))
	if err != nil {
		return nil, &chains.ProviderError{Kind: chains.ErrConfig, Message: "The address of " + c.name + " is not a URL: check base_url."}
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", accept)
	maps.Copy(req.Header, header)
	return req, nil
}

// NoModel is the error for a request that names no model where none was chosen.
func (c *Client) NoModel() *chains.ProviderError {
	return &chains.ProviderError{Kind: chains.ErrConfig, Message: "No model chosen for " + c.name + ". Choose one with /model or --model; `ibid models` lists them."}
}

// Tools is the tools of a request as every protocol sends them: sorted by name, each
// with a schema. The error is for a schema that is no JSON.
func Tools(specs []chains.ToolSpec) ([]chains.ToolSpec, *chains.ProviderError) {
	sorted := slices.Clone(specs)
	slices.SortStableFunc(sorted, func(a, b chains.ToolSpec) int { return strings.Compare(a.Name, b.Name) })
	for i := range sorted {
		s := &sorted[i]
		s.Schema = cmp.Or(s.Schema, `{"type":"object","properties":{}}`)
		if !json.Valid([]byte(s.Schema)) {
			return nil, &chains.ProviderError{Kind: chains.ErrConfig, Message: "Tool " + s.Name + " describes its arguments in broken JSON: switch it off."}
		}
	}
	return sorted, nil
}

// Encode writes a request body with extra fields merged over its top level.
func Encode(body any, extra map[string]any) ([]byte, error) {
	doc, err := json.Marshal(body)
	if err != nil || len(extra) == 0 {
		return doc, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(doc, &all); err != nil {
		return nil, err
	}
	for name, v := range extra {
		if all[name], err = json.Marshal(v); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}

// Marshal encodes what came as JSON and texts, which cannot go wrong.
func Marshal(v any) json.RawMessage {
	doc, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return doc
}

// finishOf translates the many words for the few ways to end. called says that the
// reply calls tools.
func finishOf(word string, called bool) chains.Finish {
	switch word {
	case "length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded", "pause_turn":
		return chains.FinishLength
	case "content_filter", "safety", "refusal", "recitation", "blocklist", "prohibited_content", "sensitive":
		return chains.FinishFilter
	}
	if called {
		return chains.FinishTools
	}
	return chains.FinishStop
}

// Object is the arguments of a call as an object, which some protocols want; what
// is none is an empty one.
func Object(arguments string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(arguments)
}

// Pieces cuts a text at the ends of its parts, and says of each piece whether a mark
// ends it.
func Pieces(text string, parts []prompt.Part) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		from := 0
		for _, part := range parts {
			if from < part.End && !yield(text[from:part.End], part.Mark) {
				return
			}
			from = part.End
		}
		if from < len(text) {
			yield(text[from:], false)
		}
	}
}

// NoWords stands for the text of a message of this role that has none: servers refuse it
// without one.
func NoWords(role prompt.Role) string {
	switch role {
	case prompt.ToolRole:
		return "(no output)"
	case prompt.Assistant:
		return "(no reply)"
	}
	return "(empty)"
}
