package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/page"
	"ibid/ui/term"
)

// A panic costs the part of the screen in which it happened, and neither the chat nor what was typed. Every call of
// a page, of a widget in a frame, of an action and of a handler of an answer goes through [Model.attempt] or
// [screen.part]. Work in the background comes back as a [term.Fault]. A part that failed is taken away, so that it
// does not fail again with the next frame; what cannot go, such as the prompt, is a line of text until the window
// changes its size or another chat is shown. Only a panic in the loop around the parts ends the program.

// part is a part of the screen, named by what a fault in it costs.
type part string

// The parts of the screen.
const (
	pagePart         part = "closed this page"
	railsPart        part = "closed the columns at the side"
	findPart         part = "closed the search in the chat"
	conversationPart part = "took the conversation off the screen"
	headerPart       part = "took the first row off the screen"
	queuePart        part = "took the queued messages off the screen"
	ribbonPart       part = "took the row above the prompt off the screen"
	promptPart       part = "took the prompt off the screen"
	statusPart       part = "took the last row off the screen"

	promptKeyPart part = "left this key of the prompt without effect"
	mousePart     part = "left the mouse without effect"
	actionPart    part = "left this key without effect"
	answerPart    part = "lost the answer of a command"
)

// brokenPart is a part that failed.
type brokenPart struct {
	part  part
	fault *term.Fault
}

// attempt calls f, which concerns a part. If it panics, the part is taken away and the user is told.
func (m *Model) attempt(p part, f func() tea.Cmd) (cmd tea.Cmd) {
	if fault := term.Guard(string(p), func() { cmd = f() }); fault != nil {
		m.takeAway(p)
		m.tellFault(fault)
		return nil
	}
	return cmd
}

// takeAway closes a part, if it can be closed.
func (m *Model) takeAway(p part) {
	switch p {
	case pagePart:
		m.closeBrokenPage()
	case railsPart:
		m.stage.wantRails = false
		m.rails.Leave()
		m.Composer.Focus()
		m.place()
	case findPart:
		m.Find.Close()
		m.place()
	}
}

// closeBrokenPage closes the open page without calling it. A question of the turn on it is answered with no, because
// the page would open and fail again.
func (m *Model) closeBrokenPage() {
	closed := m.page
	m.page = nil
	m.Tasks.Latest(nil)
	if overPrompt(closed) {
		m.Composer.Dismiss()
	}
	if closed != nil && closed == m.askedPage {
		m.refuseBroken()
	}
	m.place()
}

// refuseBroken refuses what the turn asks about, because it cannot be shown.
func (m *Model) refuseBroken() {
	m.askedPage = nil
	m.Turn.Answer(chains.Decision{Reason: "the question could not be shown", Nobody: true})
}

// updatePage passes a message to the open page.
func (m *Model) updatePage(msg tea.Msg) (request page.Request, taken bool) {
	m.attempt(pagePart, func() tea.Cmd {
		request, taken = m.page.Update(msg)
		return nil
	})
	return request, taken || m.page == nil
}

// pageWork returns work for the open page. If it panics, the page that waits for its answer is closed.
func (m *Model) pageWork(w term.Work) term.Work {
	if w == nil {
		return nil
	}
	return w.Guarded(func(f *term.Fault) tea.Msg { return brokenPageWork{m.page, f} }, string(pagePart))
}

// brokenPageWork reports that the work of a page panicked.
type brokenPageWork struct {
	of    page.Page
	fault *term.Fault
}

// closeFor closes the page whose work panicked, if it is still open.
func (m *Model) closeFor(msg brokenPageWork) {
	if m.page != nil && m.page == msg.of {
		m.closeBrokenPage()
	}
	m.tellFault(msg.fault)
}

// tellFault says what a panic cost and how to report it: in the status until the next line there, and in the chat.
// The file for a bug report is written at once, because the next frame may be the last.
func (m *Model) tellFault(f *term.Fault) {
	text := f.Error() + "; the chat and what you typed are kept"
	if text == m.lastFault {
		return
	}
	m.lastFault = text
	if m.opt.Report != nil {
		text += "; " + m.opt.Report(f)
	}
	m.toast.stay(page.Complain(text))
	if m.Transcript.Len() > 0 && f.Effect != string(conversationPart) {
		m.Turn.Notice(text)
	}
}

// part returns the rows that draw makes for a part of h rows. If draw panics, they are empty, and View takes the part
// away. A part that cannot be taken away is a line of text from then on.
func (s *screen) part(p part, h int, draw func() []string) (rows []string) {
	blank := make([]string, max(h, 0))
	if s.broken[p] {
		if h > 0 {
			blank[0] = s.Bar(s.Styles.Bad.Render(s.Glyphs.Cross+" a fault of ibid "+string(p)), "")
		}
		return blank
	}
	if fault := term.Guard(string(p), func() { rows = draw() }); fault != nil {
		s.faults = append(s.faults, brokenPart{p, fault})
		return blank
	}
	return rows
}

// takeAwayBroken takes away the parts that could not be drawn.
func (m *Model) takeAwayBroken(faults []brokenPart) {
	for _, f := range faults {
		switch f.part {
		case pagePart, railsPart, findPart:
			m.takeAway(f.part)
		default:
			if m.broken == nil {
				m.broken = map[part]bool{}
			}
			m.broken[f.part] = true
		}
		m.tellFault(f.fault)
	}
}
