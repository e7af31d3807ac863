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
	switch p.Name {
	case "openai":
		if !p.Foreign {
			return quirks{marks: []Marks{MarkBreakpoint}, cacheKey: "prompt_cache_key"}
		}
	case "azure":
		return quirks{marks: []Marks{MarkBreakpoint}, cacheKey: "prompt_cache_key"}
	case "openrouter":
		return quirks{marks: []Marks{MarkCacheControl, MarkBreakpoint}, cacheKey: "session_id", details: true}
	case "gemini":
		return quirks{outsideSum: true}
	case "deepseek", "zai", "moonshot":
		return quirks{reasoning: true}
	case "mistral":
		return quirks{cacheKey: "prompt_cache_key"}
	case "xai":
		return quirks{cacheKey: "header:X-Grok-Conv-Id"}
	}
	if p.Foreign {
		return quirks{marks: []Marks{MarkCacheControl, MarkBreakpoint}}
	}
	return quirks{}
}
