package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/state"
)

// job is one piece of work at the desk, as a value. Its reply is a message for
// the model, nil if there is nothing to say.
type job interface {
	run(ctx context.Context, d *desk.Desk) (reply tea.Msg, err error)
}

// jobQueue gives the desk to one job at a time, in the order in which they were
// asked for, with the chat current that the job is for. What a job does aside (see
// [desk.Enter]) holds up no other chat; the jobs of one chat wait for each other, but
// for those that leave it. The model itself never touches the desk: it works with the
// values that jobs bring back.
type jobQueue struct {
	desk    *desk.Desk
	ids     int          // of jobs
	begun   []waitingJob // that have not brought anything back yet
	waiting []waitingJob
	last    chan struct{} // closed when the desk is free of the job that was begun last
	*deskLog
}

// deskLog is for whoever has the desk.
type deskLog struct {
	left   int64                // number of the state that was left last
	opened map[*desk.Chat]int64 // of that in which a job of another chat went to this one
}

// waitingJob is a job for a conversation. The tasks say how long it may live: as
// long as the program, or as a turn.
type waitingJob struct {
	tasks *term.Tasks
	of    *chatview.Chat
	job   job
	id    int // once it is begun
}

// leaver is a job that goes on to another chat, and does nothing in its own.
type leaver interface{ leaves() }

// jobMsg ends a job.
type jobMsg struct {
	id    int
	n     int64 // of the state: grows with each job
	of    *chatview.Chat
	chat  *desk.Chat     // that is current now: the one of the conversation, or one that the job opened
	left  bool           // the chat of the conversation was empty and made room for it, or was closed
	spent float64        // dollars, on all requests of this process
	gone  string         // the chat that was deleted last, "" if none can be brought back
	anew  bool           // it had made room before, so a new one began in its place
	back  *desk.Chat     // the released chat of the conversation, which was opened again
	lost  error          // why it could not be
	state chatview.State // nothing for a conversation that is closed
	reply tea.Msg
	err   error
}

func newJobQueue(d *desk.Desk) jobQueue {
	q := jobQueue{desk: d, last: make(chan struct{}), deskLog: &deskLog{opened: map[*desk.Chat]int64{}}}
	close(q.last)
	return q
}

// add queues a job.
func (q *jobQueue) add(w waitingJob) tea.Cmd {
	q.waiting = append(q.waiting, w)
	return q.next()
}

// done takes a job off whose answer is there, and begins those that waited for it.
func (q *jobQueue) done(id int) tea.Cmd {
	q.begun = slices.DeleteFunc(q.begun, func(w waitingJob) bool { return w.id == id })
	return q.next()
}

// next begins the jobs that wait for no other one of the same chat.
func (q *jobQueue) next() tea.Cmd {
	var cmds []tea.Cmd
	var still []waitingJob
	for _, w := range q.waiting {
		same := func(o waitingJob) bool { return o.of == w.of || o.of.Handle == w.of.Handle }
		if _, leaves := w.job.(leaver); leaves && !w.of.Blank() { // a blank chat may make room for the other
			same = func(waitingJob) bool { return false }
		}
		if slices.ContainsFunc(q.begun, same) || slices.ContainsFunc(still, same) {
			still = append(still, w)
			continue
		}
		q.ids++
		w.id = q.ids
		q.begun = append(q.begun, w)
		cmds = append(cmds, q.begin(w))
	}
	q.waiting = still
	return tea.Batch(cmds...)
}

// begin is the command that runs a job, once the desk is free of those before it. When
// the program ends, what was not begun by then never is.
func (q *jobQueue) begin(w waitingJob) tea.Cmd {
	d, chat, active, closed, log := q.desk, w.of.Handle, w.of.Desk.Active, w.of.Closed, q.deskLog
	path, epoch := "", w.of.Desk.Chat.Epoch
	if w.of.Released() {
		path = w.of.Desk.Chat.Path
	}
	before, free := q.last, make(chan struct{})
	q.last = free
	return w.tasks.Start(func(ctx context.Context) tea.Msg {
		select {
		case <-before:
		case <-w.tasks.Done():
			return nil
		}
		leave := sync.OnceFunc(func() { close(free) })
		open, exit := desk.Enter(d, chat, leave)
		defer leave()
		defer exit()
		msg := jobMsg{id: w.id, of: w.of, chat: chat}
		if !open && closed {
			return msg
		}
		if path != "" {
			if msg.lost = desk.Reopen(ctx, d, path, epoch); msg.lost == nil {
				chat, msg.back, open = d.Chat, d.Chat, true
			}
		}
		if !open {
			d.Begin(ctx)
			msg.anew = true
			if active != d.Active() {
				_ = d.SetActive(active) // nothing is saved of it yet
			}
		}
		msg.reply, msg.err = w.job.run(ctx, d)
		msg.chat, msg.left, msg.state = d.Chat, !slices.Contains(d.Chats(), chat), chatview.StateOf(d)
		log.note(chat, &msg)
		msg.gone = string(desk.LastDeleted(d))
		for _, t := range d.Session().Options().Process.Spent() {
			msg.spent += t.Usage.Cost
		}
		return msg
	})
}

