package openai

import (
	"encoding/json"

	"ibid/chains"
	"ibid/chains/wire"
)

// usageReport is every name under which servers report token counts.
type usageReport struct {
	PromptTokens     number `json:"prompt_tokens"`
	CompletionTokens number `json:"completion_tokens"`
	TotalTokens      number `json:"total_tokens"`
	InputTokens      number `json:"input_tokens"`
	OutputTokens     number `json:"output_tokens"`

	PromptDetails     json.RawMessage `json:"prompt_tokens_details"`
	CompletionDetails json.RawMessage `json:"completion_tokens_details"`
	InputDetails      json.RawMessage `json:"input_tokens_details"` // the Responses API
	OutputDetails     json.RawMessage `json:"output_tokens_details"`

	CacheHit      number `json:"prompt_cache_hit_tokens"`     // DeepSeek
	CachedTokens  number `json:"cached_tokens"`               // Together, HuggingFace, Moonshot
	CacheRead     number `json:"cache_read_input_tokens"`     // Databricks
	CacheCreation number `json:"cache_creation_input_tokens"` // Vercel's gateway
	Reasoning     number `json:"reasoning_tokens"`

	Cost      number `json:"cost"`              // OpenRouter; an object elsewhere
	CostTicks number `json:"cost_in_usd_ticks"` // xAI, 1e-10 dollars
}

type tokenDetails struct {
	Cached        number `json:"cached_tokens"`
	CacheWrite    number `json:"cache_write_tokens"`
	CacheCreation number `json:"cache_creation_tokens"`
	Reasoning     number `json:"reasoning_tokens"`
}

// timings is llama.cpp's report: the tokens that it found in its slot.
type timings struct {
	CacheN number `json:"cache_n"`
}

// readUsage makes one report out of what a chunk holds, nil if it holds none.
func readUsage(c *chunk, thinkingOutsideSum bool) *chains.Usage {
	raw := c.Usage
	if !wire.Present(raw) && wire.Present(c.XGroq) {
		var groq struct {
			Usage json.RawMessage `json:"usage"`
		}
		wire.Decode(c.XGroq, &groq)
		raw = groq.Usage
	}
	var r usageReport
	if !wire.Decode(raw, &r) {
		return nil
	}
	var in, out tokenDetails
	for _, raw := range []json.RawMessage{r.PromptDetails, r.InputDetails} {
		wire.Decode(raw, &in)
	}
	for _, raw := range []json.RawMessage{r.CompletionDetails, r.OutputDetails} {
		wire.Decode(raw, &out)
	}
	var t timings
	wire.Decode(c.Timings, &t)

	u := &chains.Usage{
		Prompt:     first(r.PromptTokens, r.InputTokens),
		Completion: first(r.CompletionTokens, r.OutputTokens),
		Cached:     first(in.Cached, r.CacheHit, r.CachedTokens, r.CacheRead, t.CacheN),
		CacheWrite: first(in.CacheWrite, in.CacheCreation, r.CacheCreation),
		Reasoning:  first(out.Reasoning, r.Reasoning),
		Cost:       -1,
	}
	if r.Cost.set && r.Cost.value >= 0 {
		u.Cost = r.Cost.value
	} else if r.CostTicks.set && r.CostTicks.value >= 0 {
		u.Cost = r.CostTicks.value * 1e-10
	}
	addThinking(u, r.TotalTokens.count(), thinkingOutsideSum)
	clampUsage(u)
	return u
}

// first is the first count that the server reported, -1 if there is none.
func first(numbers ...number) int {
	for _, n := range numbers {
		if c := n.count(); c >= 0 {
			return c
		}
	}
	return -1
}

// addThinking counts thinking as completion where a server leaves it out of
// its sum: xAI reports it apart, Gemini shows it only in the total.
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

// clampUsage keeps parts within their wholes: a server once reported 161
// cached tokens of a prompt of 7.
func clampUsage(u *chains.Usage) {
	if u.Prompt >= 0 {
		u.Cached = min(u.Cached, u.Prompt)
		u.CacheWrite = min(u.CacheWrite, u.Prompt)
	}
	if u.Completion >= 0 {
		u.Reasoning = min(u.Reasoning, u.Completion)
	}
}
