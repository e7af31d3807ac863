package chaintest

import (
	"sync"

	"ibid/chains"
)

// meter counts the tokens of requests, and how many of them it has seen before.
type meter struct {
	mu   sync.Mutex
	seen map[string][][]message // the requests so far, by model and tools
}

// message is a message as the count of shared tokens sees it.
type message struct{ role, text string }

// count is the number of tokens of a text, one for four bytes.
func count(text string) int { return (len(text) + 3) / 4 }

// total counts a request.
func total(r *wireRequest) int {
	total := count(string(r.Tools))
	for i := range r.Messages {
		total += count(r.Messages[i].text())
	}
	return total
}

// cached finds out how many tokens of a request are known: those of the longest
// prefix that it shares with an earlier one. It remembers the request.
func (m *meter) cached(r *wireRequest) int {
	now := make([]message, len(r.Messages))
	for i := range r.Messages {
		now[i] = message{r.Messages[i].Role, r.Messages[i].text()}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k := r.Model + "\x00" + string(r.Tools)
	cached := 0
	for _, earlier := range m.seen[k] {
		cached = max(cached, shared(earlier, now))
	}
	m.seen[k] = append(m.seen[k], now)
	if cached > 0 {
		cached += count(string(r.Tools))
	}
	return cached
}

// shared is the number of tokens at the start of now that earlier had as well.
func shared(earlier, now []message) int {
	tokens := 0
	for i := range min(len(earlier), len(now)) {
		was, is := earlier[i], now[i]
		if was.role != is.role {
			break
		}
		n := 0
		for n < len(is.text) && n < len(was.text) && is.text[n] == was.text[n] {
			n++
		}
		tokens += count(is.text[:n])
		if was != is {
			break
		}
	}
	return tokens
}

// usageObject is usage as the wire has it. What was not reported is left out.
func usageObject(u chains.Usage) object {
	o := object{"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Prompt + u.Completion}
	details := object{}
	if u.Cached >= 0 {
		details["cached_tokens"] = u.Cached
	}
	if u.CacheWrite > 0 {
		details["cache_write_tokens"] = u.CacheWrite
	}
	if len(details) > 0 {
		o["prompt_tokens_details"] = details
	}
	if u.Reasoning >= 0 {
		o["completion_tokens_details"] = object{"reasoning_tokens": u.Reasoning}
	}
	if u.Cost > 0 {
		o["cost"] = u.Cost
	}
	return o
}
