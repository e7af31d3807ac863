package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// refusal is the reason for a no, as it is typed. What was typed stays with the turn when
// the question makes room for another page.
type refusal struct {
	open bool
	line textinput.Model
	turn *rounds
}

// reason is what was typed of why a call may not be, as long as that is not answered.
type reason struct{ call, text string }

// newRefusal is for what a turn asks first, if it asks anything.
func newRefusal(turn *rounds) refusal {
	r := refusal{line: term.NewLine("why not? "), turn: turn}
	if len(turn.asked) > 0 && turn.why.text != "" && turn.why.call == turn.asked[0].Call.ID {
		r.line.SetValue(turn.why.text)
		r.begin()
	}
	return r
}

func (r *refusal) begin() {
	r.open = true
	r.line.Focus()
}

func (r *refusal) resize(w int) { r.line.SetWidth(max(w-4-term.Width(r.line.Prompt), 8)) }

// write handles what is typed. It reports whether that ends it, and with which
// decision.
func (r *refusal) write(msg tea.Msg) (d chains.Decision, done bool) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "enter":
			d.Reason, done = strings.TrimSpace(r.line.Value()), true
		case "esc":
			done = true
		}
	}
	r.turn.why = reason{}
	if done {
		return d, true
	}
	r.line, _ = r.line.Update(msg)
	if len(r.turn.asked) > 0 {
		r.turn.why = reason{r.turn.asked[0].Call.ID, r.line.Value()}
	}
	return d, false
}

// cursor is where it is typed, in row y.
func (r *refusal) cursor(y int) *tea.Cursor {
	if !r.open {
		return nil
	}
	return term.CursorIn(&r.line, y)
}

func (r *refusal) hints() []keys.Hint {
	return keys.Hints("enter", "no", "esc", "no, without a reason")
}

// asker is what pages have in common that ask something.
type asker struct {
	page.Guard
	why    refusal
	answer func(chains.Decision) page.Request
}

func newAsker(k *known, answer func(chains.Decision) page.Request) asker {
	return asker{page.NewGuard(k.Now), newRefusal(&k.turn.rounds), answer}
}

// take acts on a message as each of them does; what it leaves is the page's.
func (a *asker) take(msg tea.Msg) (i page.Request, mine, taken bool) {
	wait, prompt := a.Pass(msg)
	if prompt {
		return nil, false, true
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if a.why.open {
			if d, done := a.why.write(msg); done {
				i = a.answer(d)
			}
			return i, true, true
		}
	case tea.WindowSizeMsg:
		a.why.resize(msg.Width)
	case page.RefreshMsg, page.GuardMsg:
		return wait, true, true
	}
	return nil, false, false
}

// answerAsked is what the user says to what was asked first.
type answerAsked struct{ chains.Decision }

func (i answerAsked) carryOut(m *Model) tea.Cmd {
	m.k.turn.answer(i.Decision)
	return nil
}

// asking is a page that asks something. waits reports whether the answer is still
// waited for.
type asking interface{ waits(*turn) bool }

// followAsked shows what a turn asks as soon as no other page is open, and takes it
// away when the turn does not wait for it any more. It answers what was approved
// before.
func followAsked(m *Model) tea.Cmd {
	r := &m.k.turn.rounds
	m.k.turn.approve(&m.k.opt)
	cmd := keepReason(m)
	if a, open := m.page.(asking); open && !a.waits(&m.k.turn) {
		return tea.Batch(cmd, m.setPage(nil))
	}
	if len(r.asked) == 0 || m.page != nil || m.k.find.typing || m.k.Keys.Held {
		return cmd
	}
	switch asked := &r.asked[0]; {
	case asked.Batch != nil:
		return m.setPage(newBatchPage(&m.k))
	case asked.Proposal != nil:
		return m.setPage(newProposed(&m.k))
	default:
		return m.setPage(newApproval(&m.k))
	}
}

