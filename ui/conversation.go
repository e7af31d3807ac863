package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/composer"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault/usage"
)

// conversation is what the screen keeps of one open chat. What comes of its turns
// and jobs goes to it, whichever chat is on the screen.
type conversation struct {
	chat       *desk.Chat // at the desk
	desk       deskState
	seen       int64 // number of the job that left desk so
	transcript *transcript.Transcript
	turn       turn
	estimate   estimate
	choice     choice
	find       find
	queue      []composer.Draft // messages that wait for the reply to end
	naming     naming
	unlock     context.CancelFunc // ends the wait for a chat that another process has open
	pictures   *album
	suggested  []usage.Suggestion // notes for the next turn
	cleared    *composer.Draft    // from the prompt, nil if something was sent since
	kept       keptAs

	// Of one that is not on the screen:

	draft  composer.Draft // in the prompt
	late   []tea.Msg      // to be shown once it is
	unread bool           // its reply ended meanwhile
	failed bool           // with an error
	closed bool           // its chat is closed, or will be
}

// newConversation is a chat of which nothing was read.
func newConversation(o *Options, chat *desk.Chat, s deskState) *conversation {
	pictures := newAlbum(o.Vault)
	t := transcript.New(transcript.Options{Now: o.Now, Whole: o.Terminal.Inline, Address: addressIn(o.Vault), Picture: pictures.find})
	return &conversation{
		chat: chat, desk: s, transcript: t, turn: turn{transcript: t, now: o.now}, choice: choice{parts: transcript.NewBlocks(t)},
		find: newFind(t), unlock: func() {}, pictures: pictures,
	}
}

func (c *conversation) setTheme(t *theme.Theme) {
	c.transcript.SetTheme(*t)
	term.StyleLine(&c.find.line, t)
}

// title is what the chat is called in a line that is not its own.
func (c *conversation) title() string {
	t := theme.OneLine(c.desk.chat.Title)
	if c.turn.title != "" {
		t = theme.OneLine(c.turn.title)
	}
	if t == "" || c.blank() {
		return "the new chat"
	}
	return term.Clip(t, 32, "…")
}

// blank reports whether nothing was said in it, and nothing is about to be.
func (c *conversation) blank() bool {
	return c.transcript.Len() == 0 && c.desk.chat.Path == "" && !c.turn.running()
}

// asks reports whether it waits for the user.
func (c *conversation) asks() bool {
	for _, msg := range c.late {
		if _, ok := msg.(fitMsg); ok {
			return true
		}
	}
	return len(c.turn.rounds.asked) > 0
}

// unsent reports whether it holds something that the user wrote.
func (c *conversation) unsent() bool { return !term.IsBlank(c.draft.Text) || len(c.queue) > 0 }

// stays reports whether there is a reason to keep it while another one is on the
// screen: its file has the rest.
func (c *conversation) stays() bool {
	return c.turn.running() || c.unread || c.unsent() || len(c.late) > 0 || c.onlyHere()
}

// onlyHere reports whether something was said in it and no file has it.
func (c *conversation) onlyHere() bool { return len(c.turn.prompts) > 0 && c.desk.chat.Path == "" }

// state is the mark of a chat that is not on the screen, and its meaning.
func (c *conversation) state(g *theme.Glyphs) (mark, words string) {
	switch {
	case c.asks():
		return g.Alert, "asks you"
	case c.turn.running():
		return g.Spinner[c.turn.live.steps%len(g.Spinner)], "writing"
	case c.unread && c.failed:
		return g.Cross, "failed"
	case c.unread:
		return g.Context.Added, "new reply"
	case c.unsent():
		return g.Dot, "not sent"
	case c.onlyHere():
		return g.Dot, "not kept"
	}
	return "", ""
}

// prompts are the messages of the user, oldest first.
func (c *conversation) prompts() (texts []string) {
	for _, id := range c.turn.prompts {
		if msg, ok := c.transcript.Message(id); ok {
			texts = append(texts, msg.Text)
		}
	}
	return texts
}

// treats is how the active note is treated in a chat that has not begun, where that was
// chosen; one that has begun is saved with it.
func (c *conversation) treats() string {
	if c.desk.chat.Epoch != 0 {
		return ""
	}
	return c.desk.chosen
}
