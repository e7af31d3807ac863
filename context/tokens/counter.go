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
