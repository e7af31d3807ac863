package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/page"
	"ibid/ui/review"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/md"
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
	d.Aside(func() { msg.messages = messagesOf(&chat, &opts) })
	return msg
}

// messagesOf are the messages of a chat as the transcript shows them.
func messagesOf(chat *history.Chat, opts *chains.Options) (all []transcript.Message) {
	variants, drawn := variantsOf(chat), chains.DrawnPage(chat)
	var models []string // by turn, "" where it is not known which one answered
	for _, at := range chat.Questions() {
		ends, shown := chat.Ends(at)
		models = append(models, ends[shown].Model)
	}
	turn := 0
	for n, m := range drawn.Display() {
		one := savedMessage(n, m)
		if one.Role == transcript.You {
			turn++
		} else if one.Dead, one.Sources = opts.Dead(md.Wikilinks(one.Text)), targetsOf(one.Text); turn > 0 {
			one.Detail = models[turn-1]
		}
		one.Variant = variants[n]
		all = append(all, withCalls(one, savedTools(n, &m), &m)...)
	}
	return all
}

// messageID is the id of the n-th displayed message of a saved chat.
func messageID(n int) string { return fmt.Sprintf("m%d", n) }

// idOf is the message on the screen in which words stand of the n-th displayed one,
// which calls may divide.
func (m *chatMsg) idOf(n int, words string) string {
	for _, one := range m.messages {
		part := strings.HasPrefix(one.ID, messageID(n)+".")
		if part && strings.Contains(strings.ToLower(one.Text), strings.ToLower(words)) {
			return one.ID
		}
	}
	return messageID(n)
}

// savedMessage is the n-th displayed message of a chat as the transcript shows it.
func savedMessage(n int, m history.Message) transcript.Message {
	out := transcript.Message{ID: messageID(n), Text: m.Text, At: m.Time, Role: transcript.You}
	if m.Role == history.User {
		refs := m.Refs()
		for _, r := range refs {
			state := transcript.ChipLibrary
			if r.ID == m.Context.Active {
				state = transcript.ChipActive
			}
			out.Chips = append(out.Chips, transcript.Chip{State: state, Label: refLabel(r), Link: linkOf(r), Image: imageOf(r)})
		}
		for _, it := range m.Meta.Items { // results come with their notes, and are not named
			if it.Ref.Kind == prompt.Query && !slices.Contains(refs, it.Ref) {
				out.Chips = append(out.Chips, transcript.Chip{State: transcript.ChipLibrary, Label: refLabel(it.Ref), Link: linkOf(it.Ref)})
			}
		}
		return out
	}
	out.Role, out.Reasoning = transcript.Assistant, m.Thought
	if rest, ok := strings.CutPrefix(m.Text, "<think>"); ok {
		// Some programs save the thinking in front of the reply.
		if thought, reply, ok := strings.Cut(rest, "</think>"); ok {
			out.Reasoning, out.Text = strings.TrimSpace(thought), strings.TrimLeft(reply, "\n")
		}
	}
	switch {
	case m.Status == history.StatusCancelled:
		out.Status = transcript.Cancelled
	case m.Status == history.StatusLength:
		out.Status = transcript.CutOff
	case m.Status == history.StatusFilter:
		out.Status = transcript.Filtered
	case m.Status == history.StatusCut, m.Status.ErrorKind() != "":
		out.Status = transcript.Failed
	}
	return out
}

// refLabel is what a reference is called on a chip.
func refLabel(r prompt.Ref) string {
	name, sub, cut := strings.Cut(r.ID, "#")
	switch {
	case r.Kind == prompt.Note, r.Kind == prompt.Picture:
		return vault.Path(r.ID).Base()
	case r.Kind == prompt.Selection && cut:
		return vault.Path(name).Base() + "#" + sub
	case r.Kind == prompt.Query && cut:
		return "query of " + vault.Path(name).Base()
	}
	return r.ID
}

// linkOf is what a wikilink to something attached says, "" if none leads there.
func linkOf(r prompt.Ref) string {
	switch r.Kind {
	case prompt.Note, prompt.Selection, prompt.Query:
		return r.ID
	}
	return ""
}

// imageOf is the target of an image that is attached, "" for anything else.
func imageOf(r prompt.Ref) string {
	if r.Kind == prompt.Picture {
		return r.ID
	}
	return ""
}

// carryOut shows the current conversation.
func (msg chatMsg) carryOut(m *Model) tea.Cmd {
	if msg.busy {
		return nil
	}
	m.k.naming.stop()
	m.k.turn.addThoughts(msg.messages)
	if msg.again {
		transcript.Reload(m.k.transcript, msg.messages)
		m.stage.inline.opened = true
	} else {
		m.stage.inline.open(m)
		m.k.transcript.Reset(msg.messages)
	}
	var ids, texts []string // of the user's messages
	for _, msg := range msg.messages {
		if msg.Role == transcript.You {
			ids, texts = append(ids, msg.ID), append(texts, msg.Text)
		}
	}
	m.composer.SetHistory(texts) // for the arrow keys
	m.k.turn.reset(ids)
	m.k.turn.showPrompt() // it was sent while this chat was being opened
	m.k.estimate.reset()
	m.k.find.close()
	if msg.start && m.k.transcript.Len() > 0 {
		for _, text := range m.k.opt.Notices {
			m.k.turn.notice(text)
		}
	}
	for _, n := range msg.notices {
		m.k.turn.notice(n.Text)
	}
	if msg.prompt != "" {
		m.composer.Take() // what stood there is the newest of the earlier prompts
		m.composer.SetValue(msg.prompt)
	}
	if !msg.stay && !msg.again {
		m.composer.Focus()
	}
	if msg.at > 0 {
		m.k.find.showAt(msg.idOf(msg.at, msg.words), msg.words)
	}
	m.place()
	cmds := []tea.Cmd{m.forecast(), m.listChats(), m.awaitLock(), illustrate(m, m.k.conversation)}
	if msg.say != "" {
		cmds = append(cmds, m.say(msg.say))
	}
	return tea.Batch(cmds...)
}

// awaitLock waits in the background until the chat that is shown can be written, if
// another process has it open, and for no other chat any more.
func (m *Model) awaitLock() tea.Cmd {
	m.k.unlock()
	chat, store := m.k.desk.chat, m.k.opt.Store
	if !chat.ReadOnly || chat.Newer || store == nil {
		return nil
	}
	scope := m.tasks.Scope()
	m.k.unlock = scope.Cancel
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
}

func (j command) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	before := d.Session()
	r, err := d.Command(ctx, j.line, j.spans...)
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
	case r.Opened:
		return readChat(d, chatMsg{say: r.Text, prompt: r.Prompt}, d.Session() != before), nil
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

// tableMsg is the answer of a command that is a list or a table in markdown.
type tableMsg struct{ text string }

// carryOut draws it at the end of the transcript.
func (msg tableMsg) carryOut(m *Model) tea.Cmd {
	m.k.transcript.Append(transcript.Message{Role: transcript.Notice, Text: msg.text, Markdown: true})
	m.k.transcript.Bottom()
	return m.forecast()
}

// answerMsg is the answer of a command, in words.
type answerMsg struct{ text string }

// carryOut shows what a command answered: a line in the status, more in the
// transcript.
func (msg answerMsg) carryOut(m *Model) tea.Cmd {
	m.k.estimate.prices = nil // whatever was done, it may have changed them
	if strings.Contains(msg.text, "\n") {
		m.k.turn.notice(msg.text)
		m.k.transcript.Bottom()
		return m.forecast()
	}
	return tea.Batch(m.say(msg.text), m.forecast())
}
