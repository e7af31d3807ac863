package chaintest

import (
	"crypto/sha256"
	"strings"
	"sync"

	"ibid/chains"
)

// What of an earlier request a Server finds again.
const (
	CachePrefix   = ""         // the longest common prefix
	CacheRequests = "requests" // an exact prefix that was a whole request, or ended at a mark
	CacheMarks    = "marks"    // an exact prefix that ended at a mark
)

// meter counts the tokens of requests, and how many of them it has seen before.
type meter struct {
	count func(string) int
	cache string
	min   int
	step  int

	mu   sync.Mutex
	seen map[string]*memory // by model and tools
}

// memory is what is known of earlier requests: all of them, or, where only
// exact prefixes count, the prefixes.
type memory struct {
	requests [][]string
	prefixes map[prefix]bool
}

// prefix is the beginning of a request, up to and with this many bytes of text.
type prefix struct {
	size int
	sum  [sha256.Size]byte
}

// total counts a request.
func (m *meter) total(r *wireRequest) int {
	total := m.tools(r)
	for i := range r.Messages {
		total += m.count(r.Messages[i].text())
	}
	return total
}

func (m *meter) tools(r *wireRequest) int {
	if len(r.Tools) == 0 {
		return 0
	}
	return m.count(string(r.Tools))
}

// cached finds out how many tokens of a request are known, and remembers it.
func (m *meter) cached(r *wireRequest) int {
	texts := make([]string, 0, len(r.Messages))
	for i := range r.Messages {
		texts = append(texts, r.Messages[i].Role+roleEnd+r.Messages[i].text())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k := r.Model + "\x00" + string(r.Tools)
	known := m.seen[k]
	if known == nil {
		known = &memory{prefixes: map[prefix]bool{}}
		m.seen[k] = known
	}
	cached := 0
	if m.cache == CachePrefix {
		for _, earlier := range known.requests {
			cached = max(cached, m.shared(earlier, texts))
		}
		known.requests = append(known.requests, texts)
	} else {
		cached = m.exact(known, texts, r)
	}
	if cached > 0 {
		cached += m.tools(r)
	}
	if m.step > 1 {
		cached -= cached % m.step
	}
	if cached < m.min {
		cached = 0
	}
	return cached
}

// roleEnd stands between the role and the text of a message.
const roleEnd = "\x00"

// shared is the number of tokens at the start of now that earlier had as well.
func (m *meter) shared(earlier, now []string) int {
	tokens := 0
	for i, text := range now {
		if i >= len(earlier) {
			break
		}
		n := 0
		for n < len(text) && n < len(earlier[i]) && text[n] == earlier[i][n] {
			n++
		}
		tokens += m.words(text[:n])
		if n < len(text) || n < len(earlier[i]) {
			break
		}
	}
	return tokens
}

// exact is the number of tokens of the longest known prefix of a request. It
// adds the prefixes of the request to what is known.
func (m *meter) exact(known *memory, texts []string, r *wireRequest) int {
	all := strings.Join(texts, "\x01") + "\x01"
	best := 0
	for p := range known.prefixes {
		if p.size > best && p.size <= len(all) && sha256.Sum256([]byte(all[:p.size])) == p.sum {
			best = p.size
		}
	}
	at := 0
	for i, text := range texts {
		for _, end := range r.Messages[i].marks() {
			size := at + len(r.Messages[i].Role) + len(roleEnd) + end
			known.prefixes[prefix{size, sha256.Sum256([]byte(all[:size]))}] = true
		}
		at += len(text) + 1
	}
	if m.cache == CacheRequests {
		known.prefixes[prefix{len(all), sha256.Sum256([]byte(all))}] = true
	}
	tokens := 0
	for _, text := range texts {
		if best <= 0 {
			break
		}
		tokens += m.words(text[:min(best, len(text))])
		best -= len(text) + 1
	}
	return tokens
}

// words counts a message, or the beginning of one, without its role.
func (m *meter) words(text string) int {
	_, words, _ := strings.Cut(text, roleEnd)
	return m.count(words)
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
