package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
)

// Model returns the server's model of this name, with reasoning in tags separated from the reply; "" is the chosen one.
func (c *Client) Model(name string) chains.Model { return SplitThinking(c.Named(name)) }

// Named returns the server's model of this name, with its replies as they are; "" is the chosen one.
func (c *Client) Named(model string) chains.Model { return namedModel{c, model} }

type namedModel struct {
	of    *Client
	model string
}

// Stream implements chains.Model.
func (m namedModel) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	r.Model = cmp.Or(r.Model, m.model)
	return m.of.Stream(ctx, r)
}

// newRequest returns a request with a JSON document, nil for none, that accepts this type. header may be nil. The
// error is a *chains.ProviderError.
func (c *Client) newRequest(ctx context.Context, method, at string, header http.Header, body []byte,
	accept string,
) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, at, bytes.NewReader(body))
	if err != nil {
		return nil, c.NewError(chains.ErrConfig, "The address of {name} is not a URL: check base_url.")
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", accept)
	maps.Copy(req.Header, header)
	return req, nil
}

// OutgoingRequest is a request that is being answered. It belongs to one goroutine.
type OutgoingRequest struct {
	chains.Request                         // names a model; its tools are sorted, each with a schema
	Left           OmittedFields           // fields that it is sent without
	Shown          bool                    // a part of the reply was handed out, so there must be no retry
	Yield          func(chains.Delta) bool // hands out a delta; returns false when nobody listens any more

	said []string // notices
}

// Say hands out a notice, unless "", and each only once, however often the request is retried.
func (o *OutgoingRequest) Say(notice string) {
	if notice != "" && !slices.Contains(o.said, notice) {
		o.said = append(o.said, notice)
		o.Yield(chains.Delta{Notice: notice})
	}
}

// completeRequest fills in what every protocol sends: the chosen model, and the tools sorted by name, each with a
// schema.
func (c *Client) completeRequest(r *chains.Request) error {
	if r.Model = cmp.Or(r.Model, c.Chosen); r.Model == "" {
		return c.NewError(chains.ErrConfig,
			"No model chosen for {name}. Choose one with /model or --model; `ibid models` lists them.")
	}
	r.Tools = slices.Clone(r.Tools)
	slices.SortStableFunc(r.Tools, func(a, b chains.ToolSpec) int { return strings.Compare(a.Name, b.Name) })
	for i := range r.Tools {
		tool := &r.Tools[i]
		tool.Schema = cmp.Or(tool.Schema, `{"type":"object","properties":{}}`)
		if !json.Valid([]byte(tool.Schema)) {
			return c.NewError(chains.ErrConfig,
				"Tool {tool} describes its arguments in broken JSON: switch it off.", "{tool}", tool.Name)
		}
	}
	return nil
}

// Encode encodes an object, such as the body of a request, and merges extra over its top level; nil counts as empty.
func Encode(body any, extra map[string]any) json.RawMessage {
	doc := Marshal(body)
	if len(extra) == 0 {
		return doc
	}
	all := map[string]json.RawMessage{}
	Decode(doc, &all)
	for name, v := range extra {
		all[name] = Marshal(v)
	}
	return Marshal(all)
}

// Marshal encodes values that came from JSON, and strings, which cannot fail.
func Marshal(v any) json.RawMessage {
	doc, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return doc
}

// finishOf translates the servers' many words for the end of a reply. called reports whether the reply calls tools.
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

// Object returns the arguments of a call as an object, which some protocols require, an empty one if they are none.
func Object(arguments string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(arguments)
}

// Pieces cuts a text at the ends of its parts, and yields each piece with whether a mark ends it.
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

// ImageData returns the media type of an image and its bytes in base64.
func ImageData(img prompt.Image) (kind, data string) {
	return cmp.Or(img.MIME, http.DetectContentType(img.Data)), base64.StdEncoding.EncodeToString(img.Data)
}

// NoWords returns the text for an empty message of this role, because servers refuse messages without text.
func NoWords(role prompt.Role) string {
	switch role {
	case prompt.ToolRole:
		return "(no output)"
	case prompt.Assistant:
		return "(no reply)"
	}
	return "(empty)"
}
