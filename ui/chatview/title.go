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

// titleRequest is a running request for a title.
type titleRequest struct{ Cancel context.CancelFunc } // nil if none runs

// Stop cancels the request: a message to send goes first.
func (n *titleRequest) Stop() {
	if n.Cancel != nil {
		n.Cancel()
		n.Cancel = nil
	}
}

// titleRequestMsg starts a request for a title.
type titleRequestMsg struct {
	session *chains.Session
	asks    *chains.TitleRequest
	say     string // line for the user who asked for it, "" if nobody did
}

// RequestTitle returns the message that has the model name the chat, for a command.
func RequestTitle(s *chains.Session, n *chains.TitleRequest, say string) tea.Msg {
	return titleRequestMsg{s, n, say}
}

// titleJobMsg brings the job that sets the title.
type titleJobMsg struct{ job Job }

func (msg titleJobMsg) takeIn(c *Chat) tea.Cmd {
	c.Naming.Stop() // the request has ended
	return tea.Batch(c.Do(msg.job), c.Post(ChatsChanged{}))
}

// findTitle checks whether the current chat gets a title from the model.
func findTitle(_ context.Context, d *desk.Place) (tea.Msg, error) {
	if n, _ := d.Session().Naming(true); n != nil { // nil if it is busy: another turn has begun
		return titleRequestMsg{d.Session(), n, ""}, nil
	}
	return nil, nil
}

// takeIn requests a title, in the background.
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
	return tea.Batch(ask, c.Say(msg.say))
}

// titleLater is the delay before a title that came while a turn ran is set.
const titleLater = time.Second

// apply returns the job that sets the title, if the chat is still open.
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
			return nil, nil //nolint:nilerr // nobody asked: the error is in the log
		case msg.say != "":
			return JobMessage("the chat is called " + title), nil
		}
		return ChatsChanged{}, nil
	}
}

// ChatsChanged reports that the list of chats may have changed; Say is a line about it.
type ChatsChanged struct{ Say string }
