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

// mostUnread is how many chats are kept behind the one on the screen only because their
// reply is new.
const mostUnread = 16

// behindSay begins a line about a chat that is not on the screen.
func behindSay(k *screenState, c *chatview.Chat) string {
	if c == k.Chat {
		return ""
	}
	return c.Title() + ": "
}

// showOpened is the conversation that a job leaves at the desk. One that the job opened
// goes onto the screen; where nothing was said or written before, it takes that place.
func showOpened(m *Model, msg *chatview.JobDone) (*chatview.Chat, []tea.Cmd) {
	c := msg.Of
	if msg.Began != c.Handle && !c.Closed { // it was opened again, or began anew
		c.Reopened(msg.Began)
	}
	if _, left := msg.Reply.(chatview.ClosedMsg); left {
		return c, m.k.leftBy(c)
	}
	read, reads := msg.Reply.(chatview.ConversationChanged)
	if msg.At == c.Handle || c.Closed && !reads {
		return c, nil
	}
	here := func(o *chatview.Chat) bool {
		return o.Handle == msg.At || o.Released() && o.Desk.Chat.Epoch == msg.State.Chat.Epoch
	}
	if all := m.k.all(); slices.ContainsFunc(all, here) {
		to := all[slices.IndexFunc(all, here)]
		if to.Handle != msg.At {
			to.Reopened(msg.At)
		}
		return to, []tea.Cmd{show(m, to)}
	}
	taken := c.Turn.Running() || c.HasUnsent() || c.Shown() && !m.composer.Empty()
	if !c.Closed && msg.Left && (!reads || len(read.Messages) == 0 || !taken) {
		c.Handle = msg.At
		return c, nil
	}
	to := chatview.New(m.k.Setup, msg.At, msg.State)
	to.Restyle()
	return to, []tea.Cmd{show(m, to)}
}

