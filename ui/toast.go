package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// toastTime is how long a line stays in the status, and longTime how long one
// does that takes longer to read.
const (
	toastTime = 6 * time.Second
	longTime  = 12 * time.Second
	longText  = 90 // characters
)

// toast is a line in the status that goes away by itself.
type toast struct {
	id   int
	text string
	bad  bool
}

// toastMsg takes the line away, unless a newer one stands there.
type toastMsg struct{ id int }

func (t *toast) show(text string, bad bool) {
	t.id++
	t.text, t.bad = strings.TrimSpace(text), bad
}

func (t *toast) fail(err error) { t.show(err.Error(), true) }

func (t *toast) expire(c crew) tea.Cmd {
	d := toastTime
	if len(t.text) > longText {
		d = longTime
	}
	return c.after(d, toastMsg{t.id})
}

func (t *toast) expired(msg toastMsg) {
	if msg.id == t.id {
		t.text = ""
	}
}

// toastRows is what there is to say in lines, as long as the screen is wide.
func (m *Model) toastRows() []string {
	if m.toast.text == "" {
		return nil
	}
	st, sign, indent := m.theme.Styles.Good, "", ""
	if m.toast.bad {
		st, sign, indent = m.theme.Styles.Bad, m.theme.Glyphs.Cross+" ", "  "
	}
	var rows []string
	for i, line := range strings.Split(ansi.Wrap(theme.OneLine(m.toast.text), max(m.w-2-len(indent), 10), ""), "\n") {
		if i > 0 {
			sign = indent
		}
		rows = append(rows, st.Render(sign+strings.TrimRight(line, " ")))
	}
	return rows
}

// say shows a line for a while; complain shows what went wrong.
func (m *Model) say(text string) tea.Cmd {
	m.toast.show(text, false)
	return m.toast.expire(m.crew)
}

func (m *Model) complain(text string) tea.Cmd {
	m.toast.show(text, true)
	return m.toast.expire(m.crew)
}
