package openai

import "ibid/chains/wire"

// quirks is which of the optional fields a service takes, and what it does in
// its own way.
type quirks struct {
	cacheKey   string // the body field that names a conversation, "header:Name" for a header, "" if there is none
	outsideSum bool   // counts thinking in total_tokens only
	effort     string // the field that says how much to think, "" is reasoning_effort
}

// cacheKeyField is the field in which OpenAI takes a name of a conversation.
const cacheKeyField = "prompt_cache_key"

// quirksOf is what is known about p.
func quirksOf(p wire.Provider) quirks {
	if p.Foreign && p.Name == "openai" {
		return quirks{} // it speaks as OpenAI does, and is not
	}
	return map[string]quirks{
		"openai":     {cacheKey: cacheKeyField},
		"azure":      {cacheKey: cacheKeyField},
		"openrouter": {cacheKey: "session_id", effort: "reasoning"},
		"gemini":     {outsideSum: true},
		"deepseek":   {effort: "thinking"},
		"zai":        {effort: "thinking"},
		"moonshot":   {effort: "thinking"},
		"alibaba":    {effort: "enable_thinking"},
		"mistral":    {cacheKey: cacheKeyField},
		"xai":        {cacheKey: "header:X-Grok-Conv-Id"},
	}[p.Name]
}
