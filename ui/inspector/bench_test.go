package inspector

import (
	"fmt"
	"strings"
	"testing"

	"ibid/ui/theme"
)

func heavy() Report {
	r := sample()
	r.Library = make([]Item, 200)
	for i := range r.Library {
		r.Library[i] = Item{
			ID: fmt.Sprint(i), Title: fmt.Sprintf("Note %d", i), Detail: "Folder/", Since: i, Times: 2,
			Tokens: 2500, State: Cached,
		}
	}
	return r
}

// BenchmarkFrame is one key and one frame with 200 items in the library.
func BenchmarkFrame(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 50}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			m := New(theme.Theme{})
			m.SetSize(size[0], size[1])
			m.SetReport(heavy())
			m.SetPreview(Preview{ID: "L1", Text: strings.Repeat("A line of the exact bytes.\n", 1000)})
			b.ReportAllocs()
			for b.Loop() {
				m.Update(press("down"))
				_ = m.View()
			}
		})
	}
}

// BenchmarkSmallForms are the ribbon and the rail, which are in every frame.
func BenchmarkSmallForms(b *testing.B) {
	p, r := NewPainter(theme.Theme{}), heavy()
	b.Run("ribbon", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = p.Ribbon(&r, 120)
		}
	})
	b.Run("rail", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.Rail(&r, RailView{W: 32, H: 46})
		}
	})
}

// BenchmarkOpenBytes opens two megabytes and shows the first screen.
func BenchmarkOpenBytes(b *testing.B) {
	text := strings.Repeat(strings.Repeat("Some words of a note. ", 20)+"\n", 2<<20/440)
	m := New(theme.Theme{})
	m.SetSize(80, 24)
	m.SetReport(sample())
	m.Update(press("enter"))
	b.ReportAllocs()
	for b.Loop() {
		m.SetPreview(Preview{ID: "L1", Text: text})
	}
}
