package ui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/inspector"
	"ibid/ui/theme"
)

// inspection is the context page: the request that enter would send, or one of
// those that were sent.
type inspection struct {
	past   []prompt.Envelope // oldest first
	turn   int               // 0 shows the next request
	asked  inspector.Action  // waits for y or n
	shown  string            // row whose bytes are shown
	answer int               // of the newest question for bytes
}

// requestsMsg brings the requests that were sent.
type requestsMsg struct{ past []prompt.Envelope }

// bytesMsg brings the exact bytes behind a row.
type bytesMsg struct {
	id int
	p  inspector.Preview
}

// priceMsg says what an action would cost, in words.
type priceMsg struct {
	act  inspector.Action
	cost string
}

// openInspector opens the context page.
func (m *Model) openInspector() tea.Cmd {
	m.sheet = sheet{kind: inspectSheet}
	m.inspect.turn = 0
	m.find.leave()
	m.place()
	m.estimate.id++
	cmds := []tea.Cmd{m.refreshInspector(), m.errand(requests)}
	if !m.turn.running() {
		cmds = append(cmds, m.errand(preview(m.estimate.id, m.composer.Value())))
	}
	return tea.Batch(cmds...)
}

// requests is the errand that fetches what was sent.
func requests(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	past, err := d.Session().Requests()
	if errors.Is(err, chains.ErrBusy) {
		return nil, nil
	}
	return requestsMsg{past}, err
}

func (m *Model) requested(msg requestsMsg) tea.Cmd {
	m.inspect.past = msg.past
	return m.refreshInspector()
}

// envelope is the request that the page shows, nil if there is none yet.
func (m *Model) envelope() *prompt.Envelope {
	if i := m.inspect.at(); i >= 0 {
		return &m.inspect.past[i]
	}
	return m.estimate.env
}

// at is where the shown request stands among those that were sent, -1 if it is
// the next one. Of a turn that ran several times the last one counts.
func (n *inspection) at() int {
	for i := len(n.past) - 1; i >= 0; i-- {
		if n.turn != 0 && n.past[i].Turn == n.turn {
			return i
		}
	}
	return -1
}

// compare shows what changed between the shown request and the one before.
func (m *Model) compare() tea.Cmd {
	env, i := m.envelope(), m.inspect.at()
	if i < 0 {
		i = len(m.inspect.past)
		if i > 0 && m.estimate.sent && env != nil && m.inspect.past[i-1].Turn == env.Turn {
			i-- // the last request is the one that is shown
		}
	}
	if env == nil || i == 0 {
		return m.say("there is no request before this one")
	}
	a, b := m.inspect.past[i-1], *env
	nameA, nameB := requestName(&a, true), requestName(&b, m.inspect.turn != 0 || m.estimate.sent)
	return m.crew.begin(func(context.Context) tea.Msg {
		text := prompt.DiffRequests(a, b, nameA, nameB)
		if text == "" {
			text = "The two requests are the same."
		}
		return pageMsg{title: nameB + ", compared with " + nameA, text: text}
	})
}

// requestName is what a request is called beside another.
func requestName(e *prompt.Envelope, sent bool) string {
	if !sent {
		return "next turn"
	}
	return fmt.Sprintf("turn %d", e.Turn)
}

// pageMsg brings a text for a page of its own.
type pageMsg struct{ title, text string }

func (m *Model) gotPage(msg pageMsg) {
	if m.sheet.kind == inspectSheet {
		m.inspect.shown = "" // the bytes of the row come back behind it
		m.inspect.answer++   // and none before
		m.inspector.ShowPage(msg.title, msg.text)
	}
}

// refreshInspector gives the open page the report that belongs to it, and asks
// for the bytes of its row.
func (m *Model) refreshInspector() tea.Cmd {
	if m.sheet.kind != inspectSheet {
		return nil
	}
	m.inspect.shown = ""
	f := m.facts(m.inspect.turn)
	for i := range m.inspect.past {
		p := &m.inspect.past[i]
		if len(f.past) == 0 || f.past[len(f.past)-1] < p.Turn {
			f.past = append(f.past, p.Turn)
		}
		if cur := m.envelope(); p.Epoch.New && cur != nil && p.Turn < cur.Epoch.Turn {
			f.causes = append([]inspector.Cause{{Turn: p.Turn, Cause: string(p.Epoch.Cause)}}, f.causes...)
		}
	}
	env := m.envelope()
	if env == nil || m.estimate.long != "" && m.inspect.turn == 0 {
		r := m.estimate.report
		r.Past = f.past
		m.inspector.SetReport(r)
		return m.showBytes()
	}
	missing := m.estimate.missing
	if m.inspect.turn != 0 {
		missing = nil
	} else if m.estimate.sent {
		f.turn = env.Turn
	}
	m.inspector.SetReport(newReport(*env, missing, f))
	return m.showBytes()
}

// showBytes asks for the bytes behind the chosen row.
func (m *Model) showBytes() tea.Cmd {
	env, row := m.envelope(), m.inspector.Selected()
	if env == nil || row == "" || row == m.inspect.shown || m.inspector.Paged() {
		return nil
	}
	m.inspect.shown = row
	m.inspect.answer++
	id, e := m.inspect.answer, *env
	return m.crew.begin(func(context.Context) tea.Msg {
		return bytesMsg{id, exactBytes(e, row)}
	})
}

