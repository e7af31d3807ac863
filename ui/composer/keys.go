package composer

import "charm.land/bubbles/v2/key"

// binding is a key and its function while the cursor is in the text; the keys of the shelf have none
// there.
type binding struct {
	key.Binding
	act func(*Model) Action
}

// bindings returns the keys of readline, as far as a prompt of several lines allows, in the order of a
// help page. All other keys belong to the parent.
func bindings() []binding {
	bind := func(help, does string, act func(*Model) Action, keys ...string) binding {
		return binding{key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does)), act}
	}
	move := func(f func(*buffer) bool) func(*Model) Action {
		return func(m *Model) Action { return m.moved(f(&m.buf)) }
	}
	edit := func(f func(*buffer) bool) func(*Model) Action {
		return func(m *Model) Action { return m.edited(f(&m.buf)) }
	}
	newline := func(m *Model) Action {
		m.buf.edits.begin(editAlone)
		closeGap(m, "\n")
		return m.edited(m.buf.newline())
	}
	return []binding{
		bind("enter", "send", (*Model).send, "enter"),
		bind("alt+enter", "newline", newline, "shift+enter", "alt+enter", "ctrl+j"),
		bind("↑", "older prompt", func(m *Model) Action { return m.moveRows(-1) }, "up"),
		bind("↓", "newer prompt", func(m *Model) Action { return m.moveRows(+1) }, "down"),
		bind("←", "left", move((*buffer).left), "left", "ctrl+b"),
		bind("→", "right", move((*buffer).right), "right"),
		bind("x", "remove the chip that ← → chose", nil, "x", "backspace", "delete"),

		bind("home", "row start, then line start", rowStart, "home"),
		bind("end", "row end, then line end", rowEnd, "end"),
		bind("ctrl+a", "line start", move((*buffer).lineStart), "ctrl+a"),
		bind("ctrl+e", "line end", move((*buffer).lineEnd), "ctrl+e"),
		bind("alt+b", "word left", move((*buffer).wordLeft), "alt+b", "alt+left", "ctrl+left"),
		bind("alt+f", "word right", move((*buffer).wordRight), "alt+f", "alt+right", "ctrl+right"),
		bind("alt+<", "start of text", move(func(b *buffer) bool { return b.moveTo(0, 0) }), "alt+<", "ctrl+home"),
		bind("alt+>", "end of text", move((*buffer).toEnd), "alt+>", "ctrl+end"),

		bind("backspace", "delete left", edit((*buffer).backspace), "backspace", "shift+backspace", "ctrl+h"),
		bind("ctrl+d", "delete right", edit((*buffer).deleteForward), "ctrl+d", "delete"),
		// The keys that delete more than a cell keep it for yank. Where there is nothing to delete in
		// the line they delete the line break, as in readline.
		bind("ctrl+w", "delete to blank left", edit(func(b *buffer) bool {
			return b.killTo(b.blankBefore(), b.col) || b.mergeUp()
		}), "ctrl+w"),
		bind("alt+backspace", "delete to word start", edit(func(b *buffer) bool {
			return b.killTo(b.wordStart(), b.col) || b.mergeUp()
		}), "alt+backspace", "ctrl+backspace"),
		bind("alt+d", "delete to word end", edit(func(b *buffer) bool {
			return b.killTo(b.col, b.wordEnd()) || b.mergeDown()
		}), "alt+d", "alt+delete", "ctrl+delete"),
		bind("ctrl+u", "delete to line start", edit(func(b *buffer) bool {
			return b.killTo(0, b.col) || b.mergeUp()
		}), "ctrl+u"),
		bind("ctrl+k", "delete to line end", edit(func(b *buffer) bool {
			return b.killTo(b.col, len(b.line())) || b.mergeDown()
		}), "ctrl+k"),
		bind("ctrl+y", "put back what was deleted", edit((*buffer).yank), "ctrl+y"),
		bind("ctrl+_", "undo", edit((*buffer).undo), "ctrl+_", "ctrl+/", "ctrl+shift+-"),
		bind("alt+_", "redo", edit((*buffer).redo), "alt+_", "alt+/"),
	}
}

// Keys returns the keys of a composer, for a help page.
func Keys() []key.Binding {
	var out []key.Binding
	for _, b := range bindings() {
		out = append(out, b.Binding)
	}
	return out
}
