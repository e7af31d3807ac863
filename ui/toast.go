package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/term"
)

// toastTime is the time that a line stays in the status.
const toastTime = 6 * time.Second

// toast is the line in the status that goes away by itself.
type toast struct {
	tasks *term.Tasks
	id    int
	page.Toast
}

// toastExpired removes the line, unless a newer one replaced it.
type toastExpired struct{ id int }

// show shows a line until its time is over.
func (t *toast) show(s page.Toast) tea.Cmd {
	t.id++
	t.Toast = page.Toast{Text: strings.TrimSpace(s.Text), Bad: s.Bad}
	return t.tasks.After(toastTime, toastExpired{t.id})
}

// stay shows a line until another one replaces it.
func (t *toast) stay(s page.Toast) {
	t.id++
	t.Toast = s
}

// say shows a line.
func (t *toast) say(text string) tea.Cmd { return t.show(page.Toast{Text: text}) }

// drop removes the line if its text is still the given one.
func (t *toast) drop(text string) {
	if t.Text == text {
		t.Text = ""
	}
}

// expire removes the line of an expired timer.
func (t *toast) expire(msg toastExpired) {
	if msg.id == t.id {
		t.Text = ""
	}
}
