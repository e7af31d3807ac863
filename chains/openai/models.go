package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// loadWait is how long after a server has said that it loads its model it is asked
// again.
const loadWait = 500 * time.Millisecond

// Models asks the server for its models: chat models first, else in the
// server's order. Servers of the local network are also asked, in their own
// dialects, which context window is in force. It waits 15 s at most, also for one
// that loads its model; the error is a *chains.ProviderError, or ctx.Err().
func (c *Client) Models(ctx context.Context) ([]chains.ModelInfo, error) {
	if c.Provider.Name == "azure" { // lists what could be deployed, not what is
		if c.opts.Model == "" {
			return nil, &chains.ProviderError{Kind: chains.ErrConfig, Message: "Azure lists no deployments: name yours with --model, or give its whole address with --base-url."}
		}
		return []chains.ModelInfo{{ID: c.opts.Model, Chat: true}}, nil
	}
	return c.List(ctx, c.list)
}

// list asks for the list of models.
func (c *Client) list(ctx context.Context) ([]chains.ModelInfo, error) {
	var doc json.RawMessage
	err := c.getJSON(ctx, c.modelsURL(), &doc)
	if c.tryBelow(err) {
		if again := c.getJSON(ctx, c.modelsURL(), &doc); again == nil {
			err = nil
		} else {
			c.below.Store(false)
		}
	}
	for wire.Loading(err) && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(loadWait):
			err = c.getJSON(ctx, c.modelsURL(), &doc)
		}
	}
	if err != nil {
		return nil, err
	}
	list, ok := readModels(doc)
	if !ok {
		return nil, c.NoList()
	}
	if c.Local() {
		c.askLocal(ctx, list)
	}
	return list, nil
}

// modelsURL is where the list is; Perplexity keeps it beside the rest.
func (c *Client) modelsURL() string {
	if c.Provider.Name == "perplexity" {
		return c.base + "/v1/models"
	}
	return c.address() + "/models"
}

// getJSON reads a document.
func (c *Client) getJSON(ctx context.Context, at string, into any) error {
	var header http.Header
	if c.Provider.Name == "anthropic" {
		header = http.Header{"X-Api-Key": nil, "Anthropic-Version": {"2023-06-01"}}
	}
	return c.GetJSON(ctx, at, header, into)
}

// listed is one model as the servers describe it, with every name in use for a
// context window.
type listed struct {
	ID     words `json:"id"`
	Name   words `json:"name"`
	Model  words `json:"model"`
	Type   words `json:"type"`
	Owner  words `json:"owned_by"`
	State  words `json:"state"`
	Active *bool `json:"active"`

	Context       number `json:"context_length"`        // OpenRouter, Together
	ContextWindow number `json:"context_window"`        // Groq
	MaxContext    number `json:"max_context_length"`    // Mistral, LM Studio
	MaxModelLen   number `json:"max_model_len"`         // vLLM
	InputLimit    number `json:"inputTokenLimit"`       // Gemini
	MaxInput      number `json:"max_input_tokens"`      // gateways
	Loaded        number `json:"loaded_context_length"` // LM Studio
	MaxCompletion number `json:"max_completion_tokens"` // Groq

	TopProvider struct {
		Context       number `json:"context_length"`
		MaxCompletion number `json:"max_completion_tokens"`
	} `json:"top_provider"`
	Meta struct {
		Context number `json:"n_ctx"`
		Trained number `json:"n_ctx_train"`
	} `json:"meta"`
	Capabilities json.RawMessage `json:"capabilities"` // an object at Mistral, a list elsewhere
	Architecture struct {
		Input json.RawMessage `json:"input_modalities"`
	} `json:"architecture"`
	Parameters json.RawMessage `json:"supported_parameters"`
}

// readModels reads a list of models: under data or models, or bare.
func readModels(doc []byte) ([]chains.ModelInfo, bool) {
	raw := bytes.TrimSpace(doc)
	if len(raw) > 0 && raw[0] == '{' {
		var box struct {
			Data   json.RawMessage `json:"data"`
			Models json.RawMessage `json:"models"`
		}
		wire.Decode(raw, &box)
		raw = box.Data
		if !wire.Present(raw) {
			raw = box.Models
		}
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	var list []chains.ModelInfo
	for e := range wire.Elements(raw) {
		var l listed
		if !wire.Decode(e, &l) {
			continue
		}
		if m, ok := l.info(); ok {
			m.Price = priceIn(e)
			list = append(list, m)
		}
	}
	return list, true
}

// info brings a description into our form.
func (l *listed) info() (chains.ModelInfo, bool) {
	id := string(cmp.Or(l.ID, l.Model, l.Name))
	if id == "" || l.Active != nil && !*l.Active {
		return chains.ModelInfo{}, false
	}
	m := chains.ModelInfo{
		ID: id, Owner: string(l.Owner), Chat: isChat(id, string(l.Type)),
		Window:    max(0, first(l.Loaded, l.TopProvider.Context, l.Context, l.ContextWindow, l.MaxModelLen, l.Meta.Context, l.InputLimit, l.MaxInput)),
		MaxWindow: max(0, first(l.MaxContext, l.Meta.Trained)),
		MaxOutput: max(0, first(l.TopProvider.MaxCompletion, l.MaxCompletion)),
		Loaded:    l.State == "loaded",
	}
	if m.Window == 0 && l.State == "" && !l.Meta.Trained.set {
		m.Window = m.MaxWindow // Mistral's word for the window
	}
	can := " " + strings.ToLower(string(l.Capabilities)+string(l.Architecture.Input)+string(l.Parameters)) + " "
	m.Images = strings.Contains(can, `"image"`) || strings.Contains(can, `"vision":true`) || strings.Contains(can, `"vision"`) && strings.HasPrefix(can, " [") || l.Type == "vlm"
	m.Tools = strings.Contains(can, `"tools"`) || strings.Contains(can, `"function_calling":true`) || strings.Contains(can, `"tool_use"`)
	m.NoTools = !m.Tools && (strings.Contains(can, `"function_calling":false`) || bytes.HasPrefix(l.Parameters, []byte(`["`)))
	m.Thinks = strings.Contains(can, `"reasoning"`) && !strings.Contains(can, `"reasoning":false`) || strings.Contains(can, `"thinking"`)
	if strings.Contains(can, `"completion_chat":false`) {
		m.Chat = false
	}
	return m, true
}

// pattern compiles an expression when it is first needed.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	otherTypes = pattern(`(?i)^(embeddings?|image|audio|speech|transcribe|transcription|rerank|moderation|video|tts|stt)$`)
	otherNames = pattern(`(?i)embed|whisper|(^|[-/_])tts|dall-?e|image|moderation|rerank|transcri|realtime|(^|[-/_])(audio|speech|guard|sora|veo|imagen|bge|gte|e5|flux|ocr|aqa|lyria)([-/_.:\d]|$)|` +
		`minilm|stable-diffusion|davinci|babbage|turbo-instruct|llama-guard|-guard-|safeguard|colbert|computer-use`)
)

// isChat judges by the server's type and by the name, which is all that most
// servers give.
func isChat(id, kind string) bool {
	return !otherTypes().MatchString(kind) && !otherNames().MatchString(id)
}
