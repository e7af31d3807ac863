package transcript

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"

	"ibid/ui/theme"
)

// TestNothingIsWiderThanTheScreen shows texts of mixed scripts in a terminal that is
// wider than the transcript: nothing stands beyond its width.
func TestNothingIsWiderThanTheScreen(t *testing.T) {
	words := []string{
		"word", "שלום עולם", "مرحبا", "नमस्ते", "ไทยภาษา", "日本語。", "한국어", "👩‍🌾", "👍🏽", "❤️", "🇫🇷", "e\u0301",
		"z\u0334\u0335\u0336",
		"`code`", "**bold**", "$x^2$", "[[a|語]]", "averyverylongword", "\n", "\n\n", "\n- ", "\n> ", "\n> [!x]- ",
		"\n| a | b |\n|---|---|\n| ", " | ", "\n```\n", " ", " ",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 30).Draw(t, "text"), "")
		width := rapid.IntRange(10, 50).Draw(t, "width")
		const height = 12
		tr := New(Options{Now: stopped, Theme: theme.New(theme.Options{NoColor: true})})
		tr.SetSize(width, height)
		tr.Append(Message{Role: You, Text: text})
		tr.Append(Message{ID: "a", Role: Assistant, Text: text})
		shown := theme.StripMarks(tr.View())
		for _, drawn := range []string{shown, theme.SeparateEmoji(shown)} {
			screen := vt.NewEmulator(width+20, height)
			_, _ = screen.WriteString(strings.ReplaceAll(drawn, "\n", "\r\n"))
			for y := range height {
				for x := width; x < width+20; x++ {
					if c := screen.CellAt(x, y); c != nil && strings.TrimSpace(c.Content) != "" {
						t.Fatalf("%q stands at column %d of a line of %d, in\n%s", c.Content, x, width, drawn)
					}
				}
			}
			_ = screen.Close()
		}
	})
}

// TestWideCode: text keeps its measure where there is more room, and code and tables take
// what is free.
func TestWideCode(t *testing.T) {
	tr := newPlain(150, 20)
	long := strings.Repeat("word ", 25)
	tr.Append(Message{
		ID: "a", Role: Assistant,
		Text: long + "\n\n```\n" + long + "end\n```\n\n| a | b |\n|---|---|\n| " + long + " | c |\n",
	})
	SetColumns(tr, 150, 20, 84)
	shows(t, tr, []string{long + "end", "│ " + long}, []string{long + "\n", "→"})
	SetColumns(tr, 90, 20, 84)
	shows(t, tr, []string{"→"}, []string{long + "end"})
}
