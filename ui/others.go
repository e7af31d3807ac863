package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/review"
	"ibid/ui/setup"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// How many replies may be written at once, and how many chats are kept behind the
// one on the screen only because their reply is new.
const (
	mostRunning = 8
	mostUnread  = 16
)

// showChat puts an open chat on the screen.
type showChat struct{ chat *conversation }

func (i showChat) carryOut(m *Model) tea.Cmd { return show(m, i.chat) }

// all is the chat on the screen and those behind it.
func (k *known) all() []*conversation {
	return append([]*conversation{k.conversation}, k.others...)
}

// at is the open chat at a path, nil if none is.
func (k *known) at(path string) *conversation {
	for _, c := range k.all() {
		if path != "" && c.desk.chat.Path == path {
			return c
		}
	}
	return nil
}

// running are the chats in which a reply is being written.
func (k *known) running() []*conversation {
	return slices.DeleteFunc(k.all(), func(c *conversation) bool { return !c.turn.running() })
}

// behindSay begins a line about a chat that is not on the screen.
func behindSay(k *known, c *conversation) string {
	if c == k.conversation {
		return ""
	}
	return c.title() + ": "
}

// mostRun says that no more replies can be written at once, if that is so.
func mostRun(k *known) (page.Request, bool) {
	n := len(k.running())
	return page.Complain(fmt.Sprintf("%d replies are being written: one of them must end first; your message was not sent", n)), n >= mostRunning
}

// opened is the conversation that a job leaves at the desk. One that the job opened
// goes onto the screen; where nothing was said or written before, it takes that place.
func opened(m *Model, msg *jobMsg) (*conversation, []tea.Cmd) {
	c := msg.of
	if msg.back != nil {
		c.reopened(msg.back)
	}
	if _, left := msg.reply.(closedMsg); left {
		return c, leftBy(m, c)
	}
	read, reads := msg.reply.(chatMsg)
	if msg.chat == c.chat || c.closed && !reads {
		return c, nil
	}
	here := func(o *conversation) bool {
		return o.chat == msg.chat || o.released() && o.desk.chat.Epoch == msg.state.chat.Epoch
	}
	if all := m.k.all(); slices.ContainsFunc(all, here) {
		to := all[slices.IndexFunc(all, here)]
		if to.chat != msg.chat {
			to.reopened(msg.chat)
		}
		return to, []tea.Cmd{show(m, to)}
	}
	taken := c.turn.running() || c.unsent() || c == m.k.conversation && !m.composer.Empty()
	if !c.closed && (msg.anew || msg.left) && (!reads || len(read.messages) == 0 || !taken) {
		c.chat = msg.chat
		return c, nil
	}
	to := newConversation(&m.k.opt, msg.chat, msg.state)
	to.setTheme(m.k.Theme)
	return to, []tea.Cmd{show(m, to)}
}

// routeTo routes what a job brought back for a chat. What must be read or answered
// there waits until the chat is on the screen; what a page asked for is dropped, since
// the page is closed.
func routeTo(m *Model, c *conversation, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case runMsg:
		return m.runTurn(c, msg)
	case page.Post:
		return m.carryOut(msg)
	case variantMsg:
		setVariant(c.transcript, msg)
		return nil
	case namingMsg:
		if c.turn.running() {
			return nil
		}
		return askTitle(c, m.tasks, msg)
	case archivedMsg:
		if c == m.k.conversation {
			return m.route(msg.chatMsg)
		}
		return tea.Batch(movedBehind(m, c, msg.gone), m.route(listAgain{msg.say}))
	case trashMsg:
		if msg.open && c != m.k.conversation {
			msg.open = false // on the screen
			return tea.Batch(movedBehind(m, c, true), m.route(msg))
		}
		return m.route(msg)
	}
	if c == m.k.conversation {
		return m.route(msg)
	}
	switch msg := msg.(type) {
	case chatMsg, fitMsg, overwrite, desk.Message:
		c.late = append(c.late, msg)
		return askedBehind(m, c)
	case answerMsg:
		if c.closed || !strings.Contains(msg.text, "\n") {
			return m.say(behindSay(&m.k, c) + msg.text)
		}
		c.late = append(c.late, msg)
	case tableMsg:
		c.late = append(c.late, msg)
	case chatsMsg, listAgain, page.Open, pullMsg, tea.QuitMsg:
		return m.route(msg)
	}
	return nil
}

