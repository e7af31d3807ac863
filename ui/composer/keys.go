package composer

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/key"
)

// binding is a key and its function while the cursor is in the text; the keys of the shelf have none
// there.
type binding struct {
	key.Binding
	act func(*Model) Action
}

// bindings returns the keys of readline, as far as a prompt of several lines allows, in the order of a
// help page. All other keys belong to the parent.
func bindings() []binding {
	bind := func(names, does string, act func(*Model) Action) binding {
		keys := strings.Fields(names)
		help := cmp.Or(map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}[keys[0]], keys[0])
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
		bind("enter", "send", (*Model).send),
		bind("alt+enter shift+enter ctrl+j", "newline", newline),
		bind("up", "older prompt", func(m *Model) Action { return m.moveRows(-1) }),
		bind("down", "newer prompt", func(m *Model) Action { return m.moveRows(+1) }),
		bind("left ctrl+b", "left", move((*buffer).left)),
		bind("right", "right", move((*buffer).right)),
		bind("x backspace delete", "remove the chip that ← → chose", nil),

		bind("home ctrl+a", "line start", move((*buffer).lineStart)),
		bind("end ctrl+e", "line end", move((*buffer).lineEnd)),
		bind("alt+b alt+left ctrl+left", "word left", move((*buffer).wordLeft)),
		bind("alt+f alt+right ctrl+right", "word right", move((*buffer).wordRight)),
		bind("alt+< ctrl+home", "start of text", move(func(b *buffer) bool { return b.moveTo(0, 0) })),
		bind("alt+> ctrl+end", "end of text", move((*buffer).toEnd)),

		bind("backspace shift+backspace ctrl+h", "delete left", edit((*buffer).backspace)),
		bind("ctrl+d delete", "delete right", edit((*buffer).deleteForward)),
		// The keys that delete more than a cell keep it for yank. Where there is nothing to delete in
		// the line they delete the line break, as in readline.
		bind("ctrl+w", "delete to blank left", edit(func(b *buffer) bool {
			return b.killTo(b.blankBefore(), b.col) || b.mergeUp()
		})),
		bind("alt+backspace ctrl+backspace", "delete to word start", edit(func(b *buffer) bool {
			return b.killTo(b.wordStart(), b.col) || b.mergeUp()
		})),
		bind("alt+d alt+delete ctrl+delete", "delete to word end", edit(func(b *buffer) bool {
			return b.killTo(b.col, b.wordEnd()) || b.mergeDown()
		})),
		bind("ctrl+u", "delete to line start", edit(func(b *buffer) bool {
			return b.killTo(0, b.col) || b.mergeUp()
		})),
		bind("ctrl+k", "delete to line end", edit(func(b *buffer) bool {
			return b.killTo(b.col, len(b.line())) || b.mergeDown()
		})),
		bind("ctrl+y", "put back what was deleted", edit((*buffer).yank)),
		bind("ctrl+_ ctrl+/ ctrl+shift+-", "undo", edit((*buffer).undo)),
		bind("alt+_ alt+/", "redo", edit((*buffer).redo)),
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
