package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/review"
	"ibid/ui/setup"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// backgroundPrefix returns the beginning of a toast about c: its title if it is not on the screen, else "".
func backgroundPrefix(k *screenState, c *chatview.Chat) string {
	if c == k.Chat {
		return ""
	}
	return c.Title() + ": "
}

// showOpened returns the chat that a job leaves at the desk. A chat that the job opened goes onto the
// screen. It replaces the chat of the job if that has no messages and nothing unsent.
func showOpened(m *Model, msg *chatview.JobDone) (*chatview.Chat, []tea.Cmd) {
	c := msg.Of
	if msg.Began != c.Handle && !c.Closed { // it was reopened, or a new chat began
		c.Reopened(msg.Began)
	}
	if _, left := msg.Reply.(chatview.ClosedMsg); left {
		return c, m.chatClosed(c)
	}
	read, reads := msg.Reply.(chatview.ConversationChanged)
	if msg.At == c.Handle || c.Closed && !reads {
		return c, nil
	}
	here := func(o *chatview.Chat) bool {
		return o.Handle == msg.At || o.Released() && o.Desk.Chat.Epoch == msg.State.Chat.Epoch
	}
	if all := m.All(); slices.ContainsFunc(all, here) {
		to := all[slices.IndexFunc(all, here)]
		if to.Handle != msg.At {
			to.Reopened(msg.At)
		}
		return to, []tea.Cmd{show(m, to)}
	}
	taken := c.Turn.Running() || c.HasUnsent() || c.Shown() && !m.Composer.Empty()
	if !c.Closed && msg.Left && (!reads || len(read.Messages) == 0 || !taken) {
		c.Handle = msg.At
		return c, nil
	}
	to := chatview.New(m.Setup, msg.At, msg.State)
	to.Restyle()
	return to, []tea.Cmd{show(m, to)}
}

// deliver passes the result of a job to its chat. Results that the chat does not take go on to
// routeAnswer; if the chat is in the background, results for a page are dropped, since the page is
// closed.
func deliver(m *Model, c *chatview.Chat, msg tea.Msg) tea.Cmd {
	read, reads := msg.(chatview.ConversationChanged)
	if reads = reads && c.Shown() && !read.Busy; reads { // print it while the old messages are there
		if m.printer.Opened = true; !read.Again {
			m.printer.Leave(m.printed(m.stage.w, m.stage.h, false))
		}
	}
	asked := c.WaitsForUser()
	cmd, taken := c.Update(msg)
	switch {
	case reads:
		m.place()
		return tea.Batch(cmd, m.listChats(""))
	case taken && !c.Shown() && !asked && c.WaitsForUser():
		return tea.Batch(cmd, m.announceQuestion(c))
	case taken:
		return cmd
	}
	switch msg := msg.(type) {
	case page.Post:
		return m.carryOut(msg)
	case keptMsg:
		switch {
		case msg.read == nil:
		case c.Shown():
			m.Composer.Earlier().Forget(msg.Deleted)
			return deliver(m, c, *msg.read)
		default:
			msg.read = nil
			return tea.Batch(emptyMovedChat(m, c), m.routeAnswer(msg))
		}
	case askMsg, desk.Message:
		if !c.Shown() {
			c.Late = append(c.Late, msg)
			return nil
		}
	case tea.QuitMsg:
		return leave(m)
	case chatsMsg, chatview.ChatsChanged, page.Open, pullMsg:
	default:
		if !c.Shown() {
			return nil
		}
	}
	return m.routeAnswer(msg)
}

// show puts a chat on the screen. The text in the prompt stays with the previous chat.
func show(m *Model, c *chatview.Chat) tea.Cmd {
	was := m.Chat
	if c == was || c.Closed {
		return nil
	}
	m.setPage(nil)
	m.toast.Text = "" // it may be about this chat
	m.broken = nil
	m.mouse.clear()
	was.Unlock()
	was.Find.Close()
	was.Draft, c.Current = m.Composer.Draft(), c
	m.others = append(slices.DeleteFunc(m.others, func(o *chatview.Chat) bool { return o == c }), was)
	m.Chat, m.mouse.chat = c, transcript.NewSelection(c.Transcript)
	m.mouse.held, m.Keys.Held = false, false
	m.Composer.SetHistory(c.Prompts())
	m.Composer.SetDraft(c.Draft)
	m.Composer.Focus()
	late := c.Late
	c.Draft, c.Late, c.Unread, c.Failed = composer.Draft{}, nil, false, false
	m.place()
	m.RefreshShelf()
	var cmds []tea.Cmd
	closed := c.Released()
	if closed {
		cmds = append(cmds, m.Do(reopen))
	}
	cmds = append(cmds, m.LookAround(), m.AwaitLock())
	if !c.Turn.Running() {
		cmds = append(cmds, m.Forecast())
		if c.Transcript.Len() > 0 && !closed {
			cmds = append(cmds, c.CheckFile())
		}
		if len(c.Queue) > 0 {
			cmds = append(cmds, m.Say(c.DescribeQueued()))
		}
	}
	for _, msg := range late {
		cmds = append(cmds, deliver(m, c, msg))
	}
	return tea.Batch(append(cmds, closeIdle(m))...)
}

