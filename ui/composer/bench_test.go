package composer

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/theme"
)

// BenchmarkKeystroke is one typed character, one frame and one backspace, in
// prompts of three kinds, against the text area that bubbles has.
func BenchmarkKeystroke(b *testing.B) {
	prompts := []struct{ name, text string }{
		{"short", "and make Sunday a rest day"},
		{"words-2kB", strings.Repeat("some words ", 180)},
		{"cjk-2kB", strings.Repeat("字", 660)},
	}
	typed, undo := tea.KeyPressMsg{Code: 'a', Text: "a"}, tea.KeyPressMsg{Code: tea.KeyBackspace}
	for _, p := range prompts {
		b.Run(p.name+"/composer", func(b *testing.B) {
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
		b.Run(p.name+"/textarea", func(b *testing.B) {
			m := textarea.New()
			m.SetVirtualCursor(false)
			m.DynamicHeight, m.MaxHeight, m.MaxContentHeight = true, 8, 1000
			m.SetWidth(76)
			m.Focus()
			m.SetValue(p.text)
			b.ReportAllocs()
			for b.Loop() {
				m, _ = m.Update(typed)
				_ = m.View()
				m, _ = m.Update(undo)
			}
		})
	}
}
