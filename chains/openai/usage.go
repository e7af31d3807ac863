package openai

import "ibid/chains"

// readUsage returns the usage in a chunk, nil if it has none.
func readUsage(c *chunk, thinkingOutsideSum bool) *chains.Usage {
	o := c.Usage
	if o == nil {
		o = c.XGroq.Usage
	}
	if o == nil {
		return nil
	}
	u := &chains.Usage{
		Prompt:     o.Count("prompt_tokens", "input_tokens"),
		Completion: o.Count("completion_tokens", "output_tokens"),
		// DeepSeek; Together, HuggingFace and Moonshot; Databricks
		Cached: o.Count("prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens",
			"prompt_cache_hit_tokens",
			"cached_tokens", "cache_read_input_tokens"),
		// the last is Vercel's gateway
		CacheWrite: o.Count("prompt_tokens_details.cache_write_tokens", "input_tokens_details.cache_write_tokens",
			"prompt_tokens_details.cache_creation_tokens", "cache_creation_input_tokens"),
		Reasoning: o.Count("completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens",
			"reasoning_tokens"),
		Cost: -1,
	}
	if u.Cached < 0 {
		u.Cached = c.Timings.Count("cache_n") // llama.cpp: tokens found in its slot
	}
	if cost := o.Number("cost"); cost.Set && cost.Value >= 0 { // OpenRouter; elsewhere it is an object
		u.Cost = cost.Value
	} else if ticks := o.Number("cost_in_usd_ticks"); ticks.Set && ticks.Value >= 0 { // xAI, 1e-10 dollars
		u.Cost = ticks.Value * 1e-10
	}
	addThinking(u, o.Count("total_tokens"), thinkingOutsideSum)
	clampUsage(u)
	return u
}

// addThinking adds reasoning to the completion if a server does not count it there: xAI reports it separately,
// Gemini only in the total.
func addThinking(u *chains.Usage, total int, outsideSum bool) {
	if u.Prompt < 0 || u.Completion < 0 {
		return
	}
	extra := total - u.Prompt - u.Completion
	if extra <= 0 {
		return
	}
	if u.Reasoning < 0 && outsideSum {
		u.Reasoning = extra
	}
	if u.Reasoning == extra {
		u.Completion += extra
	}
}

// clampUsage limits parts to their wholes: a server once reported 161 cached tokens of a prompt of 7.
func clampUsage(u *chains.Usage) {
	if u.Prompt >= 0 {
		u.Cached = min(u.Cached, u.Prompt)
		u.CacheWrite = min(u.CacheWrite, u.Prompt)
	}
	if u.Completion >= 0 {
		u.Reasoning = min(u.Reasoning, u.Completion)
	}
}
