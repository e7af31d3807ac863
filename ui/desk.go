package ui

import (
	"context"
	"errors"
	"strings"

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

// leaver is a job that goes on to another chat, and does nothing in its own.
type leaver interface{ leaves() }

// slowJob is a job that may take long. doing is what it does, in words, "" for a moment's
// work.
type slowJob interface{ doing() string }

func (j openChat) doing() string {
	return "opening " + vault.Path(j.Path).Base() + " …"
}

func (j command) doing() string {
	if name, ok := strings.CutPrefix(j.line, "/open "); ok {
		return "opening " + strings.TrimSpace(name) + " …"
	}
	return ""
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
	return c.Work(w)
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

// jobDone takes over what a job brought back, and has its chat go on.
func (m *Model) jobDone(msg chatview.Done) tea.Cmd {
	if m.toast.Text != "" && m.toast.Text == msg.Work.Doing {
		m.toast.Text = "" // it is done
	}
	if msg.Began == nil {
		return msg.End()
	}
	c, cmds := showOpened(m, &msg)
	cmds = append(cmds, msg.End())
	m.k.spent = max(m.k.spent, msg.Spent)
	if gone := string(msg.Deleted); m.k.Chats.Gone != gone { // what was asked there is known no more, or again
		m.k.Chats.Gone, m.k.Asked = gone, browse.Asked{ID: m.k.Asked.ID + 1}
		m.composer.Earlier().Forget(nil)
	}
	if c.Handle == msg.At && c == msg.Of && !c.Closed {
		cmds = append(cmds, c.TakeState(msg.State))
	}
	switch {
	case msg.Err != nil && !errors.Is(msg.Err, context.Canceled):
		cmds = append(cmds, m.Ask(c, page.Complain(msg.Err.Error())))
	case msg.Err == nil && msg.Reply != nil:
		cmds = append(cmds, deliver(m, c, msg.Reply))
	}
	if msg.Lost != nil {
		cmds = append(cmds, m.Ask(c, page.Complain("a new chat, since this one cannot be opened: "+msg.Lost.Error())))
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
