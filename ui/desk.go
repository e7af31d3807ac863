package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/page"
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
	last    chan struct{}            // closed when the desk is free of the job that was begun last
	seen    map[*chatview.Chat]int64 // number of the job that left the state of a chat that is known
	*deskLog
}

// deskLog is for whoever has the desk.
type deskLog struct {
	left   int64                // number of the state that was left last
	opened map[*desk.Chat]int64 // of that in which a job of another chat went to this one
}

// waitingJob is a job for a conversation.
type waitingJob struct {
	chatview.Work
	of *chatview.Chat
	id int // once it is begun
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
	q := jobQueue{desk: d, last: make(chan struct{}), seen: map[*chatview.Chat]int64{}, deskLog: &deskLog{opened: map[*desk.Chat]int64{}}}
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
		if w.Leaves && !w.of.Blank() { // a blank chat may make room for the other
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
	return w.Tasks.Start(func(ctx context.Context) tea.Msg {
		select {
		case <-before:
		case <-w.Tasks.Done():
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
		msg.reply, msg.err = w.Job(ctx, d)
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
	_, leaves := j.(leaver)
	w := chatview.Work{Job: j.run, Leaves: leaves}
	if s, ok := j.(slowJob); ok {
		w.Doing = s.doing()
	}
	return m.Work(c, w)
}

// Work queues work for a chat.
func (m *Model) Work(c *chatview.Chat, w chatview.Work) tea.Cmd {
	w.Tasks = cmp.Or(w.Tasks, m.tasks)
	return tea.Batch(m.jobs.add(waitingJob{Work: w, of: c}), announceJob(m.tasks, w.Doing))
}

// Ask does what a chat asks for. A line about one behind names it.
func (m *Model) Ask(c *chatview.Chat, r page.Request) tea.Cmd {
	if t, ok := r.(page.Toast); ok && t.Text != "" {
		t.Text = behindSay(&m.k, c) + t.Text
		r = t
	}
	return m.carryOut(r)
}

// All is the chat on the screen and those behind it.
func (m *Model) All() []*chatview.Chat { return m.k.all() }

// jobDone takes over what a job brought back, and starts the next.
func (m *Model) jobDone(msg jobMsg) tea.Cmd {
	endSlow(m, msg.id)
	c, cmds := showOpened(m, &msg)
	cmds = append(cmds, m.jobs.done(msg.id))
	m.k.spent = max(m.k.spent, msg.spent)
	if m.k.Chats.Gone != msg.gone { // what was asked there is known no more, or again
		m.k.Chats.Gone, m.k.Asked = msg.gone, browse.Asked{ID: m.k.Asked.ID + 1}
		m.composer.Earlier().Forget(nil)
	}
	if !c.Closed && !c.Released() && msg.n > m.jobs.seen[c] { // else another chat's job has seen a newer one
		m.jobs.seen[c] = msg.n
		cmds = append(cmds, c.TakeState(msg.state))
	}
	switch {
	case msg.err != nil && !errors.Is(msg.err, context.Canceled):
		cmds = append(cmds, m.Ask(c, page.Complain(msg.err.Error())))
	case msg.err == nil && msg.reply != nil:
		cmds = append(cmds, deliver(m, c, msg.reply))
	}
	if msg.lost != nil {
		cmds = append(cmds, m.Ask(c, page.Complain("a new chat, since this one cannot be opened: "+msg.lost.Error())))
	}
	cmds = append(cmds, releaseIdle(m))
	c.RefreshShelf()
	return tea.Batch(cmds...)
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
