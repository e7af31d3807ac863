package page

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// GuardTime is the time without a key after which a guarded page accepts keys. It prevents text that
// the user types for the prompt from answering a question that has just opened.
const GuardTime = 400 * time.Millisecond

// Guard passes keys to the prompt until GuardTime has passed without one.
type Guard struct {
	now     func() time.Time
	lastKey time.Time
	Accepts bool // the page gets the keys
}

// NewGuard returns a guard whose GuardTime begins now.
func NewGuard(now func() time.Time) Guard { return Guard{now: now, lastKey: now()} }

// Guarded reports whether keys go to the prompt.
func (g *Guard) Guarded() bool { return !g.Accepts }

// Restart lets another GuardTime begin.
func (g *Guard) Restart() { g.lastKey, g.Accepts = g.now(), false }

// Handle handles a message. prompt reports whether the message is for the prompt; wait asks for another
// GuardMsg if the time has not passed yet.
func (g *Guard) Handle(msg tea.Msg) (wait Request, prompt bool) {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if !g.Accepts {
			g.lastKey = g.now()
			return nil, true
		}
	case RefreshMsg, GuardMsg:
		left := GuardTime - g.now().Sub(g.lastKey)
		if g.Accepts = g.Accepts || left <= 0; !g.Accepts {
			return Post{GuardMsg{}, left}, false
		}
	}
	return nil, false
}

// GuardMsg lets a Guard check whether its time has passed.
type GuardMsg struct{}

// GuardText is the text of a page that does not accept keys yet.
const GuardText = "keys wake up after 0.4 s of quiet"
