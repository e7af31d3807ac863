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

// Job is work at the desk, for the chat of a place there. Its reply is a message
// for the screen, nil if there is nothing to say.
type Job func(ctx context.Context, d *desk.Place) (reply tea.Msg, err error)

func (j Job) takeIn(c *Chat) tea.Cmd { return c.Do(j) }

// Work is a job that waits for its turn. Tasks say how long it may live, nil as long as
// the program.
type Work struct {
	Job    Job
	Tasks  *term.Tasks
	Doing  string // in words, if it may take long
	Leaves bool   // it goes on to another chat, and does nothing in its own
	free   bool   // it waited for no other one
}

// mailbox is the work of a chat: one job at a time, in the order in which they were asked
// for. One that leaves the chat waits for none.
type mailbox struct {
	waiting []Work
	begun   []string // what is done, in words
	busy    bool
}

// JobDone is what a job has brought back.
type JobDone struct {
	Of    *Chat
	Work  Work
	Began *desk.Chat // in which it was done: that of the conversation, or one in its place; nil if it was not
	At    *desk.Chat // to which it went on: Began, or one that it opened
	Left  bool       // Began made room for it, or was closed
	Lost  error      // why the chat could not be opened again
	State State      // of At
	Reply tea.Msg
	Err   error

	Spent   float64    // dollars, on all requests of this process
	Deleted vault.Path // the chat that was deleted last
}

// Do queues a job for the chat.
func (c *Chat) Do(j Job) tea.Cmd { return c.Work(Work{Job: j}) }

// Work queues work for the chat.
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

// next begins the job that waits longest, unless one is being done.
func (b *mailbox) next(c *Chat) tea.Cmd {
	if b.busy || len(b.waiting) == 0 {
		return nil
	}
	w := b.waiting[0]
	b.waiting, b.busy = b.waiting[1:], true
	return w.begin(c)
}

// begin is the command that does work, once the desk is free. When the program ends, what
// was not begun by then never is.
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

// End takes the job off, and begins the next.
func (msg *JobDone) End() tea.Cmd {
	b := &msg.Of.work
	if i := slices.Index(b.begun, msg.Work.Doing); i >= 0 {
		b.begun = slices.Delete(b.begun, i, i+1)
	}
	b.busy = b.busy && msg.Work.free
	return b.next(msg.Of)
}

// empty reports whether no job is being done, and none waits.
func (b *mailbox) empty() bool { return len(b.begun) == 0 && len(b.waiting) == 0 }

// slowTime is how long a job may take before the status says what is done, and againTime
// how long that stands there.
const slowTime, againTime = 150 * time.Millisecond, 6 * time.Second

// slowMsg says that a job was asked for some time ago.
type slowMsg struct{ doing string }

// takeIn says what is still being done.
func (msg slowMsg) takeIn(c *Chat) tea.Cmd {
	waits := func(w Work) bool { return w.Doing == msg.doing }
	if !slices.Contains(c.work.begun, msg.doing) && !slices.ContainsFunc(c.work.waiting, waits) {
		return nil
	}
	return tea.Batch(c.say(msg.doing), c.after(againTime, msg))
}
