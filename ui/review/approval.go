package review

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Turn is a turn with questions to the user.
type Turn interface {
	Asked() []chains.Asked // the oldest first
	LastWords() string     // last text of the model

	// Reason returns the reason for a refusal as typed so far. It stays with the turn when another page
	// takes the place of the question, until the question is answered.
	Reason() (call, text string)
	SetReason(call, text string)
}

// refusal is the line for the reason of a no.
type refusal struct {
	open bool
	line term.Line
	turn Turn // nil if no turn waits for the reason
}

func newRefusal(turn Turn) refusal {
	r := refusal{line: term.NewLine("why not? "), turn: turn}
	if turn == nil {
		return r
	}
	call, text := turn.Reason()
	if asked := turn.Asked(); len(asked) > 0 && text != "" && call == asked[0].Call.ID {
		r.line.SetValue(text)
		r.begin()
	}
	return r
}

func (r *refusal) begin() {
	r.open = true
	r.line.Focus()
}

func (r *refusal) resize(w int) { r.line.SetWidth(max(w-4-term.Width(r.line.Prompt), 8)) }

// write handles input. It reports whether that ends the line, and the decision.
func (r *refusal) write(msg tea.Msg) (d chains.Decision, done bool) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "enter":
			d.Reason, done = strings.TrimSpace(r.line.Value()), true
		case "esc":
			done = true
		}
	}
	r.turn.SetReason("", "")
	if done {
		return d, true
	}
	r.line.Update(msg)
	if asked := r.turn.Asked(); len(asked) > 0 {
		r.turn.SetReason(asked[0].Call.ID, r.line.Value())
	}
	return d, false
}

// cursor returns the cursor of the line in row y, nil while it is closed.
func (r *refusal) cursor(y int) *tea.Cursor {
	if !r.open {
		return nil
	}
	return r.line.CursorIn(y)
}

func (r *refusal) hints() []keys.Hint {
	return keys.Hints("enter", "no", "esc", "no, without a reason")
}

// asker is the common part of pages that ask the user.
type asker struct {
	page.Guard
	page.Env
	asked  chains.Asked // the zero value if no turn waits for the answer
	why    refusal
	answer func(chains.Decision) page.Request
}

func newAsker(env page.Env, t Turn, answer func(chains.Decision) page.Request) asker {
	a := asker{Guard: page.NewGuard(env.Now), Env: env, why: newRefusal(t), answer: answer}
	if t != nil {
		a.asked = t.Asked()[0]
	}
	return a
}

// Waits reports whether the turn still waits for the answer.
func (a *asker) Waits() bool {
	if a.why.turn == nil {
		return true
	}
	asked := a.why.turn.Asked()
	return len(asked) > 0 && asked[0].Call.ID == a.asked.Call.ID && asked[0].Proposal == a.asked.Proposal &&
		slices.Equal(asked[0].Batch, a.asked.Batch)
}

// handle handles messages that all pages with a question share, and reports whether msg was one; mine
// reports whether the page used it. press handles a key.
func (a *asker) handle(msg tea.Msg, press func(key string) page.Request) (i page.Request, mine, taken bool) {
	wait, prompt := a.Handle(msg)
	if prompt {
		return nil, false, true
	}
	key, pressed := msg.(tea.KeyPressMsg)
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if a.why.open {
			if d, done := a.why.write(msg); done {
				i = a.answer(d)
			}
		} else if pressed {
			i = press(key.String())
		}
		return i, true, true
	case tea.WindowSizeMsg:
		a.why.resize(msg.Width)
	case page.RefreshMsg, page.GuardMsg:
		return wait, true, true
	}
	return nil, false, false
}

// Answer answers the oldest question of a turn.
type Answer struct{ chains.Decision }

// AskingPage is a page with a question. Waits reports whether its turn still waits for the answer.
type AskingPage interface{ Waits() bool }

// Ask returns the page for the oldest question of a turn.
func Ask(env page.Env, t Turn) page.Page {
	switch asked := t.Asked()[0]; {
	case asked.Batch != nil:
		return &batchPage{asker: newAsker(env, t, answerTurn), dropped: map[int]bool{}}
	case asked.Proposal != nil:
		return newProposed(env, t)
	default:
		return &approval{asker: newAsker(env, t, answerTurn)}
	}
}

// approval asks whether a tool may run.
type approval struct {
	asker
	seen seenRows
	top  int // first visible row of the call
}

// BesidePrompt marks a page that leaves the prompt on the screen.
func (a *approval) BesidePrompt() {}

// Update implements page.Page.
func (a *approval) Update(msg tea.Msg) (page.Request, bool) {
	i, mine, _ := a.handle(msg, a.decide)
	return i, mine
}

// decide handles a key.
func (a *approval) decide(key string) page.Request {
	switch key {
	case "y", "Y":
		row, more := a.seen.scrollTo(a.top)
		if !more {
			return answerTurn(chains.Decision{Yes: true})
		}
		a.top = row
	case "n", "N":
		a.why.begin()
	case "esc":
		return answerTurn(chains.Decision{})
	}
	return nil
}

// answerTurn returns the request that answers a turn and closes the page.
func answerTurn(d chains.Decision) page.Request {
	return page.Steps{page.Post{Msg: Answer{d}}, page.Close{}}
}

// View returns the question, in rows above the prompt.
func (a *approval) View(w, h int) []string {
	pen, st := a.Pen(w), &a.Theme.Styles
	what, call := a.asked.Wants()
	more := ""
	if n := len(a.why.turn.Asked()); n > 1 {
		more = st.Muted.Render(fmt.Sprintf("1 of %d", n))
	}
	rows := []string{pen.Rule(), pen.Bar(st.Strong.Render("May the model "+what+"?"), more)}
	text := pen.Theme.Hanging(theme.Ink{}, "  ", theme.ShowHidden(call), w-2)
	hints := pen.KeyRows(a.Hints())
	if !a.Accepts {
		hints = []string{pen.Bar(st.Muted.Render(page.GuardText), "")}
	}
	a.seen.lay(a, len(text))
	most := max(h-3-len(hints), 1)
	if len(text) > most {
		most = max(most-1, 1)
		a.top = min(a.top, len(text)-most)
		a.seen.show(a.top, a.top+most)
		more := theme.Plural(a.seen.missing(0, len(text)), "more line")
		text = append(text[a.top:a.top+most:a.top+most], "  "+a.seen.describeMissing(pen, more, a.top))
	} else {
		a.seen.show(0, most)
	}
	for _, line := range text {
		rows = append(rows, pen.Bar(line, ""))
	}
	if a.why.open {
		rows = append(rows, pen.Bar(a.why.line.View(), ""))
	}
	return append(rows, hints...)
}

// Cursor returns the cursor of the reason, in rows below the page: -2 is its last row but one.
func (a *approval) Cursor() *tea.Cursor { return a.why.cursor(-2) }

// Hints returns the answers, which stand below the question.
func (a *approval) Hints() []keys.Hint {
	if a.why.open {
		return a.why.hints()
	}
	return keys.Hints("y", "yes, in this chat", "n", "no, and why", "esc", "no")
}
