package chatview

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/album"
	"ibid/ui/composer"
	"ibid/ui/picture"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// Chat is one open chat on the screen side. The results of its turns and jobs go to it, whichever chat
// is on the screen.
type Chat struct {
	*Setup
	Handle     *desk.Chat // at the desk
	Desk       State
	Transcript *transcript.Transcript
	Turn       Turn
	Estimate   estimate
	Marked     string // text selected with the mouse, until the current key press
	Find       find
	Queue      []composer.Draft // messages that wait for the running reply to end
	Naming     titleRequest
	Unlock     context.CancelFunc // stops waiting for a chat that another process has open
	pictures   *album.Album
	Cleared    *composer.Draft // text cleared from the prompt, nil if something was sent since
	DraftFile  draftFile
	work       mailbox

	// The following belong to a chat that is not on the screen:

	Draft  composer.Draft // the text in its prompt
	Late   []tea.Msg      // messages to show once it is on the screen
	Unread bool           // its reply has ended meanwhile
	Failed bool           // the reply ended with an error
	Closed bool           // it is closed at the desk, or will be
}

// New returns a chat of which nothing was read.
func New(o *Setup, chat *desk.Chat, s State) *Chat {
	pictures := album.New(o.Vault)
	find := func(target string) *picture.Picture {
		if o.NoImages {
			return nil
		}
		return pictures.Find(target)
	}
	t := transcript.New(transcript.Options{
		Theme: *o.Theme, Now: o.Now, Whole: o.Whole, Address: o.Address, Picture: find,
	})
	return &Chat{
		Setup: o, Handle: chat, Desk: s, Transcript: t, Turn: Turn{Transcript: t, Now: o.Now},
		Find: newFind(t), Unlock: func() {}, pictures: pictures,
	}
}

// Restyle applies the theme of the screen.
func (c *Chat) Restyle() {
	c.Transcript.SetTheme(*c.Theme)
	c.Find.Line.SetTheme(c.Theme)
}

// Title returns the chat's name for lines about it elsewhere: at most 32 columns, "the new chat" if it
// has no name yet.
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

// Blank reports whether the chat has no messages and no running turn.
func (c *Chat) Blank() bool {
	return c.Transcript.Len() == 0 && c.Desk.Chat.Path == "" && !c.Turn.Running()
}

// WaitsForUser reports whether the chat waits for the user.
func (c *Chat) WaitsForUser() bool {
	for _, msg := range c.Late {
		if _, ok := msg.(interface{ Asks() }); ok {
			return true
		}
	}
	return len(c.Turn.Rounds.asked) > 0
}

// HasUnsent reports whether the chat holds text that the user wrote and did not send.
func (c *Chat) HasUnsent() bool { return !term.IsBlank(c.Draft.Text) || len(c.Queue) > 0 }

// MustStayOpen reports whether the chat must stay open while another one is on the screen; its file has
// everything else.
func (c *Chat) MustStayOpen() bool {
	return c.Turn.Running() || c.Unread || c.HasUnsent() || len(c.Late) > 0 || c.HasNoFile()
}

// HasNoFile reports whether the chat has messages and no file.
func (c *Chat) HasNoFile() bool { return len(c.Turn.Prompts) > 0 && c.Desk.Chat.Path == "" }

// State returns the mark of a chat in the background, and its meaning; both are "" if there is nothing
// to say.
func (c *Chat) State(g *theme.Glyphs) (mark, words string) {
	switch {
	case c.WaitsForUser():
		return g.Alert, "asking you"
	case c.Turn.Running():
		return g.Spinner[0], "writing"
	case c.Unread && c.Failed:
		return g.Cross, "failed"
	case c.Unread:
		return g.Context.Added, "unread"
	case c.HasUnsent():
		return g.Dot, "not sent"
	case c.HasNoFile():
		return g.Dot, "not kept"
	}
	return "", ""
}

// Prompts returns the messages of the user, the oldest first.
func (c *Chat) Prompts() (texts []string) {
	for _, id := range c.Turn.Prompts {
		if msg, ok := c.Transcript.Message(id); ok {
			texts = append(texts, msg.Text)
		}
	}
	return texts
}

// ModelLooksUp reports whether a model outside of this program may look things up in the vault by itself.
func (c *Chat) ModelLooksUp() bool {
	switch c.Desk.Chat.Chain {
	case "", chains.Chat{}.Name(), chains.Vault{}.Name():
		return false
	}
	return !c.Offline()
}

// Offline reports whether the model of this program answers, which needs no network. A model of a
// provider may have the same name.
func (c *Chat) Offline() bool {
	return c.Desk.Chat.At == "" && c.Desk.Chat.Model == c.OfflineModel
}
