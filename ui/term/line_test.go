package term_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/term"
	"ibid/vault/vaulttest"
)

// hardTexts are short texts whose characters are not bytes, not runes and not columns.
var hardTexts = []string{
	"", " ", "a", "ab", "a b", " ab ", "ab  cd", "日本語 日", "👩‍👩‍👧‍👦 x", "🇩🇪🇫🇷", "e\u0301e\u0301", "\u0301", "a \u0301b",
	"x\u200by", "\u202eab", "क्षि", "ก็ำ", "👍🏽", "a\u00a0b", "\u3000全\u3000", "ﷺ",
}

// keysOfLibrary returns all keys that the textinput of bubbles binds.
func keysOfLibrary(t *testing.T) (names []string) {
	all := reflect.ValueOf(textinput.DefaultKeyMap())
	for i := range all.NumField() {
		names = append(names, all.Field(i).Interface().(key.Binding).Keys()...)
	}
	if len(names) < 30 {
		t.Fatalf("the library binds only %v: this test has gone blind", names)
	}
	return names
}

// pressKey returns the message of a key.
func pressKey(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	msg, ok := keys.Press(name)
	if !ok {
		t.Fatalf("there is no key %q", name)
	}
	return msg
}

// checkLine fails the test unless a line can be drawn, with the cursor where it may be.
func checkLine(t *testing.T, l *term.Line, after string) {
	t.Helper()
	before, behind := l.Value()[:l.Position()], l.Value()[l.Position():]
	if !utf8.ValidString(before) || !utf8.ValidString(behind) {
		t.Errorf("%s: the cursor is inside of a character: %q|%q", after, before, behind)
	}
	for _, w := range []int{0, 1, 2, 5, 40} {
		l.SetWidth(w)
		columns, c := term.Width(l.View()), l.Cursor()
		if w > 0 && columns != term.Width(l.Prompt)+w+1 {
			t.Errorf("%s: %q|%q in %d columns takes %d", after, before, behind, w, columns)
		}
		if c == nil || c.X < term.Width(l.Prompt) || c.X >= columns {
			t.Errorf("%s: %q|%q in %d columns has its cursor at %v", after, before, behind, w, c)
		}
	}
	l.SetWidth(0)
}

// TestLineKeys plays every key of the library at every place of short texts, once and twice, typed out and secret.
func TestLineKeys(t *testing.T) {
	for _, text := range hardTexts {
		for _, name := range keysOfLibrary(t) {
			for _, secret := range []bool{false, true} {
				l := term.NewLine("> ")
				l.Secret = secret
				l.Focus()
				l.SetValue(text)
				for at := len(text); ; at = l.Position() {
					one := l
					for range 2 {
						one.Update(pressKey(t, name))
						checkLine(t, &one, name)
					}
					if l.Update(pressKey(t, "left")); at == 0 || l.Position() == at {
						break
					}
				}
			}
		}
	}
}

// TestLineEdits: what the keys do.
func TestLineEdits(t *testing.T) {
	for _, tt := range []struct {
		text, keys, want string // the cursor is at |
	}{
		{"ab", "left alt+d", "a|"},
		{"ab", "left alt+delete", "a|"},
		{"ab cd", "home alt+d", "| cd"},
		{"ab cd", "home alt+f ctrl+delete", "ab|"},
		{"ab cd  ", "alt+backspace", "ab |"},
		{"ab cd", "ctrl+w ctrl+w", "|"},
		{"ab cd", "alt+left alt+left alt+left alt+right", "ab| cd"},
		{"日本 x", "alt+b ctrl+u", "|x"},
		{"a👩‍👩‍👧‍👦", "backspace", "a|"},
		{"👩‍👩‍👧‍👦b", "home delete", "|b"},
		{"e\u0301x", "left left", "|e\u0301x"},
		{"ab", "left ctrl+k ctrl+k", "a|"},
		{"ab", "tab up down ctrl+n ctrl+p ctrl+v", "ab|"},
		{"", "alt+d alt+delete ctrl+w delete backspace left right", "|"},
	} {
		l := term.NewLine("")
		l.Focus()
		l.SetValue(tt.text)
		for name := range strings.FieldsSeq(tt.keys) {
			l.Update(pressKey(t, name))
		}
		if got := l.Value()[:l.Position()] + "|" + l.Value()[l.Position():]; got != tt.want {
			t.Errorf("%q, %s: %q, want %q", tt.text, tt.keys, got, tt.want)
		}
	}
}

// TestLinePaste: a paste stays one line, and an accent joins the letter before it.
func TestLinePaste(t *testing.T) {
	l := term.NewLine("")
	l.Update(tea.PasteMsg{Content: "before the focus"})
	l.Focus()
	l.SetValue("e")
	l.Update(tea.PasteMsg{Content: "\u0301\r\nb\x1b\tc\xff"})
	if got := l.Value(); got != "e\u0301 b c" || l.Position() != len(got) {
		t.Errorf("%q, cursor at %d", got, l.Position())
	}
	l.SetValue("\u0301x")
	l.Update(pressKey(t, "home"))
	l.Update(tea.PasteMsg{Content: "o"})
	if l.Value() != "o\u0301x" || l.Position() != len("o\u0301") {
		t.Errorf("%q, cursor at %d", l.Value(), l.Position())
	}
}

// TestLineCursor: the cursor stands at the column of the text before it, and stays in a narrow line.
func TestLineCursor(t *testing.T) {
	l := term.NewLine("> ")
	if l.Cursor() != nil {
		t.Error("a line without the focus has a cursor")
	}
	l.Focus()
	l.SetValue("日本語x")
	l.Update(pressKey(t, "left"))
	if c := l.CursorIn(3); c.X != 1+2+6 || c.Y != 3 {
		t.Errorf("the cursor is at %d, %d", c.X, c.Y)
	}
	l.SetWidth(4)
	if view := l.View(); view != "> 本語x" {
		t.Errorf("%q", view)
	}
}

// TestLinePlayed plays random keys, texts and pastes.
func TestLinePlayed(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	names := slices.Concat(keysOfLibrary(t), []string{"left", "right", "home", "space", "a"})
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		l := term.NewLine("> ")
		l.Secret = seed%5 == 0
		l.Focus()
		for range 60 {
			if rnd.IntN(3) == 0 {
				l.Update(tea.PasteMsg{Content: hardTexts[rnd.IntN(len(hardTexts))]})
			} else {
				l.Update(pressKey(t, names[rnd.IntN(len(names))]))
			}
			checkLine(t, &l, "random keys")
		}
	}
}
