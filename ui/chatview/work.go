package chatview

import (
	"cmp"
	"context"
	"slices"
	"time"

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
	Doing  string // description, if it may take long
	Leaves bool   // it switches to another chat, and changes nothing in its own
	free   bool   // it waits for no other job
}

// mailbox holds the work of a chat: one job at a time, in the order of the requests. Work that leaves
// the chat waits for no other.
type mailbox struct {
	waiting []Work
	begun   []string // descriptions of the running work
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
	var late tea.Cmd
	if w.Doing != "" {
		late = c.after(slowTime, slowMsg{w.Doing})
	}
	if w.Leaves && !c.Blank() { // a blank chat may make room for the other
		w.free = true
		return tea.Batch(w.begin(c), late)
	}
	c.work.waiting = append(c.work.waiting, w)
	return tea.Batch(c.work.next(c), late)
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
	c.work.begun = append(c.work.begun, w.Doing)
	tasks := cmp.Or(w.Tasks, c.Tasks)
	return tasks.Start(func(ctx context.Context) tea.Msg {
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
	})
}

// End removes the finished job, and starts the next one.
func (msg *JobDone) End() tea.Cmd {
	b := &msg.Of.work
	if i := slices.Index(b.begun, msg.Work.Doing); i >= 0 {
		b.begun = slices.Delete(b.begun, i, i+1)
	}
	b.busy = b.busy && msg.Work.free
	return b.next(msg.Of)
}

// empty reports whether no job runs or waits.
func (b *mailbox) empty() bool { return len(b.begun) == 0 && len(b.waiting) == 0 }

// slowTime is the time after which the status says what a job does, and againTime the time after which
// it says so again.
const slowTime, againTime = 150 * time.Millisecond, 6 * time.Second

// slowMsg asks to show a job if it still runs or waits.
type slowMsg struct{ doing string }

// takeIn shows the description of unfinished work.
func (msg slowMsg) takeIn(c *Chat) tea.Cmd {
	waits := func(w Work) bool { return w.Doing == msg.doing }
	if !slices.Contains(c.work.begun, msg.doing) && !slices.ContainsFunc(c.work.waiting, waits) {
		return nil
	}
	return tea.Batch(c.Say(msg.doing), c.after(againTime, msg))
}
