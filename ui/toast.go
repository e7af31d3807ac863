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
	tasks *term.Tasks
	id    int
	page.Toast
}

// toastExpired takes the line away, unless a newer one stands there.
type toastExpired struct{ id int }

func (t *toast) show(s page.Toast) tea.Cmd {
	t.id++
	t.Toast = page.Toast{Text: strings.TrimSpace(s.Text), Bad: s.Bad}
	d := toastTime
	if len(t.Text) > longText {
		d = longTime
	}
	return t.tasks.After(d, toastExpired{t.id})
}

// say shows a line for a while; complain shows what went wrong.
func (t *toast) say(text string) tea.Cmd { return t.show(page.Toast{Text: text}) }

func (t *toast) complain(text string) tea.Cmd { return t.show(page.Complain(text)) }

// drop takes a line away, if it still stands there.
func (t *toast) drop(text string) {
	if t.Text == text {
		t.Text = ""
	}
}

// expire takes a line away whose time is over.
func (t *toast) expire(msg toastExpired) {
	if msg.id == t.id {
		t.Text = ""
	}
}
