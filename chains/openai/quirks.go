package openai

import "ibid/chains/wire"

// quirks is which of the optional fields a service takes, and what it does in
// its own way.
type quirks struct {
	marks      []Marks // cache marks that it passes on to the model
	cacheKey   string  // the body field that names a conversation, "header:Name" for a header, "" if there is none
	reasoning  bool    // wants reasoning_content back with the tool calls of the same turn
	details    bool    // wants reasoning_details back with the tool calls of the same turn
	outsideSum bool    // counts thinking in total_tokens only
}

// quirksOf is what is known about p. A server that nobody knows may pass on
// everything.
func quirksOf(p wire.Provider) quirks {
	known, ok := map[string]quirks{
		"openai":     {marks: []Marks{MarkBreakpoint}, cacheKey: "prompt_cache_key"},
		"azure":      {marks: []Marks{MarkBreakpoint}, cacheKey: "prompt_cache_key"},
		"openrouter": {marks: []Marks{MarkCacheControl, MarkBreakpoint}, cacheKey: "session_id", details: true},
		"gemini":     {outsideSum: true},
		"deepseek":   {reasoning: true},
		"zai":        {reasoning: true},
		"moonshot":   {reasoning: true},
		"mistral":    {cacheKey: "prompt_cache_key"},
		"xai":        {cacheKey: "header:X-Grok-Conv-Id"},
	}[p.Name]
	if p.Foreign && (!ok || p.Name == "openai") {
		return quirks{marks: []Marks{MarkCacheControl, MarkBreakpoint}}
	}
	return known
}
