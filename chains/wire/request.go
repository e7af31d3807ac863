package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"ibid/chains"
)

// Named is m for requests that name no model: they are for this one.
func Named(m chains.Model, model string) chains.Model { return named{m, model} }

type named struct {
	of    chains.Model
	model string
}

// Stream implements chains.Model.
func (m named) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	r.Model = cmp.Or(r.Model, m.model)
	return m.of.Stream(ctx, r)
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

// Object is the arguments of a call as an object, which some protocols want; what
// is none is an empty one.
func Object(arguments string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(arguments)
}