// closeIdle closes the chats in the background that have nothing running, unread or unsent.
func closeIdle(m *Model) tea.Cmd {
	var cmds []tea.Cmd
	for i := len(m.others) - 1; i >= 0; i-- {
		c := m.others[i]
		if c.MustStayOpen() || c.Naming.Cancel != nil {
			continue
		}
		cmds = append(cmds, m.drafts.Leave(c, false))
		c.Closed = true
		c.Naming.Stop()
		m.others = slices.Delete(m.others, i, i+1)
		cmds = append(cmds, c.Do(chatview.Close(nil)))
	}
	return tea.Batch(cmds...)
}

// markUnread marks a chat in the background as unread when its turn ends, and says so.
func markUnread(m *Model, c *chatview.Chat, what string) tea.Cmd {
	c.Unread = true
	if len(c.Queue) > 0 {
		what += "; " + theme.Plural(len(c.Queue), "message") + " still queued there"
	}
	return tea.Batch(m.Say(m.Theme.Glyphs.Dotted(c.Title()+": "+what, "ctrl+x c goes there")),
		m.toPage(page.RefreshMsg{}), closeIdle(m))
}

// turnEnded handles the end of a turn: it notifies a user who is elsewhere, and marks a chat in the
// background.
func turnEnded(m *Model, e chatview.TurnEnded) tea.Cmd {
	var cmds []tea.Cmd
	if !e.Began.IsZero() {
		cmds = append(cmds, notify(m, e.Began, theme.OneLine(e.Desk.Chat.Title)+": "+e.What), m.listChats(""))
	}
	if !e.Shown() {
		cmds = append(cmds, markUnread(m, e.Chat, e.What))
	}
	return tea.Batch(cmds...)
}

// announceQuestion says that a chat in the background waits for the user.
func (k *screenState) announceQuestion(c *chatview.Chat) tea.Cmd {
	return tea.Batch(k.Say(k.Theme.Glyphs.Dotted(c.Title()+" asks you", "ctrl+x c goes there")), k.Refresh())
}

// otherChatKey handles the keys that lead to other chats while the page of a question is open; the
// question waits in its own chat. It reports whether msg was such a key.
func otherChatKey(m *Model, msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	_, asks := m.page.(review.AskingPage)
	switch {
	case !asks:
	case m.Keys.Matches(msg, "chats"):
		return m.carryOut(page.Open{ID: page.Chats}), true
	case m.Keys.Matches(msg, "new"):
		return m.carryOut(page.Act("new")), true
	case key.Matches(msg, m.Keys.Lead):
		m.Keys.Held = true
		return nil, true
	}
	return nil, false
}

// newChat begins a chat, or goes back to an open one without messages.
func (k *screenState) newChat() tea.Cmd {
	for _, c := range k.others {
		if c.Blank() {
			return k.Post(showChat{c})
		}
	}
	begin := runLine("/new", "")
	begin.Leaves = true
	return k.Work(begin)
}

// leave ends the program. It asks first, once, if replies are being written or something unsent would
// be lost.
func leave(m *Model) tea.Cmd {
	q := m.leaveQuestion(setup.OpenVault{})
	if isLeavePage(m.page) || q == nil {
		return tea.Quit
	}
	return m.setPage(q)
}

// isLeavePage reports whether a page is the question of leave.
func isLeavePage(p page.Page) bool {
	q, ok := p.(*page.Question)
	return ok && q.IsLeaving
}

// storeChats stores the list of chats and refreshes what shows it.
func storeChats(m *Model, msg chatsMsg) tea.Cmd {
	if msg.err != nil {
		return m.Complain(msg.err.Error())
	}
	m.SetChats(msg.all)
	m.rails.Refilter(m.railSource())
	m.rails.Follow(m.Chats.Kept, m.Desk.Chat.Path, true)
	if msg.at != "" {
		return m.toPage(browse.GoTo{Chat: msg.at})
	}
	return m.toPage(page.RefreshMsg{})
}

// emptyMovedChat empties a chat in the background whose file was moved away. The text in its prompt stays,
// in a chat that has not begun.
func emptyMovedChat(m *Model, c *chatview.Chat) tea.Cmd {
	c.Transcript.Reset(nil)
	c.Turn.Reset(nil)
	c.Estimate.Reset()
	c.Unread, c.Failed = false, false
	return closeIdle(m)
}
