package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/review"
	"ibid/ui/transcript"
	"ibid/vault/state"
)

// chatMsg says that another conversation is the current one, or that this one
// reads differently now.
type chatMsg struct {
	messages []transcript.Message
	notices  []chains.Notice
	say      string // for the status line
	prompt   string // to be edited
	start    bool   // of the program
	at       int    // the message to show, 1-based; 0 for the end
	words    string // that stand in it
	stay     bool   // leave the cursor where it is
	again    bool   // it is the chat that is shown, read again: the user stays where they read
	busy     bool   // a turn runs in it: what the screen has of it is newer
}

// loadChat reads the current conversation.
type loadChat struct {
	notices bool     // also what there was to say when it was opened
	start   bool     // of the program
	after   []string // to say below it
}

func (j loadChat) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	msg := readChat(d, chatMsg{start: j.start}, j.notices)
	for _, text := range j.after {
		msg.notices = append(msg.notices, chains.Notice{Text: text})
	}
	return msg, nil
}

// readChat puts the messages of the current conversation into msg, aside, and with
// notices what there was to say when it was opened.
func readChat(d *desk.Desk, msg chatMsg, notices bool) chatMsg {
	chat, err := d.Session().Chat()
	if msg.busy = errors.Is(err, chains.ErrBusy); err != nil {
		return msg
	}
	if notices {
		msg.notices = d.Notices()
	}
	opts := d.Session().Options()
	d.Aside(func() { msg.messages = chatview.MessagesOf(&chat, &opts) })
	return msg
}

// idOf is the message on the screen in which words stand of the n-th displayed one,
// which calls may divide.
func (m *chatMsg) idOf(n int, words string) string {
	for _, one := range m.messages {
		part := strings.HasPrefix(one.ID, chatview.MessageID(n)+".")
		if part && strings.Contains(strings.ToLower(one.Text), strings.ToLower(words)) {
			return one.ID
		}
	}
	return chatview.MessageID(n)
}

// carryOut shows the current conversation.
func (msg chatMsg) carryOut(m *Model) tea.Cmd {
	if msg.busy {
		return nil
	}
	m.k.Naming.Stop()
	m.k.Turn.AddThoughts(msg.messages)
	if msg.again {
		transcript.Reload(m.k.Transcript, msg.messages)
		m.stage.inline.opened = true
	} else {
		m.stage.inline.open(m)
		m.k.Transcript.Reset(msg.messages)
	}
	var ids, texts []string // of the user's messages
	for _, msg := range msg.messages {
		if msg.Role == transcript.You {
			ids, texts = append(ids, msg.ID), append(texts, msg.Text)
		}
	}
	m.composer.SetHistory(texts) // for the arrow keys
	m.k.Turn.Reset(ids)
	m.k.Turn.ShowPrompt() // it was sent while this chat was being opened
	m.k.Estimate.Reset()
	m.k.Find.Close()
	if msg.start && m.k.Transcript.Len() > 0 {
		for _, text := range m.k.opt.Notices {
			m.k.Turn.Notice(text)
		}
	}
	for _, n := range msg.notices {
		m.k.Turn.Notice(n.Text)
	}
	if msg.prompt != "" {
		m.composer.Take() // what stood there is the newest of the earlier prompts
		m.composer.SetValue(msg.prompt)
	}
	if !msg.stay && !msg.again {
		m.composer.Focus()
	}
	if msg.at > 0 {
		m.k.Find.ShowAt(msg.idOf(msg.at, msg.words), msg.words)
	}
	m.place()
	cmds := []tea.Cmd{m.forecast(), m.listChats(""), m.awaitLock(), illustrate(m, m.k.Chat)}
	if msg.say != "" {
		cmds = append(cmds, m.say(msg.say))
	}
	return tea.Batch(cmds...)
}

// awaitLock waits in the background until the chat that is shown can be written, if
// another process has it open, and for no other chat any more.
func (m *Model) awaitLock() tea.Cmd {
	m.k.Unlock()
	chat, store := m.k.Desk.Chat, m.k.opt.Store
	if !chat.ReadOnly || chat.Newer || store == nil {
		return nil
	}
	scope := m.tasks.Scope()
	m.k.Unlock = scope.Cancel
	return scope.Start(func(ctx context.Context) tea.Msg {
		if store.Await(ctx, chat.Epoch) != nil {
			return nil
		}
		return atDesk(takeOver{chat.Epoch})
	})
}

// takeOver opens the current chat again, to write it.
type takeOver struct{ epoch int64 }

