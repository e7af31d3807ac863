package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/term"
)

// findTitle looks whether the current chat is to get a title from the model.
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
	say     string // to the user who asked for it, "" if nobody did
}

// inChat gives a chat the title that came, whichever chat is on the screen.
type inChat struct {
	chat *chatview.Chat
	job  job
}

func (i inChat) carryOut(m *Model) tea.Cmd {
	i.chat.Naming.Stop() // its title is there
	cmd := m.workIn(i.chat, i.job)
	return tea.Batch(cmd, closeIdle(m)) // it may have been kept for that alone
}

// askTitle asks for a title of a chat, in the background.
func askTitle(c *chatview.Chat, tasks *term.Tasks, msg namingMsg) tea.Cmd {
	n := &c.Naming
	n.Stop()
	scope := tasks.Scope()
	n.Cancel = scope.Cancel
	ask := scope.Start(func(ctx context.Context) tea.Msg {
		msg.naming.Ask(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return inChat{c, applyTitle{msg, c}}
	})
	if msg.say == "" {
		return ask
	}
	return tea.Batch(ask, func() tea.Msg { return page.Toast{Text: msg.say} })
}

// applyTitle gives the chat the title that came, if it is still open.
type applyTitle struct {
	namingMsg
	of *chatview.Chat
}

// titleLater is how soon a title is tried again that came while a turn runs.
const titleLater = time.Second

func (j applyTitle) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	if !slices.ContainsFunc(d.Chats(), func(c *desk.Chat) bool { return c.Session() == j.session }) {
		return nil, nil
	}
	title, err := j.naming.Apply()
	switch {
	case errors.Is(err, chains.ErrBusy):
		return page.Post{Msg: inChat{j.of, j}, In: titleLater}, nil
	case err != nil && j.say != "":
		return nil, err
	case title == "":
		return nil, nil //nolint:nilerr // nobody asked: the log has it
	case j.say != "":
		return answerMsg{"the chat is called " + title}, nil
	}
	return listAgain{}, nil
}

// listAgain asks for the list of chats again, and says something.
type listAgain struct{ say string }

func (msg listAgain) carryOut(m *Model) tea.Cmd {
	if msg.say != "" {
		return tea.Batch(m.listChats(""), m.say(msg.say))
	}
	return m.listChats("")
}
