package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/theme"
)

// BenchmarkKeystroke is one typed character, one frame and one backspace, in
// prompts of three kinds.
func BenchmarkKeystroke(b *testing.B) {
	prompts := []struct{ name, text string }{
		{"short", "and make Sunday a rest day"},
		{"words-2kB", strings.Repeat("some words ", 180)},
		{"cjk-2kB", strings.Repeat("字", 660)},
	}
	typed, undo := tea.KeyPressMsg{Code: 'a', Text: "a"}, tea.KeyPressMsg{Code: tea.KeyBackspace}
	for _, p := range prompts {
		b.Run(p.name, func(b *testing.B) {
			m := New(theme.Theme{})
			m.Insert(p.text)
			b.ReportAllocs()
			for b.Loop() {
				m.Update(typed)
				m.Trigger()
				_ = m.View()
				m.Update(undo)
			}
		})
	}
}

// BenchmarkLongLine is one character typed into a line of 100 kB, with all that a parent
// asks for then, and one frame.
func BenchmarkLongLine(b *testing.B) {
	for _, p := range []struct{ name, text string }{
		{"words", words(100 << 10)},
		{"one-word", strings.Repeat("x", 100<<10)},
		{"cjk", strings.Repeat("字", 100<<10/3)},
	} {
		for _, at := range []string{"ctrl+a", "ctrl+e"} {
			b.Run(p.name+"/"+at, func(b *testing.B) {
				m := New(theme.Theme{})
				m.Insert("@n")
				m.Accept("[[Note]]", "note:n.md")
				m.Insert(p.text)
				m.Update(press(at))
				b.ReportAllocs()
				for b.Loop() {
					m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
					m.Trigger()
					m.Outline()
					_ = m.View()
					m.Cursor()
				}
			})
		}
	}
}

// words returns a line of n bytes of words of different lengths.
func words(n int) string {
	var b strings.Builder
	for i := uint32(1); b.Len() < n; i = i*1664525 + 1013904223 {
		b.WriteString("characteristics"[:i>>24%14+1] + " ")
	}
	return b.String()
}
