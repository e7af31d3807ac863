package ui

import (
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ibid/vault/vaulttest"
)

const longPaste = "A line of a log that somebody pasted, as long as such lines are.\n"

// TestKeyPaste: a key does not copy what was pasted before, and a paste that is too
// long to be shown in full stays a chip.
func TestKeyPaste(t *testing.T) {
	m := benchModel(t, vaulttest.New(t, "-- a.md --\na\n"), 80, 24)
	t.Cleanup(m.Close)
	m.Update(tea.PasteMsg{Content: strings.Repeat(longPaste, 4<<20/len(longPaste))})
	m.Update(tea.KeyPressMsg{Code: 'o', Mod: tea.ModCtrl})
	if s := m.View().Content; !strings.Contains(s, "is too long to be shown here") || !strings.Contains(s, "[paste 1") {
		t.Errorf("the long paste was expanded, or nothing says why not:\n%s", s)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, r := range " why? @a and" {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		m.View()
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("twelve keys took %d bytes of memory", n)
	}
}

// BenchmarkKeyPaste types behind a paste of 8 MB: the time from key to frame.
// "mention" types the name of a note there.
func BenchmarkKeyPaste(b *testing.B) {
	paste := tea.PasteMsg{Content: strings.Repeat(longPaste, 8<<20/len(longPaste))}
	for _, c := range []struct{ name, typed string }{{"text", " a"}, {"mention", " @a"}} {
		b.Run(c.name, func(b *testing.B) {
			m := benchModel(b, vaulttest.New(b, "-- a.md --\na\n"), 120, 40)
			b.Cleanup(m.Close)
			m.Update(paste)
			for _, r := range c.typed {
				m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			hints := []tea.KeyPressMsg{{Code: 'b', Text: "b"}, {Code: tea.KeyBackspace}}
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				m.Update(hints[i%2])
				m.View()
				i++
			}
		})
	}
	b.Run("paste", func(b *testing.B) {
		m := benchModel(b, vaulttest.New(b, "-- a.md --\na\n"), 120, 40)
		b.Cleanup(m.Close)
		for b.Loop() {
			m.Update(paste)
			m.View()
			m.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		}
	})
}
