package tokens

import (
	"hash/maphash"
	"sync"
)

const (
	maxExact      = 256 << 10 // maximum length of a text that is counted in full: about 50 ms
	maxRemembered = 32 << 10  // remembered counts: about 2 MB

	samples     = 8
	sampleBytes = 16 << 10
)

// Counter counts tokens. Create one with NewCounter.
type Counter struct {
	exact int // maximum length of a text that is counted in full, at least sampleBytes
	most  int // maximum number of remembered counts
	seed  maphash.Seed

	mu     sync.Mutex
	counts map[key]int
}

// key identifies a text. 64 bits of a keyed hash and the length are enough for a table of this size: a collision
// would give a wrong number, not a wrong text.
type key struct {
	hash uint64
	size int
}

// NewCounter returns a Counter.
func NewCounter() *Counter {
	return &Counter{exact: maxExact, most: maxRemembered, seed: maphash.MakeSeed(), counts: map[key]int{}}
}

// Count returns the number of tokens in text.
func (c *Counter) Count(text string) int {
	if text == "" {
		return 0
	}
	k := key{maphash.String(c.seed, text), len(text)}
	c.mu.Lock()
	n, ok := c.counts[k]
	c.mu.Unlock()
	if ok {
		return n
	}
	n = max(c.measure(text), 1) // the vocabulary has no token for some control characters
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.counts) >= c.most {
		clear(c.counts) // simple, and rare: what is in use is counted again at once
	}
	c.counts[k] = n
	return n
}

func (c *Counter) measure(text string) int {
	if len(text) > c.exact {
		return sample(text)
	}
	return countExactly(text)
}

// sample estimates a long text from evenly spaced pieces of it, within a few per cent; four bytes a token can be
// wrong by half. A character cut at the end of a piece counts as a few tokens, which does not matter.
func sample(text string) int {
	tokens := 0
	for i := range samples {
		from := (len(text) - sampleBytes) / (samples - 1) * i
		tokens += countExactly(text[from : from+sampleBytes])
	}
	return int(float64(tokens) / (samples * sampleBytes) * float64(len(text)))
}
