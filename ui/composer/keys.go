package composer

import "charm.land/bubbles/v2/key"

// KeyMap binds keys to what the composer does. Keys that it does not name are
// the parent's.
type KeyMap struct {
	Send, Newline                            key.Binding
	Left, Right, Up, Down                    key.Binding
	WordLeft, WordRight, LineStart, LineEnd  key.Binding
	Start, End                               key.Binding
	Backspace, Delete                        key.Binding
	KillWordLeft, KillWordRight              key.Binding
	KillToStart, KillToEnd, Yank, RemoveChip key.Binding
}

// DefaultKeyMap is readline's, as far as a prompt of several lines allows.
func DefaultKeyMap() KeyMap {
	bind := func(help, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
	}
	return KeyMap{
		Send:          bind("enter", "send", "enter"),
		Newline:       bind("alt+enter", "newline", "shift+enter", "alt+enter", "ctrl+j"),
		Left:          bind("←", "left", "left", "ctrl+b"),
		Right:         bind("→", "right", "right"),
		Up:            bind("↑", "older prompt", "up"),
		Down:          bind("↓", "newer prompt", "down"),
		WordLeft:      bind("alt+b", "word left", "alt+b", "alt+left", "ctrl+left"),
		WordRight:     bind("alt+f", "word right", "alt+f", "alt+right", "ctrl+right"),
		LineStart:     bind("ctrl+a", "line start", "ctrl+a", "home"),
		LineEnd:       bind("ctrl+e", "line end", "ctrl+e", "end"),
		Start:         bind("alt+<", "start of text", "alt+<", "ctrl+home"),
		End:           bind("alt+>", "end of text", "alt+>", "ctrl+end"),
		Backspace:     bind("backspace", "delete left", "backspace", "shift+backspace", "ctrl+h"),
		Delete:        bind("ctrl+d", "delete right", "ctrl+d", "delete"),
		KillWordLeft:  bind("ctrl+w", "delete word left", "ctrl+w", "alt+backspace", "ctrl+backspace"),
		KillWordRight: bind("alt+d", "delete word right", "alt+d", "alt+delete", "ctrl+delete"),
		KillToStart:   bind("ctrl+u", "delete to line start", "ctrl+u"),
		KillToEnd:     bind("ctrl+k", "delete to line end", "ctrl+k"),
		Yank:          bind("ctrl+y", "put back what was deleted", "ctrl+y"),
		RemoveChip:    bind("x", "remove the chip that ← → chose", "x", "backspace", "delete"),
	}
}

// FullHelp is all keys, in columns for a help page.
func (k KeyMap) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{k.Send, k.Newline, k.Up, k.Down, k.Left, k.Right, k.RemoveChip},
		{k.LineStart, k.LineEnd, k.WordLeft, k.WordRight, k.Start, k.End},
		{k.Backspace, k.Delete, k.KillWordLeft, k.KillWordRight, k.KillToStart, k.KillToEnd, k.Yank},
	}
}
