package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// pressed is the key that a row names at a place of the screen, with what it does:
// clicking there is pressing it. The rows that do are the last ones of a page, also of one
// over the prompt, and the status.
func pressed(m *Model, x, y int) (tea.KeyPressMsg, bool) {
	f, rows := &m.stage.frame, strings.Split(m.drawing.view.Content, "\n")
	names := y == f.status.y
	switch p := m.page.(type) {
	case nil:
	case *question, *approval:
		n := len(newPen(&m.k.theme, f.popup.w).keyRows(p.Hints()))
		names = names || y < f.composer.y && y >= f.composer.y-n
	default:
		if overPrompt(p) {
			names = names || y == f.composer.y-1
		} else {
			names = y >= m.stage.h-footRows
		}
	}
	if !names || y >= len(rows) {
		return tea.KeyPressMsg{}, false
	}
	s := screenOf(m)
	all := append(s.hints(), Hint{"esc", "stops"}, Hint{"esc", "back"}, Hint{"esc", "close"}, Hint{s.k.keys.name("help"), "help"})
	if m.page != nil {
		all = append(all, m.page.Hints()...)
	}
	row := ansi.Strip(rows[y])
	for _, h := range all {
		text := h.Key + " " + h.Does
		for at := 0; ; at += len(text) {
			i := strings.Index(row[at:], text)
			if i < 0 {
				break
			}
			at += i
			if from := width(row[:at]); x >= from && x < from+width(text) && strings.HasSuffix(" "+row[:at], " ") {
				return keyNamed(h.Key)
			}
		}
	}
	return tea.KeyPressMsg{}, false
}

// footRows is how many rows at the end of a page may name keys.
const footRows = 3

// keyNamed is the key of a name such as "ctrl+s", "F2", "enter" or "y"; false for what
// names more than one.
func keyNamed(name string) (tea.KeyPressMsg, bool) {
	k := tea.Key{}
	for mod, bit := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		if rest, ok := strings.CutPrefix(name, mod); ok && rest != "" {
			k.Mod, name = bit, rest
			break
		}
	}
	switch code, special := namedKeys[strings.ToLower(name)]; {
	case special:
		k.Code = code
	case utf8.RuneCountInString(name) != 1:
		return tea.KeyPressMsg{}, false
	default:
		if k.Code, _ = utf8.DecodeRuneInString(name); k.Mod == 0 {
			k.Text = name
		}
	}
	if k.Code == tea.KeySpace && k.Mod == 0 {
		k.Text = " "
	}
	return tea.KeyPressMsg(k), true
}

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}