// keepReason puts a reason that was being typed into the prompt, once nobody waits for it
// any more; where something else stands there, it is the newest of the earlier ones.
func keepReason(m *Model) tea.Cmd {
	r := &m.k.turn.rounds
	why := r.why
	if why.text == "" || slices.ContainsFunc(r.asked, func(a chains.Asked) bool { return a.Call.ID == why.call }) {
		return nil
	}
	r.why = reason{}
	if term.IsBlank(why.text) {
		return nil
	}
	typed := m.composer.Draft()
	m.composer.SetValue(why.text)
	if term.IsBlank(typed.Text) {
		return m.say("nothing is asked any more: what you were writing is in the prompt")
	}
	m.composer.Take()
	m.composer.SetDraft(typed)
	return m.say("nothing is asked any more: " + m.k.Theme.Glyphs.Up + " brings back what you were writing")
}

// approve answers what was approved before.
func (t *turn) approve(o *Options) {
	for asked := &t.rounds.asked; len(*asked) > 0 && approved(o, &(*asked)[0]); {
		for _, p := range proposals(&(*asked)[0]) {
			t.notice("yes to " + p.Path + ", " + p.Summary() + ", as --approve says")
		}
		t.answer(chains.Decision{Yes: true})
	}
}

// approved reports whether something is answered with yes and without a question. A
// list of changes is if all of them are, and each of them is asked about after it.
func approved(o *Options, e *chains.Asked) bool {
	if e.Kind != chains.AccessWrite {
		return slices.Contains(o.Approved, e.Kind)
	}
	all := append(proposals(e), e.Batch...)
	return o.Covers != nil && len(all) > 0 && !slices.ContainsFunc(all, func(p *chains.Proposal) bool {
		return p.Conflict != nil || !o.Covers(p.Path)
	})
}

// proposals is the change that is asked about, none if it is a list or no change.
func proposals(e *chains.Asked) []*chains.Proposal {
	if e.Proposal == nil {
		return nil
	}
	return []*chains.Proposal{e.Proposal}
}

// approval asks a user about what a tool wants.
type approval struct {
	asker
	k     *known
	asked chains.Asked
	seen  seenRows
	top   int // first row of the call that is shown
}

func newApproval(k *known) *approval {
	return &approval{asker: newAsker(k, answerTurn), k: k, asked: k.turn.rounds.asked[0]}
}

func (a *approval) waits(t *turn) bool {
	return len(t.rounds.asked) > 0 && t.rounds.asked[0].Call.ID == a.asked.Call.ID
}

// Update acts on a key.
func (a *approval) Update(msg tea.Msg) (page.Request, bool) {
	if i, mine, taken := a.take(msg); taken {
		return i, mine
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return a.decide(msg.String()), true
	case tea.PasteMsg:
		return nil, true
	}
	return nil, false
}

// decide is what a key means.
func (a *approval) decide(key string) page.Request {
	switch key {
	case "y", "Y":
		row, more := a.seen.goesOn(a.top)
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

// answerTurn gives an answer to a turn and closes the page.
func answerTurn(d chains.Decision) page.Request {
	return page.Steps{page.Post{Msg: answerAsked{d}}, page.Close{}}
}

// View is the question, in rows above the prompt.
func (a *approval) View(w, h int) []string {
	pen, st := page.NewPen(a.k.Theme, w), &a.k.Theme.Styles
	what, call := a.asked.Wants()
	more := ""
	if n := len(a.k.turn.rounds.asked); n > 1 {
		more = st.Muted.Render(fmt.Sprintf("1 of %d", n))
	}
	rows := []string{pen.Rule(), pen.Bar(st.Strong.Render("May the model "+what+"?"), more)}
	text := pen.Theme.Hanging(theme.Ink{}, "  ", theme.Visible(call), w-2)
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
		text = append(text[a.top:a.top+most:a.top+most], "  "+a.seen.says(pen, more, a.top))
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

// Cursor is where the reason is typed, in rows below the page: -2 is its last but one.
func (a *approval) Cursor() *tea.Cursor { return a.why.cursor(-2) }

// Hints are the answers; they stand below the question.
func (a *approval) Hints() []keys.Hint {
	if a.why.open {
		return a.why.hints()
	}
	return keys.Hints("y", "yes, in this chat", "n", "no, and why", "esc", "no")
}