// note numbers what a job of a chat leaves.
func (l *deskLog) note(of *desk.Chat, msg *jobMsg) {
	l.left++
	msg.n = l.left
	if _, closed := msg.reply.(closedMsg); msg.chat != of && !closed {
		l.opened[msg.chat] = l.left
	}
	if msg.left {
		delete(l.opened, of)
	}
}

// work queues a job for the chat on the screen that lives as long as the program.
func (m *Model) work(j job) tea.Cmd { return m.workIn(m.k.Chat, j) }

// workIn queues a job for a chat, whichever is on the screen.
func (m *Model) workIn(c *chatview.Chat, j job) tea.Cmd {
	return tea.Batch(m.jobs.add(waitingJob{tasks: m.tasks, of: c, job: j}), announceJob(m.tasks, j))
}

// jobDone takes over what a job brought back, and starts the next.
func (m *Model) jobDone(msg jobMsg) tea.Cmd {
	endSlow(m, msg.id)
	c, cmds := showOpened(m, &msg)
	cmds = append(cmds, m.jobs.done(msg.id))
	m.k.spent = max(m.k.spent, msg.spent)
	if m.k.chats.gone != msg.gone { // what was asked there is known no more, or again
		m.k.chats.gone, m.k.earlier = msg.gone, earlier{id: m.k.earlier.id + 1}
		m.composer.Earlier().Forget(nil)
	}
	was := c.Desk
	if !c.Closed && !c.Released() && msg.n > c.Seen { // else another chat's job has seen a newer one
		c.Desk, c.Seen = msg.state, msg.n
	}
	switch {
	case msg.err != nil && !errors.Is(msg.err, context.Canceled):
		cmds = append(cmds, m.toast.show(m.tasks, page.Complain(behindSay(&m.k, c)+msg.err.Error())))
	case msg.err == nil && msg.reply != nil:
		cmds = append(cmds, routeTo(m, c, msg.reply))
	}
	if c.Desk.Chat.Unsaved && !was.Chat.Unsaved {
		cmds = append(cmds, m.tasks.After(savedTime, savedMsg{c}))
	}
	if msg.lost != nil {
		cmds = append(cmds, m.complain(behindSay(&m.k, c)+"a new chat, since this one cannot be opened: "+msg.lost.Error()))
	}
	cmds = append(cmds, releaseIdle(m))
	same := was.SamePrice(&msg.state)
	if !same {
		c.Estimate.Prices = nil
	}
	if c != m.k.Chat {
		return tea.Batch(cmds...)
	}
	if msg.state.Again && !was.Again {
		cmds = append(cmds, lookAgain(m.tasks, 0))
	}
	if !same {
		cmds = append(cmds, m.forecast())
	}
	m.refreshShelf()
	return tea.Batch(cmds...)
}

// savedTime is the time between two looks whether a chat was saved in the background.
const savedTime = 2 * time.Second

// savedMsg asks for another look at a chat that could not be saved.
type savedMsg struct{ of *chatview.Chat }

// readState changes nothing: what it brings back is the state of the chat.
type readState struct{}

func (readState) run(context.Context, *desk.Desk) (tea.Msg, error) { return nil, nil }

// carryOut looks whether a chat was saved, until it is.
func (msg savedMsg) carryOut(m *Model) tea.Cmd {
	if msg.of.Closed || !msg.of.Desk.Chat.Unsaved {
		return nil
	}
	return tea.Batch(m.workIn(msg.of, readState{}), m.tasks.After(savedTime, msg))
}

// lookAround finds out what the editor has open.
type lookAround struct{ now time.Time }

func (j lookAround) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	return nil, d.LookAroundAt(j.now)
}

// noteOpened tells the desk that a note was opened here.
type noteOpened struct {
	path vault.Path
	via  state.Source
}

func (j noteOpened) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	d.Opened(j.path, j.via)
	return nil, nil
}

// lookMsg asks for another look at a workspace that was being written.
type lookMsg struct{ try int }

// lookAgain waits before the next look: an editor is done writing soon, or later.
func lookAgain(t *term.Tasks, try int) tea.Cmd {
	waits := []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}
	if try >= len(waits) {
		return nil
	}
	return t.After(waits[try], lookMsg{try})
}

func (msg lookMsg) carryOut(m *Model) tea.Cmd {
	if !m.k.Desk.Again {
		return nil
	}
	return tea.Batch(m.work(lookAround{m.k.Now()}), lookAgain(m.tasks, msg.try+1))
}

// setActive chooses how the active note is treated.
type setActive struct {
	how   string
	quiet bool // says nothing
}

func (j setActive) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	if err := d.SetActive(j.how); err != nil || j.quiet {
		return nil, err
	}
	if j.how == desk.Off || j.how == desk.Follow {
		return answerMsg{"active note: " + j.how}, nil
	}
	return answerMsg{"active note: " + vault.Path(j.how).Base() + ", whatever is open"}, nil
}

// nextActive goes on from off to follow to this note.
func nextActive(s *chatview.State) setActive {
	switch {
	case s.Active == desk.Off:
		return setActive{how: desk.Follow}
	case s.Active == desk.Follow && s.Note.Path != "":
		return setActive{how: string(s.Note.Path)}
	}
	return setActive{how: desk.Off}
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
