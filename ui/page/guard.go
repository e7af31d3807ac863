package page

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// guardTime is how long no key must have been pressed before a key can answer: what was
// typed for the prompt is no answer.
const GuardTime = 400 * time.Millisecond

// Guard keeps keys from a page that has just opened. Until guardTime has passed
// without one, they go to the prompt.
type Guard struct {
	now     func() time.Time
	lastKey time.Time
	Accepts bool // keys are the page's
}

// NewGuard is a guard that begins now.
func NewGuard(now func() time.Time) Guard { return Guard{now: now, lastKey: now()} }

// Guarded reports whether keys go to the prompt.
func (g *Guard) Guarded() bool { return !g.Accepts }

// Restart begins another guardTime.
func (g *Guard) Restart() { g.lastKey, g.Accepts = g.now(), false }

// Pass takes a message in. It reports whether that is for the prompt, and what is to be
// done so that the page accepts keys later.
func (g *Guard) Pass(msg tea.Msg) (wait Request, prompt bool) {
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

// GuardMsg has an inputGuard look whether its time has passed.
type GuardMsg struct{}

// guardText is what a page says before it accepts keys.
const GuardText = "keys wake up after 0.4 s of quiet"
