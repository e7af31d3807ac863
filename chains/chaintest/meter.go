package chaintest

import (
	"slices"
	"sync"

	"ibid/chains"
	"ibid/context/prompt"
)

// meter counts the tokens of requests, and those that a prefix cache has.
type meter struct {
	rules prompt.Cache
	mu    sync.Mutex
	seen  map[string][]request // the requests so far, by model and tools
}

// request is a request in the cache: its messages, and the points at which a match with a later
// request can end.
type request struct {
	messages []message
	ends     []point
}

// message is a message in the form that is compared for shared tokens.
type message struct {
	role, text string
	marks      []int // bytes of text at which marks stand
	blocks     []int // content blocks of it up to each of them
}

// point is a point in a request: a number of messages, of bytes of the next one, and of tokens.
type point struct{ messages, bytes, tokens, block int }

func (p point) within(q point) bool {
	return p.messages < q.messages || p.messages == q.messages && p.bytes <= q.bytes
}

// count returns the number of tokens of a text, one for four bytes.
func count(text string) int { return (len(text) + 3) / 4 }

// total returns the number of tokens of a request.
func total(r *wireRequest) int {
	total := count(string(r.Tools))
	for i := range r.Messages {
		total += count(r.Messages[i].text())
	}
	return total
}

// cached returns the number of a request's tokens in the cache, by the rules of the cache, or
// without rules by the longest prefix that an earlier request has. It adds the request to the
// cache.
func (m *meter) cached(r *wireRequest) int {
	var now request
	for i := range r.Messages {
		now.messages = append(now.messages, r.Messages[i].cut())
	}
	marks := now.points(m.rules.Kind)
	m.mu.Lock()
	defer m.mu.Unlock()
	k, best := r.Model+"\x00"+string(r.Tools), 0
	for _, earlier := range m.seen[k] {
		same := sharedPrefix(earlier.messages, now.messages)
		switch m.rules.Kind {
		case prompt.CacheBoundaries, prompt.CacheBlocks, prompt.CacheRequests:
			for _, p := range earlier.ends {
				if p.within(same) && (m.rules.Kind != prompt.CacheBlocks || findsMark(p, marks)) {
					best = max(best, p.tokens)
				}
			}
			if m.rules.Kind == prompt.CacheRequests {
				now.ends = append(now.ends, same) // the two were seen to part here
			}
		case prompt.CacheNone:
		default:
			best = max(best, same.tokens)
		}
	}
	if m.rules.Kind == prompt.CacheSlot {
		m.seen[k] = nil
	}
	m.seen[k] = append(m.seen[k], now)
	if best > 0 {
		best += count(string(r.Tools))
	}
	if best < m.rules.Min {
		return 0
	}
	return best - best%max(1, m.rules.Step)
}

// countMarked counts the tokens of a request up to its last mark.
func countMarked(r *wireRequest) int {
	var all request
	for i := range r.Messages {
		all.messages = append(all.messages, r.Messages[i].cut())
	}
	marks := all.points(prompt.CacheBlocks)
	if len(marks) == 0 {
		return 0
	}
	return count(string(r.Tools)) + marks[len(marks)-1].tokens
}

// findsMark reports whether looking 20 blocks back from one of these marks finds p.
func findsMark(p point, marks []point) bool {
	return slices.ContainsFunc(marks, func(m point) bool { return p.within(m) && m.block-p.block <= 20 })
}

// points sets the points at which a match with the request can end, and returns its marks.
func (r *request) points(kind prompt.CacheKind) (marks []point) {
	var at point
	for _, m := range r.messages {
		blocks := 1
		for i, end := range m.marks {
			blocks = m.blocks[i]
			marks = append(marks, point{at.messages, end, at.tokens + count(m.text[:end]), at.block + blocks})
		}
		at = point{at.messages + 1, 0, at.tokens + count(m.text), at.block + blocks}
		if kind == prompt.CacheBoundaries && m.role == "system" {
			r.ends = append(r.ends, at)
		}
	}
	switch kind {
	case prompt.CacheBlocks:
		r.ends = marks
	case prompt.CacheBoundaries:
		r.ends = append(append(r.ends, marks...), at)
	case prompt.CacheRequests:
		r.ends = append(r.ends, at)
	}
	return marks
}

// answered adds the reply to a request, which a slot keeps too.
func (m *meter) answered(r *wireRequest, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := r.Model + "\x00" + string(r.Tools)
	if n := len(m.seen[k]) - 1; m.rules.Kind == prompt.CacheSlot && n >= 0 {
		last := &m.seen[k][n]
		last.messages = append(last.messages, message{role: "assistant", text: text})
	}
}

// sharedPrefix returns the end of the longest common beginning of two requests.
func sharedPrefix(earlier, now []message) (same point) {
	for i := range min(len(earlier), len(now)) {
		was, is := earlier[i], now[i]
		if was.role != is.role {
			break
		}
		if was.text != is.text {
			for same.bytes < min(len(is.text), len(was.text)) && is.text[same.bytes] == was.text[same.bytes] {
				same.bytes++
			}
			same.tokens += count(is.text[:same.bytes])
			break
		}
		same.tokens += count(is.text)
		same.messages++
	}
	return same
}

// usageObject returns usage as JSON on the wire, without the numbers that are not reported.
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
