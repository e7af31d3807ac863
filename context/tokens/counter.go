package tokens

import (
	"hash/maphash"
	"sync"
	"unicode/utf8"
)

const (
	maxExact      = 256 << 10 // maximum length of a text that is counted in full: about 50 ms
	maxRemembered = 32 << 10  // remembered counts: about 2 MB

	samples     = 8
	sampleBytes = 16 << 10
)

// Counter counts tokens. Create one with NewCounter.
type Counter struct {
	exact int // maximum length of a text that is counted in full
	half  int // texts in one generation
	seed  maphash.Seed

	mu    sync.Mutex
	young map[key]int // counts that were added or used recently
	old   map[key]int // the previous generation, dropped when young is full
}

// key identifies a text. 64 bits of a keyed hash and the length are enough for a table of this size: a collision
// would give a wrong number, not a wrong text.
type key struct {
	hash uint64
	size int
}

// NewCounter returns a Counter.
func NewCounter() *Counter {
	return &Counter{exact: maxExact, half: maxRemembered / 2, seed: maphash.MakeSeed(), young: map[key]int{}}
}

// Count returns the number of tokens in text.
func (c *Counter) Count(text string) int {
	if text == "" {
		return 0
	}
	k := key{maphash.String(c.seed, text), len(text)}
	c.mu.Lock()
	n, ok := c.recall(k)
	c.mu.Unlock()
	if ok {
		return n
	}
	measured := max(c.measure(text), 1) // the vocabulary has no token for some control characters
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.recall(k); ok {
		return n // another goroutine was faster: its count is used
	}
	c.put(k, measured)
	return measured
}

// approximateCount returns one token per four bytes, rounded up.
func approximateCount(text string) int { return (len(text) + 3) / 4 }

func (c *Counter) measure(text string) int {
	if len(text) > c.exact {
		return sample(text)
	}
	return countExactly(text)
}

// sample estimates a long text from evenly spaced pieces of it, within a few per cent; four bytes a token can be
// wrong by half.
func sample(text string) int {
	size := min(sampleBytes, len(text)/samples)
	if size < utf8.UTFMax {
		return countExactly(text)
	}
	tokens, bytes := 0, 0
	for i := range samples {
		from := (len(text) - size) / (samples - 1) * i
		piece := trimRunes(text[from : from+size])
		tokens += countExactly(piece)
		bytes += len(piece)
	}
	if bytes == 0 {
		return approximateCount(text)
	}
	return int(float64(tokens) * float64(len(text)) / float64(bytes))
}

// trimRunes removes incomplete characters at the start and the end.
func trimRunes(s string) string {
	for i := 0; i < utf8.UTFMax && len(s) > 0 && !utf8.RuneStart(s[0]); i++ {
		s = s[1:]
	}
	for i := 0; i < utf8.UTFMax && len(s) > 0; i++ {
		if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// recall returns a remembered count and marks it as used. The caller holds mu.
func (c *Counter) recall(k key) (int, bool) {
	n, ok := c.young[k]
	if !ok {
		if n, ok = c.old[k]; ok {
			c.put(k, n)
		}
	}
	return n, ok
}

// put adds to the young generation. The caller holds mu. Two generations are a cheap replacement for an exact order
// of use.
func (c *Counter) put(k key, n int) {
	if len(c.young) >= c.half {
		c.old, c.young = c.young, make(map[key]int, c.half/4)
	}
	c.young[k] = n
}
