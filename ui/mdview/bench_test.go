package mdview

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ibid/ui/theme"
)

// reply returns a typical reply of about n bytes: prose, lists, code, a table.
func reply(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "## Part %d\n\nThe **practice plan** keeps the wrist low, as [[Lesson 4]] says, and `tempo` at %d bpm; "+
			"hands come together only when each alone is *even*, and counting aloud helps more than it seems. "+
			"See <https://example.org/%d> for the fingering that avoids crossing under on a black key.\n\n", i, 60+i, i)
		b.WriteString("- scales first, slowly, then in thirds\n- arpeggios, slow through the crossing\n  - left hand alone\n- rest on Sunday\n\n")
		if i%2 == 0 {
			b.WriteString("```go\nfunc minutes(days []Day) (sum int) {\n\tfor _, d := range days {\n\t\tsum += d.Minutes // twenty each\n\t}\n\treturn sum\n}\n```\n\n")
		}
		if i%4 == 1 {
			b.WriteString("| Day | Focus | Minutes |\n|---|---|--:|\n| Mon | C major | 20 |\n| Tue | Arpeggios | 20 |\n\n> [!tip] Count\n> Aloud.\n\n")
		}
	}
	return b.String()
}

func dark() *Renderer { return NewRenderer(theme.New(theme.Options{Dark: true})) }

// stream feeds doc in 40-byte chunks and draws after each, as a fast provider
// and an idle machine would have it.
func stream(r *Renderer, doc string, now func() time.Time) int {
	v := New(r, Options{Width: 80, Now: now})
	for len(doc) > 0 {
		n := min(40, len(doc))
		v.Append(doc[:n])
		v.Lines()
		doc = doc[n:]
	}
	v.Finish()
	return len(v.Lines())
}

func BenchmarkStream(b *testing.B) {
	for _, size := range []int{4 << 10, 70 << 10} {
		doc := reply(size)
		// The clock stands still, so every chunk renders the tail: the worst case.
		b.Run(fmt.Sprintf("view/%dkB", size>>10), func(b *testing.B) {
			r := dark()
			b.ReportAllocs()
			for b.Loop() {
				stream(r, doc, stopped)
			}
		})
		if size > 8<<10 {
			continue // the naive way takes a minute or more
		}
		b.Run(fmt.Sprintf("naive/%dkB", size>>10), func(b *testing.B) {
			r := dark()
			b.ReportAllocs()
			for b.Loop() {
				for n := 40; n < len(doc); n += 40 {
					r.Render(doc[:n], 80)
				}
			}
		})
	}
}

func BenchmarkStreamWorstCases(b *testing.B) {
	for name, doc := range map[string]string{
		"fence":     "```go\n" + strings.Repeat("\tx := compute(1, 2) // and so on\n", 2000) + "```\n",
		"list":      strings.Repeat("- an item of a long list, one of many\n", 1800),
		"paragraph": strings.Repeat("words without an end ", 3300),
		"table":     "| a | b |\n|---|---|\n" + strings.Repeat("| one cell | another |\n", 3000),
	} {
		b.Run(name, func(b *testing.B) {
			r := dark()
			b.ReportAllocs()
			for b.Loop() {
				stream(r, doc, time.Now)
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	doc, r := reply(4<<10), dark()
	b.ReportAllocs()
	for b.Loop() {
		r.Render(doc, 80)
	}
}

func BenchmarkResize(b *testing.B) {
	v := New(dark(), Options{})
	v.Append(reply(70 << 10))
	v.Finish()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		v.SetWidth(60+i%40, 0)
	}
}
