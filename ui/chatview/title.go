package chatview

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/page"
)

// titleRequest ends the asking for a title.
type titleRequest struct{ Cancel context.CancelFunc } // nil if none is asked for

// Stop gives up the title that is being asked for: what is sent goes first.
func (n *titleRequest) Stop() {
	if n.Cancel != nil {
		n.Cancel()
		n.Cancel = nil
	}
}

// titleRequestMsg brings a title that is to be asked for.
type titleRequestMsg struct {
	session *chains.Session
	asks    *chains.TitleRequest
	say     string // to the user who asked for it, "" if nobody did
}

// NamingOf is what a command says that is to have the model name the chat.
func NamingOf(s *chains.Session, n *chains.TitleRequest, say string) tea.Msg {
	return titleRequestMsg{s, n, say}
}

// titleJobMsg brings the job that gives the chat its title.
type titleJobMsg struct{ job Job }

func (msg titleJobMsg) takeIn(c *Chat) tea.Cmd {
	c.Naming.Stop() // its title is there
	return tea.Batch(c.Do(msg.job), c.post(ChatsChanged{}))
}

// findTitle looks whether the current chat is to get a title from the model.
func findTitle(_ context.Context, d *desk.Place) (tea.Msg, error) {
	if n, _ := d.Session().Naming(true); n != nil { // busy: another turn has begun
		return titleRequestMsg{d.Session(), n, ""}, nil
	}
	return nil, nil
}

// takeIn asks for a title of the chat, in the background.
func (msg titleRequestMsg) takeIn(c *Chat) tea.Cmd {
	if c.Turn.Running() {
		return nil
	}
	c.Naming.Stop()
	scope := c.Tasks.Scope()
	c.Naming.Cancel = scope.Cancel
	ask := scope.Start(func(ctx context.Context) tea.Msg {
		msg.asks.Ask(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return For{c, titleJobMsg{msg.apply(c)}}
	})
	if msg.say == "" {
		return ask
	}
	return tea.Batch(ask, c.say(msg.say))
}

// titleLater is how soon a title is tried again that came while a turn runs.
const titleLater = time.Second

// apply gives the chat the title that came, if it is still open.
func (msg titleRequestMsg) apply(c *Chat) Job {
	return func(_ context.Context, d *desk.Place) (tea.Msg, error) {
		if !slices.ContainsFunc(d.Chats(), func(c *desk.Chat) bool { return c.Session() == msg.session }) {
			return nil, nil
		}
		title, err := msg.asks.Apply()
		switch {
		case errors.Is(err, chains.ErrBusy):
			return page.Post{Msg: For{c, titleJobMsg{msg.apply(c)}}, In: titleLater}, nil
		case err != nil && msg.say != "":
			return nil, err
		case title == "":
			return nil, nil //nolint:nilerr // nobody asked: the log has it
		case msg.say != "":
			return JobMessage("the chat is called " + title), nil
		}
		return ChatsChanged{}, nil
	}
}

// ChatsChanged says that the list of chats may be another one, and what has changed.
type ChatsChanged struct{ Say string }
