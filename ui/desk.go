package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/usage"
)

// job is one piece of work at the desk, as a value. Its reply is a message for
// the model, nil if there is nothing to say.
type job interface {
	run(ctx context.Context, d *desk.Desk) (reply tea.Msg, err error)
}

// jobQueue gives the desk to one job at a time, in the order in which they were
// asked for. The model itself never touches it: it works with the values that the
// last job brought back.
type jobQueue struct {
	desk    *desk.Desk
	busy    bool
	waiting []tea.Cmd
}

// deskState is the desk as a job left it.
type deskState struct {
	chat     chains.Snapshot
	attached []prompt.Ref
	active   string           // desk.Off, desk.Follow or a path
	note     vault.ActiveNote // the one that counts as open
	goes     bool             // it goes with the next turn
	pins     []vault.Pin
	policy   *chains.Policy       // for changes that the model proposes; safe to ask at any time
	writes   bool                 // it may propose some
	again    bool                 // the workspace was being written
	pages    map[string]time.Time // when they were fetched, by URL
	lifetime time.Duration
	window   int
	price    chains.Price  // of the model
	noBlocks string        // why no blocks in replies propose to write notes, "" if they do
	web      bool          // the web can be searched
	noMemory string        // why the model cannot change the memory note, "" if it can
	prompts  []desk.Prompt // the saved ones
	with     *usage.Counts // what was used together with the note; nil suggests nothing
}

// actions reads the blocks of replies, nil if they propose nothing.
func (s *deskState) actions() *chains.ActionReader {
	if s.noBlocks != "" {
		return nil
	}
	return chains.NewActionReader()
}

// hasPrompt reports whether a command is a saved prompt.
func (s *deskState) hasPrompt(word string) bool {
	return slices.ContainsFunc(s.prompts, func(p desk.Prompt) bool { return p.Word != "" && strings.EqualFold(p.Word, word) })
}

// jobMsg ends a job.
type jobMsg struct {
	state deskState
	reply tea.Msg
	err   error
}

// add queues a job. The tasks say how long it may live: as long as the program,
// or as a turn.
func (q *jobQueue) add(t *tasks, j job) tea.Cmd {
	d := q.desk
	start := t.start(func(ctx context.Context) tea.Msg {
		reply, err := j.run(ctx, d)
		return jobMsg{state: stateOf(d), reply: reply, err: err}
	})
	if q.busy {
		q.waiting = append(q.waiting, start)
		return nil
	}
	q.busy = true
	return start
}

// next starts the job that waited longest.
func (q *jobQueue) next() tea.Cmd {
	if len(q.waiting) == 0 {
		q.busy = false
		return nil
	}
	start := q.waiting[0]
	q.waiting = q.waiting[1:]
	return start
}

func stateOf(d *desk.Desk) deskState {
	s := deskState{
		chat: d.Session().Snapshot(), attached: d.Attached(), active: d.Active(),
		pins: d.State().Pins, again: d.Again(), pages: d.Pages(), prompts: d.Prompts().List(),
	}
	s.note, s.goes = d.ActiveNote()
	o := d.Session().Options()
	s.lifetime, s.window, s.price = o.Cache.Lifetime, o.Window, o.Price()
	s.policy = d.Session().Policy()
	s.writes = slices.ContainsFunc(o.Tools.List, func(t chains.Tool) bool { return t.Spec().Writes })
	s.noBlocks, s.noMemory = o.NoBlocks(s.chat.Chain), o.NoMemory(s.chat.Chain)
	s.web = slices.ContainsFunc(o.Tools.List, func(t chains.Tool) bool { return t.Spec().Name == chains.WebTool })
	if used := desk.UsageOf(d); used != nil {
		with := used.With(s.note.Path)
		s.with = &with
	}
	return s
}

