package keys

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Press is the key of a name such as "ctrl+s", "F2", "enter" or "y"; false for what
// names more than one.
func Press(name string) (tea.KeyPressMsg, bool) {
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

// Wheel is the key that turning the wheel stands for in a list.
func Wheel(msg tea.MouseWheelMsg) tea.KeyPressMsg {
	if msg.Button == tea.MouseWheelUp {
		return tea.KeyPressMsg{Code: tea.KeyUp}
	}
	return tea.KeyPressMsg{Code: tea.KeyDown}
}
