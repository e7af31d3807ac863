package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// TestUndo plays keys and looks at the text with the cursor in it as |.
func TestUndo(t *testing.T) {
	edits{
		{"nothing", "<ctrl+_>", "|"},
		{"a word at a time", "one two three<ctrl+_>", "one two |"},
		{"two words", "one two three<ctrl+_><ctrl+_>", "one |"},
		{"all", "one two<ctrl+_><ctrl+_><ctrl+_>", "|"},
		{"and again", "one two<ctrl+_><ctrl+_><alt+_>", "one |"},
		{"all again", "one two<ctrl+/><ctrl+/><alt+/><alt+/><alt+/>", "one two|"},
		{"typing forgets what was undone", "one two<ctrl+_>x<alt+_>", "one x|"},
		{"moving begins a step", "one<left><left>x<ctrl+_>", "o|ne"},
		{"deleting in a row is a step", "one<backspace><backspace><ctrl+_>", "one|"},
		{"a deleted word", "one two<ctrl+w><ctrl+w><ctrl+_>", "one |"},
		{"deleted words come back together", "one two<ctrl+w><ctrl+w>x<ctrl+y>", "xone two|"},
		{"deleted to the right as well", "one two<ctrl+a><alt+d><alt+d>x<ctrl+y>", "xone two|"},
		{"not with others between", "one two<ctrl+w><left><ctrl+w> <ctrl+y>", " one| "},
		{"a line break", "a<ctrl+j>b<ctrl+_><ctrl+_>", "a|"},
		{"a backslash before enter", `a\<enter>b<ctrl+_><ctrl+_>`, `a\|`},
		{"joined lines", "a<ctrl+j>b<ctrl+a><backspace><ctrl+_>", "a\n|b"},
		{"a paste of lines", "a<paste:b¶c¶d>e<ctrl+_><ctrl+_>", "a|"},
		{"a paste of lines again", "a<paste:b¶c¶d><ctrl+_><alt+_>", "ab\nc\nd|"},
		{"a mention", "see @les<accept:[[Lesson 4]]><ctrl+_>", "see @les|"},
		{"a deleted mention", "see @les<accept:[[Lesson 4]]><backspace><backspace><ctrl+_>", "see [[Lesson 4]] |"},
		{"a combining mark", "e<left><right>\u0301<ctrl+_>", "e|"},
		{"half a flag", "🇩x🇪<left><backspace><ctrl+_>", "🇩x|🇪"},
		{"a walk in the history", "old<take>new<up><ctrl+_>", "new|"},
		{"not what was sent", "old<take><ctrl+_>", "|"},
	}.hold(t)
}

// TestUndoAll types at random: all steps undone leave nothing, and done again they leave
// what was there.
func TestUndoAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(plainTheme(false))
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2, 3, 4:
				s := rapid.SampledFrom(pieces).Draw(t, "piece")
				m.Update(tea.KeyPressMsg{Code: []rune(s)[0], Text: s})
			case 5:
				m.Update(tea.PasteMsg{Content: rapid.SampledFrom([]string{
					"a\nb\nc", "\u0301x",
					strings.Repeat("y\n", 30),
				}).Draw(t, "pasted")})
			case 6:
				m.Accept("[["+rapid.SampledFrom(pieces).Draw(t, "mention")+"]]", "")
			default:
				m.Update(press(rapid.SampledFrom(append([]string{"ctrl+_", "alt+_"}, keysToPress...)).Draw(t, "key")))
			}
		}
		for m.buf.redo() {
		}
		want := m.Value()
		for m.buf.undo() {
		}
		if !m.buf.empty() {
			t.Fatalf("%q is left", m.Value())
		}
		for m.buf.redo() {
		}
		if m.Value() != want {
			t.Fatalf("%q, want %q", m.Value(), want)
		}
	})
}