// show puts a chat on the screen. What the user wrote stays with the one that was
// there.
func show(m *Model, c *conversation) tea.Cmd {
	was := m.k.conversation
	if c == was || c.closed {
		return nil
	}
	m.setPage(nil)
	m.toast.Text = "" // it may be about this chat
	m.mouse.clear()
	was.unlock()
	was.find.close()
	was.draft = m.composer.Draft()
	m.k.others = append(slices.DeleteFunc(m.k.others, func(o *conversation) bool { return o == c }), was)
	m.k.conversation, m.mouse.chat = c, transcript.NewSelection(c.transcript)
	m.mouse.held, m.k.Keys.Held = false, false
	m.composer.SetHistory(c.prompts())
	m.composer.SetDraft(c.draft)
	m.composer.Focus()
	late := c.late
	c.draft, c.late, c.unread, c.failed = composer.Draft{}, nil, false, false
	m.drawing.rails.version++
	m.place()
	m.refreshShelf()
	var cmds []tea.Cmd
	closed := c.released()
	if closed {
		cmds = append(cmds, m.work(reopen{}))
	}
	cmds = append(cmds, m.work(lookAround{m.k.Now()}), m.awaitLock())
	if !c.turn.running() {
		cmds = append(cmds, m.forecast())
		if store := m.k.opt.Store; store != nil && c.transcript.Len() > 0 && !closed {
			cmds = append(cmds, m.work(checkFile{store}))
		}
		if len(c.queue) > 0 {
			cmds = append(cmds, m.say(stillQueued(c)))
		}
	}
	for _, msg := range late {
		cmds = append(cmds, m.route(msg))
	}
	return tea.Batch(append(cmds, closeIdle(m))...)
}

// closeIdle closes the chats in the background that there is no reason to keep.
func closeIdle(m *Model) tea.Cmd {
	var cmds []tea.Cmd
	unread := 0
	for i := len(m.k.others) - 1; i >= 0; i-- {
		c := m.k.others[i]
		stays := c.stays() || c.naming.cancel != nil
		if c.unread && !c.turn.running() && !c.unsent() && !c.onlyHere() {
			unread++
			stays = unread <= mostUnread
		}
		if stays {
			continue
		}
		cmds = append(cmds, m.keeper.leave(m, c, false))
		c.closed = true
		c.naming.stop()
		m.k.others = slices.Delete(m.k.others, i, i+1)
		cmds = append(cmds, m.workIn(c, closeChat{m.jobs.deskLog, c.seen, nil}))
	}
	return tea.Batch(cmds...)
}

// endBehind marks a chat whose turn has ended in the background.
func endBehind(m *Model, c *conversation, what string) tea.Cmd {
	c.unread = true
	m.drawing.rails.version++
	if len(c.queue) > 0 {
		what += "; " + theme.Plural(len(c.queue), "message") + " still queued there"
	}
	return tea.Batch(m.say(m.k.Theme.Glyphs.Dotted(c.title()+": "+what, "ctrl+x c goes there")), m.toPage(page.RefreshMsg{}), closeIdle(m))
}

// askedBehind says that a chat in the background waits for the user,
// unless what it asks was approved before.
func askedBehind(m *Model, c *conversation) tea.Cmd {
	if c == m.k.conversation {
		return nil
	}
	c.turn.approve(&m.k.opt)
	m.drawing.rails.version++
	if !c.asks() {
		return nil
	}
	return tea.Batch(m.say(m.k.Theme.Glyphs.Dotted(c.title()+" asks you", "ctrl+x c goes there")), m.toPage(page.RefreshMsg{}))
}

// elsewhere acts on the keys that lead to other chats while a turn asks something: the
// question waits in its own.
func elsewhere(m *Model, msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	_, asks := m.page.(review.Asking)
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
func newChat(m *Model) tea.Cmd {
	for _, c := range m.k.others {
		if c.blank() {
			return show(m, c)
		}
	}
	return m.work(beginChat{command{line: "/new"}})
}

// beginChat begins a chat.
type beginChat struct{ command }

func (beginChat) leaves() {}

// nextChat goes to the chat in the background that matters most: that asks,
// is new, is busy, or holds something unsent; of equals to the one left longest ago.
func nextChat(k *known) page.Request {
	for _, matters := range []func(*conversation) bool{
		(*conversation).asks,
		func(c *conversation) bool { return c.unread },
		(*conversation).stays,
	} {
		if i := slices.IndexFunc(k.others, matters); i >= 0 {
			return page.Post{Msg: showChat{k.others[i]}}
		}
	}
	return page.Toast{Text: "no other chat is busy, new or holds something unsent"}
}

// othersSay is what the header says of the chats in the background, and
// whether one of them waits for the user.
func (k *known) othersSay() (text string, asks bool) {
	counts := map[string]int{}
	for _, c := range k.others {
		_, words := c.state(&k.Theme.Glyphs)
		counts[words]++
		asks = asks || c.asks()
	}
	var parts []string
	for _, words := range [][2]string{{"asks you", "ask you"}, {"writing"}, {"failed"}, {"new reply", "new replies"}, {"not sent"}, {"not kept"}} {
		switch n := counts[words[0]]; {
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, cmp.Or(words[1], words[0])))
		case n == 1:
			parts = append(parts, "1 "+words[0])
		}
	}
	return strings.Join(parts, ", "), asks
}

