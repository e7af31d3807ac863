package chatview

import (
	"fmt"
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

// Setup is what the chats of a screen share.
type Setup struct {
	page.Env
	Host     host
	Tasks    *term.Tasks
	Composer *composer.Model
	Current  *Chat       // the one on the screen, whose prompt the composer holds
	Shared   *desk.Place // of all chats
	Vault    *vault.Vault
	Store    *history.Store           // nil keeps no chat
	Whole    bool                     // all of a chat is laid out, not what is seen of it
	Address  func(link string) string // of the note that a link leads to, "" for none
	Approved []chains.Access          // what nobody is asked about
	// whether changes of the file at this path are made without a question; nil makes none
	Covers       func(string) bool
	OfflineModel string // the name under which the model answers that needs no network
	NoImages     bool   // images are named, and not drawn
	Rows         int    // of the screen
	// Linked lists the notes that a note links to, and those that link to it; nil until the
	// vault was read.
	Linked   func(vault.Path) (to, from []vault.Path)
	Notices  []string // what there is to say at the start of the program
	Starters bool     // an empty chat shows questions to begin with
}

// host is the screen around its chats.
type host interface {
	// Ask does what a chat asks for. A line about a chat that is not shown names it.
	Ask(c *Chat, r page.Request) tea.Cmd
	// All is the chat that is shown and those behind it.
	All() []*Chat
}

// At is the open chat at a path, nil if none is.
func (o *Setup) At(path string) *Chat {
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

// TurnEnded says that a turn has ended, or did not begin.
type TurnEnded struct {
	*Chat
	What  string    // came of it
	Began time.Time // the zero time if it did not
}

// JobMessage is what a job of a chat has to say: a line in the status, more in the transcript.
type JobMessage string

// Table is the answer of a command that is a list or a table in markdown.
type Table string

// Shown reports whether the chat is on the screen: the prompt is its own then.
func (c *Chat) Shown() bool { return c.Current == c }

func (c *Chat) ask(r page.Request) tea.Cmd { return c.Host.Ask(c, r) }

// say shows a line for a while; complain shows what went wrong.
func (c *Chat) say(text string) tea.Cmd { return c.ask(page.Toast{Text: text}) }

func (c *Chat) complain(text string) tea.Cmd { return c.ask(page.Complain(text)) }

// post sends the screen a message.
func (c *Chat) post(msg tea.Msg) tea.Cmd { return c.ask(page.Post{Msg: msg}) }

// after sends the chat a message when d has passed.
func (c *Chat) after(d time.Duration, msg tea.Msg) tea.Cmd { return c.Tasks.After(d, For{c, msg}) }

// message is one that a chat takes in.
type message interface{ takeIn(c *Chat) tea.Cmd }

// Update takes a message for the chat in; it reports whether it was one. What is to be
// read or answered in a chat waits until that is on the screen.
func (c *Chat) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	m, taken := msg.(message)
	switch {
	case !taken:
		return nil, false
	case !c.Shown() && waits(msg, c.Closed):
		c.Late = append(c.Late, msg)
		return nil, true
	}
	return m.takeIn(c), true
}

// waits reports whether a message is to be read or answered by the user.
func waits(msg tea.Msg, closed bool) bool {
	switch msg := msg.(type) {
	case ConversationChanged, fitMsg, Table:
		return true
	case JobMessage:
		return !closed && strings.Contains(string(msg), "\n")
	}
	return false
}

// mostRunning is how many replies may be written at once.
const mostRunning = 8

// full says that no more replies can be written at once, if that is so.
func (o *Setup) full() (page.Toast, bool) {
	n := 0
	for _, c := range o.Host.All() {
		if c.Turn.Running() {
			n++
		}
	}
	return page.Complain(fmt.Sprintf("%d replies are being written: one of them must end first; "+
		"your message was not sent", n)), n >= mostRunning
}