// samePrice reports whether the next turn carries the same things.
func (s *deskState) samePrice(o *deskState) bool {
	return s.note.Path == o.note.Path && s.goes == o.goes && s.active == o.active &&
		s.chat.Model == o.chat.Model && s.chat.Layout == o.chat.Layout && slices.Equal(s.attached, o.attached) &&
		slices.EqualFunc(s.pins, o.pins, func(a, b vault.Pin) bool { return a.Path == b.Path })
}

// pinned reports whether a note goes with every turn.
func (s *deskState) pinned(p vault.Path) bool {
	return slices.ContainsFunc(s.pins, func(pin vault.Pin) bool { return pin.Path == p })
}

// work queues a job that lives as long as the program.
func (m *Model) work(j job) tea.Cmd { return m.jobs.add(m.tasks, j) }

// jobDone takes over what a job brought back, and starts the next.
func (m *Model) jobDone(msg jobMsg) tea.Cmd {
	was := m.k.desk
	m.k.desk = msg.state
	cmds := []tea.Cmd{m.jobs.next()}
	switch {
	case msg.err != nil && !errors.Is(msg.err, context.Canceled):
		cmds = append(cmds, m.complain(msg.err.Error()))
	case msg.err == nil && msg.reply != nil:
		cmds = append(cmds, m.route(msg.reply))
	}
	if msg.state.again && !was.again {
		cmds = append(cmds, lookAgain(m.tasks, 0))
	}
	if !was.samePrice(&msg.state) {
		m.k.estimate.prices = nil
		cmds = append(cmds, m.forecast())
	}
	m.refreshShelf()
	return tea.Batch(cmds...)
}

// lookAround finds out what the editor has open.
type lookAround struct{ now time.Time }

func (j lookAround) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	return nil, d.LookAroundAt(j.now)
}

// noteOpened tells the desk that a note was opened here.
type noteOpened struct{ editFile }

func (j noteOpened) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	d.Opened(j.path, j.from)
	return nil, nil
}

// lookMsg asks for another look at a workspace that was being written.
type lookMsg struct{ try int }

// lookAgain waits before the next look: an editor is done writing soon, or later.
func lookAgain(t *tasks, try int) tea.Cmd {
	waits := []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}
	if try >= len(waits) {
		return nil
	}
	return t.after(waits[try], lookMsg{try})
}

func (m *Model) lookAfter(msg lookMsg) tea.Cmd {
	if !m.k.desk.again {
		return nil
	}
	return tea.Batch(m.work(lookAround{m.k.opt.now()}), lookAgain(m.tasks, msg.try+1))
}

// setActive chooses how the active note is treated.
type setActive struct{ how string }

func (j setActive) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	if err := d.SetActive(j.how); err != nil {
		return nil, err
	}
	if j.how == desk.Off || j.how == desk.Follow {
		return answerMsg{"active note: " + j.how}, nil
	}
	return answerMsg{"active note: " + vault.Path(j.how).Base() + ", whatever is open"}, nil
}

// nextActive goes on from off to follow to this note.
func (s *deskState) nextActive() setActive {
	switch {
	case s.active == desk.Off:
		return setActive{desk.Follow}
	case s.active == desk.Follow && s.note.Path != "":
		return setActive{string(s.note.Path)}
	}
	return setActive{desk.Off}
}

// attachRefs adds to the next turn, and says so; dropRef takes something off.
type (
	attachRefs struct {
		refs []prompt.Ref
		say  string // "" says nothing
	}
	dropRef struct{ ref prompt.Ref }
)

func (j attachRefs) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	d.Attach(j.refs...)
	if j.say == "" {
		return nil, nil
	}
	return answerMsg{j.say}, nil
}

// carry attaches again what a turn carried that broke off.
type carry struct{}

func (carry) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	if again := d.Carry(); len(again) > 0 {
		return answerMsg{fmt.Sprintf("the reply broke off: %s on the shelf again for the next turn", theme.Plural(len(again), "attachment"))}, nil
	}
	return nil, nil
}

func (j dropRef) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	d.Drop(j.ref)
	return nil, nil
}
