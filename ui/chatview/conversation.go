package chatview

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/album"
	"ibid/ui/composer"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// Chat is what the screen keeps of one open chat. What comes of its turns
// and jobs goes to it, whichever chat is on the screen.
type Chat struct {
	*Setup
	Handle     *desk.Chat // at the desk
	Desk       State
	Transcript *transcript.Transcript
	Turn       Turn
	Estimate   estimate
	Choice     choice
	Find       find
	Queue      []composer.Draft // messages that wait for the reply to end
	Naming     titleRequest
	Unlock     context.CancelFunc // ends the wait for a chat that another process has open
	pictures   *album.Album
	Cleared    *composer.Draft // from the prompt, nil if something was sent since
	DraftFile  draftFile
	work       mailbox

	// Of one that is not on the screen:

	Draft  composer.Draft // in the prompt
	Late   []tea.Msg      // to be shown once it is
	Unread bool           // its reply ended meanwhile
	Failed bool           // with an error
	Closed bool           // its chat is closed, or will be
}

// New is a chat of which nothing was read.
func New(o *Setup, chat *desk.Chat, s State) *Chat {
	pictures := album.New(o.Vault)
	t := transcript.New(transcript.Options{Now: o.Now, Whole: o.Whole, Address: o.Address, Picture: pictures.Find})
	return &Chat{
		Setup: o, Handle: chat, Desk: s, Transcript: t, Turn: Turn{Transcript: t, Now: o.Now},
		Choice: choice{Parts: transcript.NewBlocks(t)},
		Find:   newFind(t), Unlock: func() {}, pictures: pictures,
	}
}

// Restyle gives the chat the look of the screen.
func (c *Chat) Restyle() {
	c.Transcript.SetTheme(*c.Theme)
	term.StyleLine(&c.Find.Line, c.Theme)
}

// Title is what the chat is called in a line that is not its own.
func (c *Chat) Title() string {
	t := theme.OneLine(c.Desk.Chat.Title)
	if c.Turn.Title != "" {
		t = theme.OneLine(c.Turn.Title)
	}
	if t == "" || c.Blank() {
		return "the new chat"
	}
	return term.Clip(t, 32, "…")
}

// Blank reports whether nothing was said in it, and nothing is about to be.
func (c *Chat) Blank() bool {
	return c.Transcript.Len() == 0 && c.Desk.Chat.Path == "" && !c.Turn.Running()
}

// Asks reports whether it waits for the user.
func (c *Chat) Asks() bool {
	for _, msg := range c.Late {
		if _, ok := msg.(interface{ Asks() }); ok {
			return true
		}
	}
	return len(c.Turn.Rounds.asked) > 0
}

// HasUnsent reports whether it holds something that the user wrote.
func (c *Chat) HasUnsent() bool { return !term.IsBlank(c.Draft.Text) || len(c.Queue) > 0 }

// Stays reports whether there is a reason to keep it while another one is on the
// screen: its file has the rest.
func (c *Chat) Stays() bool {
	return c.Turn.Running() || c.Unread || c.HasUnsent() || len(c.Late) > 0 || c.OnlyHere()
}

// OnlyHere reports whether something was said in it and no file has it.
func (c *Chat) OnlyHere() bool { return len(c.Turn.Prompts) > 0 && c.Desk.Chat.Path == "" }

// State is the mark of a chat that is not on the screen, and its meaning.
func (c *Chat) State(g *theme.Glyphs) (mark, words string) {
	switch {
	case c.Asks():
		return g.Alert, "asks you"
	case c.Turn.Running():
		return g.Spinner[c.Turn.Live.Steps%len(g.Spinner)], "writing"
	case c.Unread && c.Failed:
		return g.Cross, "failed"
	case c.Unread:
		return g.Context.Added, "new reply"
	case c.HasUnsent():
		return g.Dot, "not sent"
	case c.OnlyHere():
		return g.Dot, "not kept"
	}
	return "", ""
}

// Prompts are the messages of the user, oldest first.
func (c *Chat) Prompts() (texts []string) {
	for _, id := range c.Turn.Prompts {
		if msg, ok := c.Transcript.Message(id); ok {
			texts = append(texts, msg.Text)
		}
	}
	return texts
}

// LooksUp reports whether a model that is no part of this program may look things
// up in the vault by itself.
func (c *Chat) LooksUp() bool {
	switch c.Desk.Chat.Chain {
	case "", chains.Chat{}.Name(), chains.Vault{}.Name():
		return false
	}
	return !c.Offline()
}

// Offline says that the model answers which needs no network. A provider's may have its
// name.
func (c *Chat) Offline() bool {
	return c.Desk.Chat.At == "" && c.Desk.Chat.Model == c.OfflineModel
}