// deliver routes what a job brought back for a chat. What a page asked for is dropped
// behind, since the page is closed.
func deliver(m *Model, c *chatview.Chat, msg tea.Msg) tea.Cmd {
	read, reads := msg.(chatview.ConversationChanged)
	if reads = reads && c.Shown() && !read.Busy; reads { // while what was said is there
		if m.printer.Opened = true; !read.Again {
			m.printer.Leave(m.k.printed(m.stage.w, m.stage.h, false))
		}
	}
	asked := c.Asks()
	cmd, taken := c.Update(msg)
	switch {
	case reads:
		m.place()
		return tea.Batch(cmd, m.k.listChats(""))
	case taken && !c.Shown() && !asked && c.Asks():
		return tea.Batch(cmd, m.k.askedBehind(c))
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
			m.composer.Earlier().Forget(msg.Deleted)
			return deliver(m, c, *msg.read)
		default:
			msg.read = nil
			return tea.Batch(movedBehind(m, c), m.routeAnswer(msg))
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

// show puts a chat on the screen. What the user wrote stays with the one that was
// there.
func show(m *Model, c *chatview.Chat) tea.Cmd {
	was := m.k.Chat
	if c == was || c.Closed {
		return nil
	}
	m.setPage(nil)
	m.toast.Text = "" // it may be about this chat
	m.mouse.clear()
	was.Unlock()
	was.Find.Close()
	was.Draft, c.Current = m.composer.Draft(), c
	m.k.others = append(slices.DeleteFunc(m.k.others, func(o *chatview.Chat) bool { return o == c }), was)
	m.k.Chat, m.mouse.chat = c, transcript.NewSelection(c.Transcript)
	m.mouse.held, m.k.Keys.Held = false, false
	m.composer.SetHistory(c.Prompts())
	m.composer.SetDraft(c.Draft)
	m.composer.Focus()
	late := c.Late
	c.Draft, c.Late, c.Unread, c.Failed = composer.Draft{}, nil, false, false
	m.rails.Changed()
	m.place()
	m.k.RefreshShelf()
	var cmds []tea.Cmd
	closed := c.Released()
	if closed {
		cmds = append(cmds, m.k.Do(reopen))
	}
	cmds = append(cmds, m.k.Do(chatview.LookAround(m.k.Now())), m.k.AwaitLock())
	if !c.Turn.Running() {
		cmds = append(cmds, m.k.Forecast())
		if c.Transcript.Len() > 0 && !closed {
			cmds = append(cmds, c.CheckFile())
		}
		if len(c.Queue) > 0 {
			cmds = append(cmds, m.toast.say(c.StillQueued()))
		}
	}
	for _, msg := range late {
		cmds = append(cmds, deliver(m, c, msg))
	}
	return tea.Batch(append(cmds, closeIdle(m))...)
}

// closeIdle closes the chats in the background that there is no reason to keep.
func closeIdle(m *Model) tea.Cmd {
	var cmds []tea.Cmd
	unread := 0
	for i := len(m.k.others) - 1; i >= 0; i-- {
		c := m.k.others[i]
		stays := c.Stays() || c.Naming.Cancel != nil
		if c.Unread && !c.Turn.Running() && !c.HasUnsent() && !c.OnlyHere() {
			unread++
			stays = unread <= mostUnread
		}
		if stays {
			continue
		}
		cmds = append(cmds, m.drafts.Leave(c, false))
		c.Closed = true
		c.Naming.Stop()
		m.k.others = slices.Delete(m.k.others, i, i+1)
		cmds = append(cmds, c.Do(chatview.Close(nil)))
	}
	return tea.Batch(cmds...)
}

// endBehind marks a chat whose turn has ended in the background.
func endBehind(m *Model, c *chatview.Chat, what string) tea.Cmd {
	c.Unread = true
	if len(c.Queue) > 0 {
		what += "; " + theme.Plural(len(c.Queue), "message") + " still queued there"
	}
	return tea.Batch(m.toast.say(m.k.Theme.Glyphs.Dotted(c.Title()+": "+what, "ctrl+x c goes there")),
		m.toPage(page.RefreshMsg{}), closeIdle(m))
}

// turnEnded follows the end of a turn, which is told if the user is likely to be elsewhere.
func turnEnded(m *Model, e chatview.TurnEnded) tea.Cmd {
	var cmds []tea.Cmd
	if !e.Began.IsZero() {
		cmds = append(cmds, notify(m, e.Began, theme.OneLine(e.Desk.Chat.Title)+": "+e.What), m.k.listChats(""))
	}
	if !e.Shown() {
		cmds = append(cmds, endBehind(m, e.Chat, e.What))
	}
	return tea.Batch(cmds...)
}

// askedBehind says that a chat in the background waits for the user.
func (k *screenState) askedBehind(c *chatview.Chat) tea.Cmd {
	return tea.Batch(k.say(k.Theme.Glyphs.Dotted(c.Title()+" asks you", "ctrl+x c goes there")), k.refresh())
}

// otherChatKey acts on the keys that lead to other chats while a turn asks something: the
// question waits in its own.
func otherChatKey(m *Model, msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	_, asks := m.page.(review.AskingPage)
	switch {
	case !asks:
	case m.k.Keys.Matches(msg, "chats"):
		return m.carryOut(page.Open{ID: page.Chats}), true
	case m.k.Keys.Matches(msg, "new"):
		return m.carryOut(page.Act("new")), true
	case key.Matches(msg, m.k.Keys.Lead):
		m.k.Keys.Held = true
		return nil, true
	}
	return nil, false
}

// newChat begins a chat, or goes back to one in which nothing was said yet.
func (k *screenState) newChat() tea.Cmd {
	for _, c := range k.others {
		if c.Blank() {
			return k.request(page.Post{Msg: showChat{c}})
		}
	}
	begin := runLine("/new", "")
	begin.Leaves = true
	return k.Work(begin)
}

// leave ends the program. Where replies are being written, or something unsent would
// be lost, it asks first, once.
func leave(m *Model) tea.Cmd {
	q := m.k.leaveQuestion(setup.OpenVault{})
	if isLeavePage(m.page) || q == nil {
		return tea.Quit
	}
	return m.setPage(q)
}

// isLeavePage reports whether a page is the question that leave asks.
func isLeavePage(p page.Page) bool {
	q, ok := p.(*page.Question)
	return ok && q.IsLeaving
}

// takeChats takes the list of chats over.
func takeChats(m *Model, msg chatsMsg) tea.Cmd {
	if msg.err != nil {
		return m.toast.complain(msg.err.Error())
	}
	m.k.SetChats(msg.all)
	m.rails.Refilter(m.k.railSource())
	m.rails.Follow(m.k.Chats.Kept, m.k.Desk.Chat.Path, true)
	if msg.at != "" {
		return m.toPage(browse.GoTo{Chat: msg.at})
	}
	return m.toPage(page.RefreshMsg{})
}

// movedBehind empties a chat in the background that was moved away: what the user wrote
// in its prompt stays, in a chat that has not begun.
func movedBehind(m *Model, c *chatview.Chat) tea.Cmd {
	c.Transcript.Reset(nil)
	c.Turn.Reset(nil)
	c.Estimate.Reset()
	c.Unread, c.Failed = false, false
	m.rails.Changed()
	return closeIdle(m)
}
