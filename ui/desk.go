package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/vault"
)

// errand is one piece of work at the desk. Its reply is a message for the model,
// nil if there is nothing to tell.
type errand func(ctx context.Context, d *desk.Desk) (reply tea.Msg, err error)

// deskQueue lends the desk to one errand at a time, in the order in which they
// were asked for. The model itself never touches it: it works with the values
// that the last errand brought back.
type deskQueue struct {
	seat    *desk.Desk
	busy    bool
	waiting []func() tea.Cmd
	state   deskState
}

// deskState is what an errand saw when it left.
type deskState struct {
	chat     chains.Snapshot
	attached []prompt.Ref
	active   string           // desk.Off, desk.Follow or a path
	note     vault.ActiveNote // the one that counts as open
	goes     bool             // it goes with the next turn
	pins     []vault.Pin
	again    bool // the workspace was being written
	lifetime time.Duration
	window   int
}

// deskMsg ends an errand.
type deskMsg struct {
	state deskState
	reply tea.Msg
	err   error
}

// run queues an errand. begin says how long it may live: that of the program, or
// that of a turn.
func (q *deskQueue) run(begin func(work) tea.Cmd, e errand) tea.Cmd {
	d := q.seat
	start := func() tea.Cmd {
		return begin(func(ctx context.Context) tea.Msg {
			reply, err := e(ctx, d)
			return deskMsg{state: lookOver(d), reply: reply, err: err}
		})
	}
	if q.busy {
		q.waiting = append(q.waiting, start)
		return nil
	}
	q.busy = true
	return start()
}

// next starts the errand that waited longest.
func (q *deskQueue) next() tea.Cmd {
	if len(q.waiting) == 0 {
		q.busy = false
		return nil
	}
	start := q.waiting[0]
	q.waiting = q.waiting[1:]
	return start()
}

func lookOver(d *desk.Desk) deskState {
	s := deskState{
		chat: d.Session().Snapshot(), attached: d.Attached(), active: d.Active(),
		pins: d.Around().Pins, again: d.Around().Again,
	}
	s.note, s.goes = d.ActiveNote()
	o := d.Session().Options()
	s.lifetime, s.window = o.Cache.Lifetime, o.Window
	return s
}

// errand sends somebody to the desk.
func (m *Model) errand(e errand) tea.Cmd { return m.desk.run(m.crew.begin, e) }

// deskDone takes in what an errand brought back, and sends the next.
func (m *Model) deskDone(msg deskMsg) tea.Cmd {
	was := m.desk.state
	m.desk.state = msg.state
	cmds := []tea.Cmd{m.desk.next()}
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		m.toast.fail(msg.err)
		cmds = append(cmds, m.toast.expire(m.crew))
	}
	if msg.reply != nil && msg.err == nil {
		cmds = append(cmds, m.route(msg.reply))
	}
	if msg.state.again && !was.again {
		cmds = append(cmds, m.lookAgain(0))
	}
	if shelfChanged(was, msg.state) {
		cmds = append(cmds, m.reckon())
	}
	m.refreshShelf()
	return tea.Batch(cmds...)
}

// shelfChanged reports whether what the next turn carries is something else now.
func shelfChanged(a, b deskState) bool {
	if a.note.Path != b.note.Path || a.goes != b.goes || a.active != b.active || a.chat.Model != b.chat.Model ||
		a.chat.Layout != b.chat.Layout || len(a.attached) != len(b.attached) || len(a.pins) != len(b.pins) {
		return true
	}
	for i := range a.attached {
		if a.attached[i] != b.attached[i] {
			return true
		}
	}
	for i := range a.pins {
		if a.pins[i].Path != b.pins[i].Path {
			return true
		}
	}
	return false
}

// lookAround is the errand that finds out what the editor has open.
func lookAround(now time.Time) errand {
	return func(_ context.Context, d *desk.Desk) (tea.Msg, error) {
		a, err := d.Look(now)
		d.SetAround(a)
		return nil, err
	}
}

// lookAgainMsg asks for another look at a workspace that was being written.
type lookAgainMsg struct{ try int }

// lookAgain waits before the next look: an editor is done writing soon, or later.
func (m *Model) lookAgain(try int) tea.Cmd {
	waits := []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}
	if try >= len(waits) {
		return nil
	}
	return m.crew.after(waits[try], lookAgainMsg{try})
}

func (m *Model) lookedAgain(msg lookAgainMsg) tea.Cmd {
	if !m.desk.state.again {
		return nil
	}
	return tea.Batch(m.errand(lookAround(m.opt.now())), m.lookAgain(msg.try+1))
}
