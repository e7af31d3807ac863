package calltext

import (
	"strings"
	"testing"
)

// prose is a reply as most are: paragraphs, lists, a table and code.
var prose = strings.Repeat(strings.Repeat(`The barn has a slate roof, laid in 1931. It was mended twice since then, and the
north side is due again. What the notes say of it:

- the ridge was set anew in 2019, see [[Projects/Barn#Ridge]]
- 40 slates are in the shed, behind the rake
  1. twenty are whole
  2. the others are cut

| side  | state | year |
| ----- | ----- | ---- |
| north | poor  | 1987 |

`, 5)+"```go\nfunc main() {\n\tprintln(\"slate\")\n}\n```\n\n", 25)

// pieces splits a text as a provider streams it: a few words at a time.
func pieces(text string, n int) (all []string) {
	for len(text) > n {
		all = append(all, text[:n])
		text = text[n:]
	}
	return append(all, text)
}

// BenchmarkReader reads plain text; ns/byte is what a byte of it costs, with pieces
// of 24 bytes, beside a copy of the same pieces.
func BenchmarkReader(b *testing.B) {
	stream := pieces(prose, 24)
	run := func(name string, take func() (write func(string) string, end func() string)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(prose)))
			b.ReportAllocs()
			for b.Loop() {
				write, end := take()
				var out strings.Builder
				for _, p := range stream {
					out.WriteString(write(p))
				}
				out.WriteString(end())
				if out.Len() != len(prose) {
					b.Fatal(out.Len(), len(prose))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(prose)), "ns/byte")
		})
	}
	run("read", func() (func(string) string, func() string) {
		r := NewReader(offered, true)
		return r.Write, r.Close
	})
	run("copy", func() (func(string) string, func() string) {
		return func(s string) string { return s }, func() string { return "" }
	})
}

// TestReaderAllocates: of plain text no copies are made, but where a line begins as calls do.
func TestReaderAllocates(t *testing.T) {
	stream := pieces(prose, 24)
	if n := testing.AllocsPerRun(5, func() {
		r := NewReader(offered, true)
		for _, p := range stream {
			r.Write(p)
		}
		r.Close()
	}); n > 450 {
		t.Errorf("%.0f allocations for %d pieces", n, len(stream))
	}
}
