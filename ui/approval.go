package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/theme"
)

// calm is how long no key must have been pressed before one can answer: what was
// typed for the prompt is no answer.
const calm = 400 * time.Millisecond

// approval asks a person about what a tool wants. Until it wakes up, keys go to the
// prompt.
type approval struct {
	k      *known
	asked  chains.Asked
	quiet  time.Time // since when no key was pressed
	awake  bool
	why    bool // the reason for a no is typed
	reason textinput.Model
}

// wakeMsg tells a page that a while has passed.
type wakeMsg struct{}

// answerAsked is what the person says to what was asked first.
type answerAsked struct{ chains.Decision }

func (answerAsked) intent() {}

func newApproval(k *known) *approval {
	a := &approval{k: k, asked: k.turn.rounds.asked[0], quiet: k.opt.now(), reason: textinput.New()}
	a.reason.Prompt = "why not? "
	a.reason.SetVirtualCursor(false)
	a.reason.KeyMap.Paste.SetEnabled(false) // the terminal pastes
	return a
}

// followAsked shows what a turn asks as soon as no other page is open, and takes it
// away when the turn does not wait for it any more. It answers what was approved
// before, and what this screen cannot show.
func followAsked(m *Model) tea.Cmd {
	r, shown := &m.k.turn.rounds, false
	for len(r.asked) > 0 {
		switch kind := r.asked[0].Kind; {
		case kind == chains.AccessWrite:
			m.k.turn.answer(chains.Decision{Reason: "this screen shows no changes yet"})
		case slices.Contains(m.k.opt.Approved, kind):
			m.k.turn.answer(chains.Decision{Yes: true})
		default:
			shown = true
		}
		if shown {
			break
		}
	}
	_, open := m.page.(*approval)
	switch {
	case shown && m.page == nil && !m.find.typing && !m.k.keys.held:
		return m.setPage(newApproval(&m.k))
	case open && !shown:
		return m.setPage(nil)
	}
	return nil
}

// Update acts on a key.
func (a *approval) Update(msg tea.Msg) (intent, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch {
		case !a.awake:
			a.quiet = a.k.opt.now()
			return nil, false
		case a.why:
			return a.explain(msg), true
		}
		return a.decide(msg.String()), true
	case tea.PasteMsg:
		if !a.awake {
			a.quiet = a.k.opt.now()
			return nil, false
		}
		if a.why {
			a.reason, _ = a.reason.Update(msg)
		}
		return nil, true
	case tea.WindowSizeMsg:
		a.reason.SetWidth(max(msg.Width-4-width(a.reason.Prompt), 8))
	case refreshMsg, wakeMsg:
		left := calm - a.k.opt.now().Sub(a.quiet)
		if a.awake = a.awake || left <= 0; !a.awake {
			return later{left, wakeMsg{}}, true
		}
		return nil, true
	}
	return nil, false
}

// sleeps reports whether a page leaves keys to the prompt for now.
func sleeps(p page) bool {
	a, ok := p.(*approval)
	return ok && !a.awake
}

// decide is what a key means.
func (a *approval) decide(key string) intent {
	switch key {
	case "y", "Y":
		return a.answer(chains.Decision{Yes: true})
	case "n", "N":
		a.why = true
		a.reason.Focus()
	case "esc":
		return a.answer(chains.Decision{})
	}
	return nil
}

// explain is what a key means while the reason is typed.
func (a *approval) explain(msg tea.KeyPressMsg) intent {
	switch msg.String() {
	case "enter":
		return a.answer(chains.Decision{Reason: strings.TrimSpace(a.reason.Value())})
	case "esc":
		return a.answer(chains.Decision{})
	}
	a.reason, _ = a.reason.Update(msg)
	return nil
}

func (a *approval) answer(d chains.Decision) intent {
	return steps{answerAsked{d}, doClosePage}
}

// View is the question, in rows above the prompt.
func (a *approval) View(w, h int) []string {
	pen, st := newPen(&a.k.theme, w), &a.k.theme.Styles
	what, call := a.asked.Wants()
	more := ""
	if n := len(a.k.turn.rounds.asked); n > 1 {
		more = st.Muted.Render(fmt.Sprintf("1 of %d", n))
	}
	rows := []string{pen.rule(), pen.bar(st.Strong.Render("May the model "+what+"?"), more)}
	text := theme.Hanging(theme.Ink{}, "  ", call, w-2)
	if most := max(h-4, 1); len(text) > most {
		text = append(text[:most-1:most-1], "  "+theme.Plural(len(text)-most+1, "more line"))
	}
	for _, line := range text {
		rows = append(rows, pen.bar(line, ""))
	}
	if a.why {
		rows = append(rows, pen.bar(a.reason.View(), ""))
	}
	if !a.awake {
		return append(rows, pen.bar(st.Muted.Render("keys wake up after 0.4 s of quiet"), ""))
	}
	return append(rows, pen.bar(pen.keyRow(a.Hints(), w-2), ""))
}

// Cursor is where the reason is typed, in rows below the page: -2 is its last but one.
func (a *approval) Cursor() *tea.Cursor {
	if !a.why {
		return nil
	}
	c := a.reason.Cursor()
	if c != nil {
		c.X, c.Y = c.X+1, -2
	}
	return c
}

// Hints are the answers; they stand below the question.
func (a *approval) Hints() []Hint {
	if a.why {
		return []Hint{{"enter", "no"}, {"esc", "no, without a reason"}}
	}
	return []Hint{{"y", "yes, in this chat"}, {"n", "no, and why"}, {"esc", "no"}}
}
