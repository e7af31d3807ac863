package prompt

import (
	"testing"

	"ibid/vault/vaulttest"
)

// cacheModel is a provider's cache during one session. It follows the provider's rules and
// shares no code with the engine: it uses only the bytes of the requests, their marks and the
// replies. A slot keeps one request and its reply; the others keep all requests until they
// expire.
type cacheModel struct {
	price
	sent  [][]Message
	marks [][]cacheMark // of each request: where a match may end
}

// cacheMark is a point in a request.
type cacheMark struct{ bytes, block int }

const messageOverhead = 16 // bytes that stand for a message's role and ends, half of them behind it

// usage has the tokens of a request, the cached ones, and the ones among the rest that are
// written to the cache.
type usage struct{ total, cached, written float64 }

// send adds a request, and returns its usage. If cold is true the cache has expired before.
func (c *cacheModel) send(msgs []Message, cold bool) usage {
	if cold {
		c.sent, c.marks = nil, nil
	}
	marks, ends, size := measure(msgs)
	if c.Marks == "" {
		marks = nil // they are not sent
	}
	now := map[CacheKind][]cacheMark{
		CacheBlocks:     marks,
		CacheBoundaries: append(append([]cacheMark{ends[0]}, marks...), ends[len(ends)-1]),
		CacheRequests:   {ends[len(ends)-1]},
	}[c.Kind]
	best := 0
	var parted []cacheMark
	for i, old := range c.sent {
		same := sharedBytes(old, msgs)
		if c.Kind == CacheSteps || c.Kind == CacheSlot {
			best = max(best, same)
		}
		for _, m := range c.marks[i] {
			if m.bytes <= same && m.bytes/4 >= c.Min && (c.Kind != CacheBlocks || reachesMark(m, marks)) {
				best = max(best, m.bytes)
			}
		}
		if c.Kind == CacheRequests {
			parted = append(parted, cacheMark{bytes: same})
		}
	}
	if c.Kind == CacheSlot {
		c.sent, c.marks = nil, nil
	}
	c.sent, c.marks = append(c.sent, msgs), append(c.marks, append(now, parted...))
	tokens, last := best/4, size
	if c.Step > 1 {
		tokens -= tokens % c.Step
	}
	if c.Kind == CacheBlocks {
		last = 0
		for _, m := range marks {
			last = max(last, m.bytes)
		}
	}
	if tokens < c.Min {
		tokens = 0
	}
	if size/4 < c.Min || last/4 < tokens {
		last = 4 * tokens
	}
	return usage{float64(size) / 4, float64(tokens), float64(last)/4 - float64(tokens)}
}

// addReply adds the reply to the last request, which a slot keeps too.
func (c *cacheModel) addReply(reply string) {
	if n := len(c.sent) - 1; c.Kind == CacheSlot {
		c.sent[n] = append(c.sent[n][:len(c.sent[n]):len(c.sent[n])], Message{Role: Assistant, Content: reply})
	}
}

// measure returns the places of a request's marks, the ends of its messages, and its size.
func measure(msgs []Message) (marks, ends []cacheMark, size int) {
	block := 0
	for _, m := range msgs {
		for i, p := range m.Parts {
			if p.Mark {
				marks = append(marks, cacheMark{size + messageOverhead/2 + p.End, block + i + 1})
			}
		}
		block += max(1, len(m.Parts))
		size += messageOverhead + len(m.Content)
		ends = append(ends, cacheMark{size, block})
	}
	return marks, ends, size
}

// reachesMark reports whether m is at most 20 blocks before one of the marks.
func reachesMark(m cacheMark, marks []cacheMark) bool {
	for _, from := range marks {
		if back := from.block - m.block; back >= 0 && back <= 20 {
			return true
		}
	}
	return false
}

// sharedBytes returns the length of the longest common prefix of two requests.
func sharedBytes(a, b []Message) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i].Role != b[i].Role {
			break
		}
		same := commonPrefix(&a[i], &b[i])
		n += messageOverhead/2 + same
		if same < len(a[i].Content) || same < len(b[i].Content) {
			break
		}
		n += messageOverhead / 2
	}
	return n
}

// TestPredictionByKind compares the prediction with a simulated cache of each kind, over
// conversations with pauses, retries, edits and tools.
func TestPredictionByKind(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	kinds := append([]price{
		{name: "boundaries alone", Cache: Cache{Kind: CacheBoundaries, Min: 1024}, life: prices[1].life},
		{name: "slot", Cache: Cache{Kind: CacheSlot, Min: 1}, life: prices[3].life},
		{name: "none", Cache: Cache{Kind: CacheNone}, life: prices[0].life},
		{name: "blocks without marks", Cache: Cache{Kind: CacheBlocks, Min: 1024}, life: prices[2].life},
	}, prices...)
	for _, p := range kinds {
		for _, layout := range []Layout{Auto, Strict, Append} {
			var sent, cached, predicted, counted, total float64
			breaks := 0
			for seed := range uint64(6) {
				g, s := &engine{layout: layout, cache: p.Cache}, recordedSession(7000+seed)
				converse(s, g, p, func(_ event, _ map[string]string, _ []Message, _ bool, got usage) {
					sent, cached = sent+got.total, cached+got.cached
					predicted += float64(g.env.Predicted.Cached)
					counted += float64(g.env.Predicted.Prompt)
					total++
					if g.env.Break != nil {
						breaks++
					}
				})
			}
			was, expected := 100*cached/sent, 100*predicted/counted
			t.Logf("%-20s %-6s %.1f %% cached, predicted %.1f %%", p.name, layout, was, expected)
			if off := was - expected; off > 5 || off < -5 {
				t.Errorf("%s, %s: %.0f %% cached, predicted %.0f %%", p.name, layout, was, expected)
			}
			if breaks > 0 {
				t.Errorf("%s, %s: %d of %.0f requests broke the prefix", p.name, layout, breaks, total)
			}
		}
	}
}
