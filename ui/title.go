package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
)

// findTitle looks whether the chat on the desk is to get a title from the model.
type findTitle struct{}

func (findTitle) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	if n, _ := d.Session().Naming(true); n != nil { // busy: another turn has begun
		return namingMsg{d.Session(), n, ""}, nil
	}
	return nil, nil
}

// namingMsg brings a title that is to be asked for.
type namingMsg struct {
	session *chains.Session
	naming  *chains.Naming
	say     string // to the person who asked for it, "" if nobody did
}

// namedMsg says that the asking is over.
type namedMsg struct{ namingMsg }

// askTitle asks for a title, beside everything else.
func (m *Model) askTitle(msg namingMsg) tea.Cmd {
	m.naming.stop()
	if m.k.turn.running() {
		return nil
	}
	scope := m.tasks.scope()
	m.naming.cancel = scope.cancel
	ask := scope.start(func(ctx context.Context) tea.Msg {
		msg.naming.Ask(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return namedMsg{msg}
	})
	if msg.say == "" {
		return ask
	}
	return tea.Batch(ask, m.say(msg.say))
}

// naming ends the asking for a title.
type naming struct{ cancel context.CancelFunc } // nil if none is asked for

// stop gives up the title that is being asked for: what is sent goes first.
func (n *naming) stop() {
	if n.cancel != nil {
		n.cancel()
		n.cancel = nil
	}
}

func (m *Model) setTitle(msg namedMsg) tea.Cmd {
	m.naming.stop()
	return m.work(applyTitle(msg))
}

// applyTitle gives the chat the title that came, if it is still on the desk.
type applyTitle namedMsg

func (j applyTitle) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	if d.Session() != j.session {
		return nil, nil
	}
	title, err := j.naming.Apply()
	switch {
	case err != nil && j.say != "":
		return nil, err
	case title == "":
		return nil, nil //nolint:nilerr // nobody asked: the log has it
	case j.say != "":
		return answerMsg{"the chat is called " + title}, nil
	}
	return listAgain{}, nil
}

// listAgain asks for the list of chats anew.
type listAgain struct{}
