package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// toastTime is how long a line stays in the status.
const toastTime = 6 * time.Second

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

func (t *toast) expire(c crew) tea.Cmd { return c.after(toastTime, toastMsg{t.id}) }

func (t *toast) expired(msg toastMsg) {
	if msg.id == t.id {
		t.text = ""
	}
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
