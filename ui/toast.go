package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/term"
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
	id int
	page.Toast
}

// expireMsg takes the line away, unless a newer one stands there.
type expireMsg struct{ id int }

func (t *toast) show(tasks *term.Tasks, s page.Toast) tea.Cmd {
	t.id++
	t.Toast = page.Toast{Text: strings.TrimSpace(s.Text), Bad: s.Bad}
	d := toastTime
	if len(t.Text) > longText {
		d = longTime
	}
	return tasks.After(d, expireMsg{t.id})
}

func (msg expireMsg) carryOut(m *Model) tea.Cmd {
	if msg.id == m.toast.id {
		m.toast.Text = ""
	}
	return nil
}

// say shows a line for a while; complain shows what went wrong.
func (m *Model) say(text string) tea.Cmd {
	return m.toast.show(m.tasks, page.Toast{Text: text})
}

func (m *Model) complain(text string) tea.Cmd {
	return m.toast.show(m.tasks, page.Complain(text))
}
