package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"ibid/chains"
)

// ModelsAt requests the list of models at an address of the server. header may be nil.
func (c *Client) ModelsAt(ctx context.Context, at string, header http.Header) ([]chains.ModelInfo, error) {
	var doc json.RawMessage
	if err := c.GetJSON(ctx, at, header, &doc); err != nil {
		return nil, err
	}
	list, ok := readModels(doc)
	if !ok {
		return nil, c.NewError(chains.ErrBadReply,
			"{name} answers with something that is no list of models. Check base_url, which usually ends in /v1.")
	}
	return list, nil
}

// readModels parses a list of models: under data or models, or bare.
func readModels(doc []byte) (list []chains.ModelInfo, ok bool) {
	raw := bytes.TrimSpace(doc)
	if len(raw) > 0 && raw[0] == '{' {
		var box struct{ Data, Models json.RawMessage }
		Decode(raw, &box)
		if raw = box.Data; !IsPresent(raw) {
			raw = box.Models
		}
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	for e := range Elements(raw) {
		if m, ok := modelOf(parseFields(e)); ok {
			list = append(list, m)
		}
	}
	return list, true
}

// modelOf converts a server's description of a model. It knows every name in use for a context window.
func modelOf(o Fields) (chains.ModelInfo, bool) {
	id, kind := o.Text("id", "model", "name"), o.Text("type")
	if id == "" || o["active"] == false {
		return chains.ModelInfo{}, false
	}
	m := chains.ModelInfo{
		ID: id, Owner: o.Text("owned_by"), Chat: isChat(id, kind),
		Window: max(0, o.Count("loaded_context_length", "top_provider.context_length", "context_length",
			"context_window", "max_model_len", "meta.n_ctx", "inputTokenLimit", "max_input_tokens")),
		MaxOutput: max(0, o.Count("top_provider.max_completion_tokens", "max_completion_tokens")),
		Loaded:    o.Text("state") == "loaded",
	}
	if o.Count("max_input_tokens") >= 0 { // Anthropic's names
		m.MaxOutput = max(m.MaxOutput, o.Count("max_tokens"))
	}
	if m.Window == 0 && o.Text("state") == "" {
		m.Window = max(0, o.Count("max_context_length")) // Mistral's name for the window
	}
	// an object at Mistral, a list elsewhere
	abilities, parameters := o.raw("capabilities"), o.raw("supported_parameters")
	can := abilities + o.raw("architecture.input_modalities") + parameters
	has := func(words string) bool { return strings.Contains(can, words) }
	m.Images = has(`"image"`) || has(`"vision":true`) || strings.HasPrefix(abilities, "[") && has(`"vision"`) ||
		kind == "vlm"
	m.Tools = has(`"tools"`) || has(`"function_calling":true`) || has(`"tool_use"`)
	m.NoTools = !m.Tools && (has(`"function_calling":false`) || strings.HasPrefix(parameters, `["`))
	m.Thinks = has(`"reasoning"`) && !has(`"reasoning":false`) || has(`"thinking"`)
	m.Chat = m.Chat && !has(`"completion_chat":false`)
	pricing, _ := o["pricing"].(map[string]any)
	m.Price = readPrice(pricing)
	return m, true
}

var (
	otherTypes = Pattern(
		`(?i)^(embeddings?|image|audio|speech|transcribe|transcription|rerank|moderation|video|tts|stt)$`)
	otherNames = Pattern(
		`(?i)embed|whisper|(^|[-/_])tts|dall-?e|image|moderation|rerank|transcri|realtime|(^|[-/_])(audio|speech|guard|sora|veo|imagen|bge|gte|e5|flux|ocr|aqa|lyria)([-/_.:\d]|$)|` +
			`minilm|stable-diffusion|davinci|babbage|turbo-instruct|llama-guard|-guard-|safeguard|colbert|computer-use`)
)

// isChat judges by the server's type of the model and by its name, which is all that most servers tell.
func isChat(id, kind string) bool {
	return !otherTypes().MatchString(kind) && !otherNames().MatchString(id)
}
