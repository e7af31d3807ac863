package chatview

import (
	"cmp"
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/term"
	"ibid/vault"
)

// Job is work at the desk, at the place of a chat. Its reply is a message for the screen, nil if there
// is nothing to say.
type Job func(ctx context.Context, d *desk.Place) (reply tea.Msg, err error)

func (j Job) takeIn(c *Chat) tea.Cmd { return c.Do(j) }

// Work is a queued job. Tasks bounds its lifetime; nil is the lifetime of the program.
type Work struct {
	Job    Job
	Tasks  *term.Tasks
	Leaves bool // it switches to another chat, and changes nothing in its own
	free   bool // it waits for no other job
}

// mailbox holds the work of a chat: one job at a time, in the order of the requests. Work that leaves
// the chat waits for no other.
type mailbox struct {
	waiting []Work
	running int // jobs that have begun and not ended
	busy    bool
}

// JobDone is the result of a job.
type JobDone struct {
	Of    *Chat
	Work  Work
	Began *desk.Chat // the chat it ran in: the one of Of, or a replacement; nil if it did not run
	At    *desk.Chat // current chat afterwards: Began, or one that it opened
	Left  bool       // Began made room for At, or was closed
	Lost  error      // why the chat could not be reopened
	State State      // of At
	Reply tea.Msg
	Err   error

	Spent   float64    // dollars, for all requests of this process
	Deleted vault.Path // the chat that was deleted last
}

// Do queues a job for the chat.
func (c *Chat) Do(j Job) tea.Cmd { return c.Work(Work{Job: j}) }

// Work queues work for the chat. Work that leaves the chat starts at once, unless the chat is blank:
// then it may be replaced.
func (c *Chat) Work(w Work) tea.Cmd {
	if w.Leaves && !c.Blank() { // a blank chat may make room for the other
		w.free = true
		return w.begin(c)
	}
	c.work.waiting = append(c.work.waiting, w)
	return c.work.next(c)
}

// next starts the job that has waited longest, unless one runs.
func (b *mailbox) next(c *Chat) tea.Cmd {
	if b.busy || len(b.waiting) == 0 {
		return nil
	}
	w := b.waiting[0]
	b.waiting, b.busy = b.waiting[1:], true
	return w.begin(c)
}

// begin returns the command that does the work as soon as the desk is free. Work that has not started
// when the program ends is dropped.
func (w Work) begin(c *Chat) tea.Cmd {
	d, chat, now, closed := c.Shared, c.Handle, c.Desk, c.Closed
	c.work.running++
	tasks := cmp.Or(w.Tasks, c.Tasks)
	broken := func(f *term.Fault) tea.Msg {
		return JobDone{Of: c, Work: w, Began: chat, At: chat, State: now, Err: f}
	}
	return tasks.Start(term.Work(func(ctx context.Context) tea.Msg {
		msg := JobDone{Of: c, Work: w}
		place := d.Enter(chat, w.free)
		switch {
		case place == nil && closed:
			return msg
		case place == nil:
			place, msg.Lost = d.Reopen(ctx, now.Chat, now.Active)
		}
		defer place.Leave()
		select {
		case <-tasks.Done():
			return nil
		default:
		}
		msg.Began = place.Chat
		msg.Reply, msg.Err = w.Job(ctx, place)
		msg.Left = !slices.Contains(d.Chats(), msg.Began)
		msg.At, msg.State, msg.Deleted = place.Chat, StateOf(place), desk.LastDeleted(place)
		for _, t := range place.Session().Options().Process.Spent() {
			msg.Spent += t.Usage.Cost
		}
		return msg
	}).Guarded(broken, "stopped a command"))
}

// Fault returns the panic of the job, nil if there was none.
func (msg *JobDone) Fault() *term.Fault {
	f, _ := errors.AsType[*term.Fault](msg.Err)
	return f
}

// End removes the finished job, and starts the next one.
func (msg *JobDone) End() tea.Cmd {
	b := &msg.Of.work
	b.running--
	b.busy = b.busy && msg.Work.free
	return b.next(msg.Of)
}

// empty reports whether no job runs or waits.
func (b *mailbox) empty() bool { return b.running == 0 && len(b.waiting) == 0 }
