package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// loadWait is the time after a server has said that it loads its model it is asked
// again.
const loadWait = 500 * time.Millisecond

// Models asks the server for its models: chat models first, else in the
// server's order. Servers of the local network are also asked, in their own
// dialects, which context window is in force. It waits 15 s at most, also for one
// that loads its model; the error is a *chains.ProviderError, or ctx.Err().
func (c *Client) Models(ctx context.Context) ([]chains.ModelInfo, error) {
	if c.Provider.Name == "azure" { // lists what could be deployed, not what is
		if c.opts.Model == "" {
			return nil, c.NewError(chains.ErrConfig, "Azure lists no deployments: name yours with --model, or give its whole address with --base-url.")
		}
		return []chains.ModelInfo{{ID: c.opts.Model, Chat: true}}, nil
	}
	return c.Client.Models(ctx)
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
	for c.Loading(err) && ctx.Err() == nil {
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
	if c.Local() && len(list) > 0 {
		c.askLocal(ctx, list)
	}
	return list, nil
}

// modelsURL is the address of the list; Perplexity keeps it beside the rest.
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

// readModels reads a list of models: under data or models, or bare.
func readModels(doc []byte) (list []chains.ModelInfo, ok bool) {
	raw := bytes.TrimSpace(doc)
	if len(raw) > 0 && raw[0] == '{' {
		var box struct{ Data, Models json.RawMessage }
		wire.Decode(raw, &box)
		if raw = box.Data; !wire.IsPresent(raw) {
			raw = box.Models
		}
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	for e := range wire.Elements(raw) {
		if m, ok := modelOf(decode(e)); ok {
			list = append(list, m)
		}
	}
	return list, true
}

// modelOf brings what a server says of a model into our form, with every name in use
// for a context window.
func modelOf(o object) (chains.ModelInfo, bool) {
	id, kind := o.text("id", "model", "name"), o.text("type")
	if id == "" || o["active"] == false {
		return chains.ModelInfo{}, false
	}
	trained := o.count("meta.n_ctx_train")
	m := chains.ModelInfo{
		ID: id, Owner: o.text("owned_by"), Chat: isChat(id, kind),
		Window: max(0, o.count("loaded_context_length", "top_provider.context_length", "context_length", "context_window",
			"max_model_len", "meta.n_ctx", "inputTokenLimit", "max_input_tokens")),
		MaxWindow: max(0, o.count("max_context_length", "meta.n_ctx_train")),
		MaxOutput: max(0, o.count("top_provider.max_completion_tokens", "max_completion_tokens")),
		Loaded:    o.text("state") == "loaded",
	}
	if m.Window == 0 && o.text("state") == "" && trained < 0 {
		m.Window = m.MaxWindow // Mistral's word for the window
	}
	abilities, parameters := o.raw("capabilities"), o.raw("supported_parameters") // an object at Mistral, a list elsewhere
	can := abilities + o.raw("architecture.input_modalities") + parameters
	has := func(words string) bool { return strings.Contains(can, words) }
	m.Images = has(`"image"`) || has(`"vision":true`) || strings.HasPrefix(abilities, "[") && has(`"vision"`) || kind == "vlm"
	m.Tools = has(`"tools"`) || has(`"function_calling":true`) || has(`"tool_use"`)
	m.NoTools = !m.Tools && (has(`"function_calling":false`) || strings.HasPrefix(parameters, `["`))
	m.Thinks = has(`"reasoning"`) && !has(`"reasoning":false`) || has(`"thinking"`)
	m.Chat = m.Chat && !has(`"completion_chat":false`)
	pricing, _ := o["pricing"].(map[string]any)
	m.Price = readPrice(pricing)
	return m, true
}

var (
	otherTypes = wire.Pattern(`(?i)^(embeddings?|image|audio|speech|transcribe|transcription|rerank|moderation|video|tts|stt)$`)
	otherNames = wire.Pattern(`(?i)embed|whisper|(^|[-/_])tts|dall-?e|image|moderation|rerank|transcri|realtime|(^|[-/_])(audio|speech|guard|sora|veo|imagen|bge|gte|e5|flux|ocr|aqa|lyria)([-/_.:\d]|$)|` +
		`minilm|stable-diffusion|davinci|babbage|turbo-instruct|llama-guard|-guard-|safeguard|colbert|computer-use`)
)

// isChat judges by the server's type and by the name, which is all that most
// servers give.
func isChat(id, kind string) bool {
	return !otherTypes().MatchString(kind) && !otherNames().MatchString(id)
}
