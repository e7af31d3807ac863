package chatview

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/vault"
)

// Setup holds the values that the chats of a screen share.
type Setup struct {
	page.Env
	Host     host
	Tasks    *term.Tasks
	Composer *composer.Model
	Current  *Chat       // on the screen: the composer holds its prompt
	Shared   *desk.Place // the desk of all chats
	Vault    *vault.Vault
	Store    *history.Store           // nil keeps no chat
	Whole    bool                     // lay out all of a chat, not only what is visible
	Address  func(link string) string // address of the note that a link leads to, "" for none
	Approved []chains.Access          // accesses that need no question
	// reports whether changes of the file at this path need no question; nil covers none
	Covers       func(string) bool
	OfflineModel string // name of the model that needs no network
	NoImages     bool   // show names instead of images
	Rows         int    // of the screen
	// Linked returns the notes that a note links to, and those that link to it; nil until the vault was
	// read.
	Linked   func(vault.Path) (to, from []vault.Path)
	Notices  []string // lines to show at the start of the program
	Starters bool     // an empty chat shows suggested questions
}

// host is the screen around its chats.
type host interface {
	// Ask carries out a request of a chat. A line about a chat that is not on the screen begins with
	// its title.
	Ask(c *Chat, r page.Request) tea.Cmd
	// All returns the chat on the screen, followed by those in the background.
	All() []*Chat
}

// ChatAt returns the open chat with the given path, nil if there is none.
func (o *Setup) ChatAt(path string) *Chat {
	for _, c := range o.Host.All() {
		if path != "" && c.Desk.Chat.Path == path {
			return c
		}
	}
	return nil
}

// For is a message for one chat.
type For struct {
	*Chat
	Msg tea.Msg
}

// TurnEnded reports that a turn has ended, or did not begin.
type TurnEnded struct {
	*Chat
	What  string    // the outcome, in words
	Began time.Time // the zero time if it did not begin
}

// JobMessage is the text of a finished job: one line goes into the status, more go into the transcript.
type JobMessage string

// Table is the answer of a command: a list or table in markdown.
type Table string

// Shown reports whether the chat is on the screen: the prompt belongs to it then.
func (c *Chat) Shown() bool { return c.Current == c }

// Ask makes a request.
func (c *Chat) Ask(r page.Request) tea.Cmd { return c.Host.Ask(c, r) }

// Say shows a line in the status.
func (c *Chat) Say(text string) tea.Cmd { return c.Ask(page.Toast{Text: text}) }

// Complain shows an error in the status.
func (c *Chat) Complain(text string) tea.Cmd { return c.Ask(page.Complain(text)) }

// Post sends a message to the screen.
func (c *Chat) Post(msg tea.Msg) tea.Cmd { return c.Ask(page.Post{Msg: msg}) }

// Refresh makes the open page show the current state.
func (c *Chat) Refresh() tea.Cmd { return c.Post(page.RefreshMsg{}) }

// LookAround reads which note the editor has open.
func (c *Chat) LookAround() tea.Cmd {
	return c.Do(func(_ context.Context, d *desk.Place) (tea.Msg, error) { return nil, d.LookAround() })
}

// after sends the chat a message when d has passed.
func (c *Chat) after(d time.Duration, msg tea.Msg) tea.Cmd { return c.Tasks.After(d, For{c, msg}) }

// message is a message that a chat handles.
type message interface{ takeIn(c *Chat) tea.Cmd }

// Update handles a message for the chat, and reports whether it was one. A message that the user must
// read or answer waits until the chat is on the screen.
func (c *Chat) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	m, taken := msg.(message)
	switch {
	case !taken:
		return nil, false
	case !c.Shown() && needsUser(msg, c.Closed):
		c.Late = append(c.Late, msg)
		return nil, true
	}
	return m.takeIn(c), true
}

// needsUser reports whether the user must read or answer a message.
func needsUser(msg tea.Msg, closed bool) bool {
	switch msg := msg.(type) {
	case ConversationChanged, fitMsg, Table:
		return true
	case JobMessage:
		return !closed && strings.Contains(string(msg), "\n")
	}
	return false
}
