package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/theme"
)

// fit is the question before a turn that fits the window only if something else
// is shortened.
type fit struct {
	cut       []prompt.Shortened
	window    int
	summarize bool   // a summary takes the place of turns that are folded
	queued    bool   // the message waits at the head of the queue, else in the prompt
	agreed    string // what the person agreed to last
}

// tightMsg ends a turn before anything was sent: it does not fit as it is.
type tightMsg struct {
	id  int
	fit fit
	err error // it does not fit at all
}

// tight looks whether a turn fits the window as it is; nil if it does, or if
// what makes it fit was agreed to.
func tight(p *chains.Pending, o chains.Options, id int, agreed string) tea.Msg {
	cut := p.Envelope.Shortened
	switch {
	case p.TooLong != nil:
		return tightMsg{id: id, err: errors.New(tooLong(p.TooLong))}
	case len(cut) > 0 && cutKey(cut) != agreed:
		return tightMsg{id: id, fit: fit{cut: cut, window: o.Window, summarize: o.Summarize}}
	}
	return nil
}

// tooLong says that a turn does not fit at all, and what can be done about it.
func tooLong(err *prompt.TooLongError) string {
	text := fmt.Sprintf("too long: about %s tokens where %s fit", theme.Comma(err.Tokens), theme.Comma(err.Limit))
	attached := 0
	for _, a := range err.Largest {
		attached += a.Tokens
	}
	if len(err.Largest) > 0 && 3*attached > err.Tokens {
		text += fmt.Sprintf("; the heaviest is %s with %s", refLabel(err.Largest[0].Ref), theme.Short(err.Largest[0].Tokens))
	} else {
		text += ", most of them said before"
	}
	return text + ". ctrl+l: a model with a larger window; F2: forget notes; ctrl+n: a new chat"
}

// cutKey tells one set of what is shortened from another.
func cutKey(cut []prompt.Shortened) string {
	var b strings.Builder
	for _, c := range cut {
		fmt.Fprintf(&b, "%s %s\n", c.How, c.What)
	}
	return b.String()
}

// tightened gives the message back and asks what to do.
func (m *Model) tightened(msg tightMsg) tea.Cmd {
	if msg.id != m.turn.id || !m.turn.running() {
		return nil
	}
	if msg.err != nil {
		return m.notBegun(msg.err)
	}
	msg.fit.queued = !m.composer.Empty()
	m.takeBack()
	m.endTurn()
	m.estimate.fit = msg.fit
	m.sheet = sheet{kind: fitSheet}
	m.find.leave()
	m.place()
	return nil
}

// fitKey is a key while the question is open.
func (m *Model) fitKey(msg tea.KeyPressMsg) tea.Cmd {
	f := &m.estimate.fit
	switch msg.String() {
	case "enter":
		m.closeSheet()
		f.agreed = cutKey(f.cut)
		if f.queued {
			return m.sendQueued()
		}
		return m.submit()
	case "m":
		return m.openModels()
	case "f2":
		return m.openInspector()
	case "esc":
		m.closeSheet()
	}
	return nil
}

// viewFit is the question, in rows above the prompt.
func (m *Model) viewFit() []string {
	st, f := &m.theme.Styles, &m.estimate.fit
	most := max(m.frame.popup.h-3, 1)
	rows := []string{m.rule(m.w), m.bar(st.Strong.Render("To fit the window of "+theme.Short(f.window)+" tokens, this turn"), "", m.w)}
	for i, c := range f.cut {
		if i == most-1 && len(f.cut) > most {
			rows = append(rows, m.bar("  "+st.Muted.Render(fmt.Sprintf("and %d more like this", len(f.cut)-i)), "", m.w))
			break
		}
		rows = append(rows, m.bar("  "+f.words(c), st.Warn.Render("-"+theme.Short(c.Tokens)+" tokens"), m.w))
	}
	keys := [][2]string{{"enter", "sends"}, {"m", "a larger model"}, {"F2", "forget something"}, {"esc", "back"}}
	return append(rows, m.bar(m.keyRow(keys, m.w-2), "", m.w))
}

// words say what becomes of one thing.
func (f *fit) words(c prompt.Shortened) string {
	switch {
	case c.How != "folded":
		return "leaves only the outline of " + noteName(c.What)
	case f.summarize:
		return "folds " + c.What + " into a summary"
	}
	return "leaves out " + c.What
}
