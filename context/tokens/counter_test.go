package tokens

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// counterOf returns a Counter that counts texts of up to so many bytes exactly.
func counterOf(exact int) *Counter {
	c := NewCounter()
	c.exact = exact
	return c
}

func TestCount(t *testing.T) {
	c := counterOf(maxExact)
	tests := []struct {
		text string
		want int
	}{
		{"", 0},
		{"a", 1},
		{"hello world", 2},
		{"Hello, world!", 4},
		{"你好，世界", 3},
		{"<|endoftext|>", 7}, // as text: no note can end a prompt
		{"\n\n\n\n", 1},
		{strings.Repeat(" ", 64), 1},
	}
	for _, tt := range tests {
		is(t, c.Count(tt.text), tt.want, tt.text)
	}
}

// What was counted is remembered, within a bound.
func TestRemember(t *testing.T) {
	c := NewCounter()
	c.most = 64
	for i := range 1000 {
		text := fmt.Sprintf("some text, number %d", i)
		n := c.Count(text)
		if got, ok := c.counts[key{maphash.String(c.seed, text), len(text)}]; !ok || got != n || len(c.counts) > 64 {
			t.Fatalf("text %d: %d tokens remembered of %d, %d texts", i, got, n, len(c.counts))
		}
	}
}

func TestSample(t *testing.T) {
	texts := map[string]string{
		"English":  "The tomatoes in the south bed want water every morning, and compost once a month. ",
		"Japanese": "南の花壇のトマトは毎朝水をやり、月に一度堆肥を与えます。",
		"Thai":     "มะเขือเทศในแปลงทิศใต้ต้องการน้ำทุกเช้า ",
		"JSON":     `{"bed":"south","plants":[{"name":"tomato","count":12,"water_ml":750}],"ok":true},`,
		"bytes":    "\xff\xfe\x80",
	}
	for name, line := range texts {
		text := strings.Repeat(line, 140<<10/len(line))
		whole := counterOf(1 << 30).Count(text)
		c := counterOf(32 << 10)
		got := c.Count(text)
		if off := float64(got)/float64(whole) - 1; off < -0.05 || off > 0.05 {
			t.Errorf("%s: %d from samples, %d in full (%+.1f %%)", name, got, whole, 100*off)
		}
		is(t, counterOf(32<<10).Count(text), got, name)
	}
}

// Many goroutines count the same texts: everybody hears the same.
func TestCountParallel(t *testing.T) {
	c := NewCounter()
	var heard [32]sync.Map
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				for i := range heard {
					n := c.Count(strings.Repeat(fmt.Sprintf("bed %d wants water; ", i), i+1))
					heard[i].Store(n, true)
				}
			}
		})
	}
	wg.Wait()
	for i := range heard {
		var all []any
		heard[i].Range(func(n, _ any) bool { all = append(all, n); return true })
		if len(all) != 1 {
			t.Errorf("text %d: counts %v", i, all)
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{
		"", "plain", "Grüße 👩‍🌾", "\xff\xfe", strings.Repeat("a", 5000),
		strings.Repeat(" \n", 400), "日本語", "<|endofprompt|>", "\x00\x1b[31m",
	} {
		f.Add(s)
	}
	exact := counterOf(maxExact)
	f.Fuzz(func(t *testing.T, text string) {
		n := exact.Count(text)
		// A token is at least a byte; a byte that is no UTF-8 counts as U+FFFD, three bytes.
		most := len(text)
		if !utf8.ValidString(text) {
			most *= 3
		}
		if (n == 0) != (text == "") || n > most {
			t.Errorf("%d tokens in %d bytes", n, len(text))
		}
		is(t, exact.Count(text), n)
	})
}

func BenchmarkCount(b *testing.B) {
	// 20 KB
	note := strings.Repeat("The tomatoes in the south bed want water every morning, and compost once a month.\n", 250)
	c := counterOf(maxExact)
	c.Count(note)
	run := func(name string, count func(string) int) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(note)))
			b.ReportAllocs()
			for b.Loop() {
				if count(note) == 0 {
					b.Fatal("nothing counted")
				}
			}
		})
	}
	run("remembered", c.Count)
	run("counted", countExactly)
}