// exactBytes is what a request holds behind a row.
func exactBytes(e prompt.Envelope, row string) inspector.Preview {
	p := inspector.Preview{ID: row, Title: row}
	for _, l := range e.Layers {
		if l.ID == row {
			p.Text = e.Text(row)
			p.Meta = []string{"sha256 " + l.SHA256[:16] + "…"}
		}
		for _, s := range l.Segments {
			if p.Text == "" && s.ID == row && l.ID == "L3" {
				p.Text = s.Text
			}
		}
	}
	for _, it := range e.Library {
		if it.Ref.ID == row {
			p.Text, p.Title = e.Content(row), it.Title
			p.Meta = append(p.Meta, fmt.Sprintf("first sent in turn %d", it.Since), "revision "+it.Revision.Short())
		}
	}
	p.Meta = append(p.Meta, fmt.Sprintf("%d bytes", len(p.Text)))
	return p
}

func (m *Model) gotBytes(msg bytesMsg) {
	if msg.id == m.inspect.answer {
		m.inspector.SetPreview(msg.p)
	}
}

// inspectKey gives a key to the page.
func (m *Model) inspectKey(msg tea.KeyPressMsg) tea.Cmd {
	switch a := m.inspector.Update(msg); a.Kind {
	case inspector.Closed:
		m.closeSheet()
	case inspector.Travel:
		m.inspect.turn = a.Turn
		return m.refreshInspector()
	case inspector.Moved:
		return m.showBytes()
	case inspector.Mute, inspector.Evict, inspector.Refresh:
		return m.errand(priceOf(a, changeOf(a.Kind, m.refOf(a.ID), m.muted(a.ID)), m.composer.Value()))
	case inspector.Attach:
		ref := m.refOf(a.ID)
		return m.errand(func(_ context.Context, d *desk.Desk) (tea.Msg, error) {
			d.Attach(ref)
			return toldMsg{"attached to the next turn: " + refLabel(ref)}, nil
		})
	case inspector.Diff:
		return m.compare()
	case inspector.Copy:
		return m.copyReport()
	case inspector.Confirmed:
		a := m.inspect.asked
		return m.errand(act(changeOf(a.Kind, m.refOf(a.ID), m.muted(a.ID))))
	}
	return nil
}

// muted reports whether an item is not referred to.
func (m *Model) muted(id string) bool {
	if env := m.envelope(); env != nil {
		for _, it := range env.Library {
			if it.Ref.ID == id {
				return it.State == "muted"
			}
		}
	}
	return false
}

// refOf is the reference of an item of the library.
func (m *Model) refOf(id string) prompt.Ref {
	if env := m.envelope(); env != nil {
		for _, it := range env.Library {
			if it.Ref.ID == id {
				return it.Ref
			}
		}
	}
	return prompt.Ref{Kind: prompt.Note, ID: id}
}

// changeOf is what an action changes.
func changeOf(kind inspector.ActionKind, ref prompt.Ref, muted bool) chains.Change {
	switch {
	case kind == inspector.Evict:
		return chains.Change{Forget: []prompt.Ref{ref}}
	case kind == inspector.Refresh:
		return chains.Change{Refresh: true}
	case muted:
		return chains.Change{Unmute: []prompt.Ref{ref}}
	}
	return chains.Change{Mute: []prompt.Ref{ref}}
}

// priceOf is the errand that finds out what an action costs: the difference
// between two forecasts.
func priceOf(a inspector.Action, c chains.Change, text string) errand {
	return func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		now, then, err := d.Session().Price(ctx, d.Input(text), c)
		var long *prompt.TooLongError
		if errors.As(err, &long) {
			return priceMsg{a, "the next turn is too long as it is"}, nil
		}
		if err != nil {
			return nil, err
		}
		return priceMsg{a, chains.Cost(now, then)}, nil
	}
}

// priced asks whether the price shall be paid.
func (m *Model) priced(msg priceMsg) {
	if m.sheet.kind != inspectSheet {
		return
	}
	m.inspect.asked = msg.act
	what := "Stop referring to " + msg.act.ID
	switch {
	case msg.act.Kind == inspector.Evict:
		what = "Forget " + msg.act.ID + " everywhere, also in the chat's file"
	case msg.act.Kind == inspector.Refresh:
		what = "Rebuild the library from current notes"
	case m.muted(msg.act.ID):
		what = "Refer to " + msg.act.ID + " again"
	}
	m.inspector.Confirm(what + "? " + msg.cost)
}

// act is the errand that does what was confirmed.
func act(c chains.Change) errand {
	return func(_ context.Context, d *desk.Desk) (tea.Msg, error) {
		if _, err := d.Session().Apply(c); err != nil {
			return nil, err
		}
		for _, r := range c.Forget {
			d.Drop(r)
		}
		return toldMsg{"done: " + c.String() + "; /undo takes it back"}, nil
	}
}

// copyReport puts the request on the clipboard, as JSON.
func (m *Model) copyReport() tea.Cmd {
	env := m.envelope()
	if env == nil {
		return nil
	}
	e, missing := *env, m.estimate.missing
	if m.inspect.turn != 0 {
		missing = nil // what was missing then is in the request
	}
	return tea.Batch(m.say("copied as JSON"), m.crew.begin(func(context.Context) tea.Msg {
		return clipMsg{theme.JSONLine(desk.NewContextEvent(e, missing, true))}
	}))
}

// clipMsg is text for the clipboard that took some work to make.
type clipMsg struct{ text string }
