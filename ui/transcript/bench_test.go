package transcript

import (
	"fmt"
	"strings"
	"testing"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// long returns n messages of a few hundred words each.
func long(n int) []Message {
	para := strings.Repeat("The soil is loose, the pots drain well, and **basil** wants sun, as [[Balcony]] says. ", 6)
	var ms []Message
	for i := range n / 2 {
		ms = append(ms,
			Message{ID: fmt.Sprint("u", i), Role: You, Text: fmt.Sprintf("Question %d about the garden", i)},
			Message{ID: fmt.Sprint("a", i), Role: Assistant, Text: para + "\n\n- one\n- two\n\n```go\nx := 1\n```\n\n" + para})
	}
	return ms
}

func loaded(n int) *Transcript {
	t := New(Options{Theme: theme.New(theme.Options{Dark: true}), Now: stopped})
	t.SetSize(120, 40)
	t.Reset(long(n))
	t.View()
	return t
}

// A frame while text streams in, after a key, and when nothing changed: the
// number of messages must not show.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{20, 2000} {
		b.Run(fmt.Sprintf("streaming/%d", n), func(b *testing.B) {
			t := loaded(n)
			t.Append(Message{ID: "s", Role: Assistant, Status: Streaming})
			s, _ := t.Stream("s")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.AppendText("forty bytes of a reply that streams in. ")
				if i%10 == 9 {
					s.AppendText("\n\n")
				}
				t.View()
			}
		})
		b.Run(fmt.Sprintf("scroll/%d", n), func(b *testing.B) {
			t := loaded(n)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				t.ScrollBy(1 - 2*(i/20%2))
				t.View()
			}
		})
		b.Run(fmt.Sprintf("unchanged/%d", n), func(b *testing.B) {
			t := loaded(n)
			b.ReportAllocs()
			for b.Loop() {
				t.View()
			}
		})
	}
	// What it would cost to keep the whole conversation as lines, with every
	// message but the last one cached.
	b.Run("naive/2000", func(b *testing.B) {
		r := mdview.NewRenderer(theme.New(theme.Options{Dark: true}))
		lines := render(r, long(2)[1].Text, 100)
		b.ReportAllocs()
		for b.Loop() {
			var all []string
			for range 1000 {
				all = append(all, lines...)
			}
			_ = strings.Split(strings.Join(all, "\n"), "\n")[len(all)-40:]
		}
	})
}

// render returns the lines of a whole document.
func render(r *mdview.Renderer, text string, width int) []string {
	v := mdview.New(r, mdview.Options{Width: width})
	v.Append(text)
	v.Finish()
	return v.Lines()
}

func BenchmarkResize(b *testing.B) {
	for _, n := range []int{20, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			t := loaded(n)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				t.SetSize(80+i%40, 40)
				t.View()
			}
		})
	}
	b.Run("naive/20", func(b *testing.B) { // 2000 would be a hundred times that
		ms := long(20)
		r := mdview.NewRenderer(theme.New(theme.Options{Dark: true}))
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			for _, m := range ms {
				render(r, m.Text, 80+i%20)
			}
		}
	})
}

// Opening a chat, to its last screen.
func BenchmarkOpen(b *testing.B) {
	ms := long(2000)
	b.ReportAllocs()
	for b.Loop() {
		t := New(Options{Theme: theme.New(theme.Options{Dark: true}), Now: stopped})
		t.SetSize(120, 40)
		t.Reset(ms)
		t.View()
	}
}

func BenchmarkFind(b *testing.B) {
	t := loaded(2000)
	b.ReportAllocs()
	for b.Loop() {
		t.Find("")
		t.Find("drain")
	}
}