func (j takeOver) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	if d.Session().Snapshot().Epoch != j.epoch {
		return nil, nil
	}
	taken, err := d.TakeOver(ctx)
	said := ""
	if taken {
		said = desk.TakenOver
	}
	if err != nil {
		return nil, err
	}
	return readChat(d, chatMsg{say: said, again: true}, false), nil
}

// checkFile looks whether the chat's file was changed outside, and takes the
// change in. While a turn runs nothing is done: saving merges.
type checkFile struct{ store *history.Store }

func (j checkFile) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	chat, err := d.Session().Chat()
	if err != nil || chat.Path == "" {
		return nil, nil //nolint:nilerr // busy: the turn saves, and saving merges
	}
	changed, err := j.store.Changed(&chat)
	if err != nil || !changed {
		return nil, err
	}
	path, said := chat.Path, "reloaded from disk"
	if now, ok := j.store.Moved(&chat); ok {
		path, said = now, "the chat is now "+string(now)
	}
	if err := d.Open(ctx, string(path)); err != nil {
		return nil, fmt.Errorf("the chat's file changed outside and cannot be read: %w", err)
	}
	return readChat(d, chatMsg{say: said, again: true}, true), nil
}

// command runs a slash command at the desk.
type command struct {
	line  string
	spans []chains.Span // of it, that were pasted or picked
	chat  string        // the path of the saved chat that it is for, "" for the current one
}

// savedCommand is a command for a saved chat that is not open.
type savedCommand struct{ command }

func (savedCommand) leaves() {}

func (j command) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	before := d.Session()
	r, err := d.CommandFor(ctx, j.chat, j.line, j.spans...)
	if err != nil && r.Choices != "" { // of /open
		_, words, _ := strings.Cut(j.line, " ")
		return page.Open{ID: page.Chats, Arg: strings.TrimSpace(words)}, nil
	}
	if err != nil {
		return nil, err
	}
	switch {
	case r.Undone != nil:
		return answerMsg{review.TakenBack(r.Undone)}, nil
	case r.Changed != nil && r.Changed.Gone:
		return nil, r.Changed
	case r.Changed != nil:
		return takenMsg{r.Changed, d.ProposeUndo(r.Changed)}, nil
	case r.Message != nil:
		return *r.Message, nil
	case r.Edit != "" && r.IsNote:
		return page.EditFile{Path: string(r.Edit), Via: string(state.Navigation)}, nil
	case r.Edit != "":
		return editPrompt{r.Edit}, nil
	case r.Quit:
		return tea.QuitMsg{}, nil
	case r.Gone:
		msg := readChat(d, chatMsg{say: r.Text}, true)
		said := "the chat that was open here is " + r.Text
		if r.Saved == desk.LastDeleted(d) {
			said += ", later `ibid chats restore`"
		}
		msg.notices = append(msg.notices, chains.Notice{Text: said})
		return keptMsg{r, &msg}, nil
	case r.Opened:
		return readChat(d, chatMsg{say: r.Text, prompt: r.Prompt}, d.Session() != before), nil
	}
	if r.Saved != "" {
		return keptMsg{r, nil}, nil
	}
	if r.Naming != nil {
		return namingMsg{before, r.Naming, r.Text}, nil
	}
	if r.Pull != nil {
		return pullMsg{r.Pull}, nil
	}
	if r.Table {
		return tableMsg{r.Text}, nil
	}
	return answerMsg{r.Text}, nil
}

// keptMsg says what became of a saved chat.
type keptMsg struct {
	desk.Result
	chat *chatMsg // in the place of the one that was open, nil if none was
}

func (msg keptMsg) carryOut(m *Model) tea.Cmd {
	m.composer.Earlier().Forget(msg.Deleted)
	if msg.chat != nil {
		return msg.chat.carryOut(m)
	}
	return tea.Batch(m.listChats(msg.Saved), m.say(msg.Text))
}

// tableMsg is the answer of a command that is a list or a table in markdown.
type tableMsg struct{ text string }

// carryOut draws it at the end of the transcript.
func (msg tableMsg) carryOut(m *Model) tea.Cmd {
	m.k.Transcript.Append(transcript.Message{Role: transcript.Notice, Text: msg.text, Markdown: true})
	m.k.Transcript.Bottom()
	return m.forecast()
}

// answerMsg is the answer of a command, in words.
type answerMsg struct{ text string }

// carryOut shows what a command answered: a line in the status, more in the
// transcript.
func (msg answerMsg) carryOut(m *Model) tea.Cmd {
	m.k.Estimate.Prices = nil // whatever was done, it may have changed them
	if strings.Contains(msg.text, "\n") {
		m.k.Turn.Notice(msg.text)
		m.k.Transcript.Bottom()
		return m.forecast()
	}
	return tea.Batch(m.say(msg.text), m.forecast())
}
