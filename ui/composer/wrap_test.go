package composer

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// TestRewrap changes a text at random: what is cut anew after each change is the same as
// if all of it were.
func TestRewrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(plainTheme(false))
		m.SetWidth(rapid.IntRange(8, 30).Draw(t, "w"))
		keys := append([]string{"ctrl+_", "alt+_", "up", "up", "left", "ctrl+j"}, keysToPress...)
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2, 3:
				s := rapid.SampledFrom(pieces).Draw(t, "piece")
				m.Update(tea.KeyPressMsg{Code: []rune(s)[0], Text: s})
			case 4:
				s := rapid.SampledFrom([]string{"a\nb\nc", "word word word ", "日本", "          ", "longword"}).Draw(t, "pasted")
				m.Update(tea.PasteMsg{Content: strings.Repeat(s, rapid.IntRange(1, 5).Draw(t, "times"))})
			case 5:
				m.Accept("[["+rapid.SampledFrom(pieces).Draw(t, "mention")+"]]", "")
			default:
				m.Update(press(rapid.SampledFrom(keys).Draw(t, "key")))
			}
			if want := wrap(nil, m.buf.lines, m.textWidth()); !slices.Equal(m.rows, want) {
				t.Fatalf("%q is cut into\n%v, want\n%v", m.Value(), m.rows, want)
			}
		}
	})
}
