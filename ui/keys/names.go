package keys

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Press returns the key with a name such as "ctrl+s", "F5" or "@", false if there is none.
func Press(name string) (tea.KeyPressMsg, bool) {
	k, err := readKey(name)
	return tea.KeyPressMsg(k), err == nil
}

// parseKey returns the name of a key in the form of the terminal's input. It fails for keys that
// terminals send as others.
func parseKey(text string) (string, error) {
	k, err := readKey(text)
	if err != nil {
		return "", err
	}
	name := k.String()
	if same := map[string]string{"ctrl+m": "enter", "ctrl+[": "esc", "ctrl+i": "tab"}[name]; same != "" {
		return "", fmt.Errorf("is %s to most terminals: give another key", same)
	}
	return name, nil
}

func readKey(text string) (k tea.Key, err error) {
	rest := strings.TrimSpace(text)
	for {
		mod, tail, ok := strings.Cut(rest, "+")
		if !ok || tail == "" || mod == "" {
			break
		}
		bit, known := modifiers[strings.ToLower(mod)]
		if !known {
			return k, fmt.Errorf("is no key: there is no modifier %s", mod)
		}
		k.Mod, rest = k.Mod|bit, tail
	}
	low := strings.ToLower(rest)
	digits, isF := strings.CutPrefix(low, "f")
	n, _ := strconv.Atoi(digits)
	r, size := utf8.DecodeRuneInString(rest)
	switch code, named := namedKeys[low]; {
	case named:
		if k.Code = code; code == tea.KeySpace && k.Mod == 0 {
			k.Text = " "
		}
	case isF && n >= 1 && n <= 20:
		k.Code = tea.KeyF1 + rune(n-1)
	case size == 0 || size < len(rest) || r == utf8.RuneError || !unicode.IsGraphic(r):
		return k, fmt.Errorf("is no key: " +
			"a key is a character, or one such as F5, up, pgdown or tab, with ctrl+, alt+ or shift+ before it")
	case k.Mod == 0:
		k.Code, k.Text = r, rest
	case k.Mod == tea.ModShift:
		k = tea.Key{Code: r, Text: strings.ToUpper(rest)}
	default:
		k.Code = unicode.ToLower(r)
	}
	return k, nil
}

var modifiers = map[string]tea.KeyMod{
	"ctrl": tea.ModCtrl, "control": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift, "meta": tea.ModMeta,
	"hyper": tea.ModHyper, "super": tea.ModSuper,
}

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "return": tea.KeyEnter, "esc": tea.KeyEscape, "escape": tea.KeyEscape, "tab": tea.KeyTab,
	"space":     tea.KeySpace,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "del": tea.KeyDelete, "insert": tea.KeyInsert,
	"ins": tea.KeyInsert,
	"up":  tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pageup": tea.KeyPgUp,
	"pgdown": tea.KeyPgDown, "pagedown": tea.KeyPgDown, "pgdn": tea.KeyPgDown,
}

// Wheel returns the key that has the effect of the mouse wheel in a list.
func Wheel(msg tea.MouseWheelMsg) tea.KeyPressMsg {
	if msg.Button == tea.MouseWheelUp {
		return tea.KeyPressMsg{Code: tea.KeyUp}
	}
	return tea.KeyPressMsg{Code: tea.KeyDown}
}