// leave ends the program. Where replies are being written, or something unsent would
// be lost, it asks first, once.
func leave(m *Model) tea.Cmd {
	q := leaveQuestion(&m.k)
	if leaving(m.page) || q == nil {
		return tea.Quit
	}
	return m.setPage(q)
}

// losing are the chats whose unsent text would be gone with the program: where chats are
// kept, that is kept too.
func (k *known) losing() []*conversation {
	if k.opt.Store != nil {
		return nil
	}
	return k.all()
}

// leaveSays is what leaving the program would cut off or lose, in words, "" for nothing.
func leaveSays(k *known) string {
	var parts []string
	if n := len(k.running()); n == 1 {
		parts = append(parts, "1 reply is being written")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d replies are being written", n))
	}
	unsent := 0
	for _, c := range k.losing() {
		unsent += len(c.queue)
		if !term.IsBlank(c.draft.Text) {
			unsent++
		}
	}
	if unsent > 0 {
		parts = append(parts, theme.Plural(unsent, "message")+" not sent")
	}
	return strings.Join(parts, ", ")
}

// leaving reports whether a page is the question that leave asks.
func leaving(p page.Page) bool {
	q, ok := p.(*page.Question)
	return ok && q.IsLeaving
}

// leaveQuestion asks whether to leave, nil if nothing would be cut off or lost.
func leaveQuestion(k *known) *page.Question {
	q := &page.Question{Env: k.Env, IsLeaving: true, Title: "Leave? What came so far is saved.", Answers: []page.Answer{
		page.Reply("y", "leave", page.Post{Msg: leaveFor{}}), page.Reply("n", "stay", nil), page.Reply("esc", "stay", nil),
	}}
	for _, c := range k.all() {
		if c.turn.running() {
			_, words := c.state(&k.Theme.Glyphs)
			q.Rows = append(q.Rows, [2]string{c.title(), words})
		}
	}
	for _, c := range k.losing() {
		if n := len(c.queue); n > 0 {
			q.Rows = append(q.Rows, [2]string{c.title(), theme.Plural(n, "message") + " not sent"})
		}
		if !term.IsBlank(c.draft.Text) {
			q.Rows = append(q.Rows, [2]string{c.title() + ": " + term.Clip(theme.OneLine(c.draft.Text), 40, "…"), "not sent"})
		}
	}
	if len(q.Rows) == 0 {
		return nil
	}
	return q
}

// setLeft puts chats in the background that have not begun, and in which
// another process left something unsent.
func setLeft(m *Model, left []leftDraft) {
	now := &m.k.desk
	for _, l := range left {
		c := newConversation(&m.k.opt, nil, deskState{chat: chains.Snapshot{Model: now.chat.Model}, active: cmp.Or(l.what.Active, now.active)})
		c.setTheme(m.k.Theme)
		c.draft, c.queue, c.cleared = l.what.Draft, l.what.Queue, l.what.Cleared
		c.estimate.hold(&l.what)
		c.kept = keptAs{ready: true, slot: l.slot, epoch: l.slot, queue: len(c.queue), clear: c.cleared}
		if len(l.what.Attached) > 0 {
			c.late = append(c.late, atDesk(attachRefs{refs: l.what.Attached}))
		}
		m.k.others = append(m.k.others, c)
	}
}

// leaveForVault ends the screen to open another vault. What would be cut off is asked about, as
// on leaving.
func leaveForVault(m *Model, o setup.OpenVault) tea.Cmd {
	if q := leaveQuestion(&m.k); q != nil {
		q.Title, q.Answers[0] = "Open another vault? What came so far is saved.", page.Reply("y", "open it", page.Post{Msg: leaveFor{o}})
		return m.setPage(q)
	}
	return leaveFor{o}.carryOut(m)
}

// leaveFor ends the screen without a question, to open another vault if one is named.
type leaveFor struct{ vault setup.OpenVault }

func (i leaveFor) carryOut(m *Model) tea.Cmd {
	if i.vault.Dir != "" {
		m.k.opt.Service.Vaults.Open(i.vault.Dir)
	}
	return tea.Quit
}
