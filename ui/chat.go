package ui

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/ui/transcript"
)

// openedMsg says that another conversation is on the desk, or that the one there
// reads differently now.
type openedMsg struct {
	messages []transcript.Message
	prompts  []string // of the person, for the arrow keys
	notices  []chains.Notice
	say      string // for the status line
	prompt   string // to be edited
	start    bool   // of the program
}

// load reads the conversation that is on the desk.
func load(say, prompt string, notices bool) errand {
	return func(_ context.Context, d *desk.Desk) (tea.Msg, error) {
		return loaded(d, say, prompt, notices)
	}
}

// begun reads the conversation that the program begins with.
func begun(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	msg, err := loaded(d, "", "", true)
	msg.start = true
	return msg, err
}

func loaded(d *desk.Desk, say, prompt string, notices bool) (openedMsg, error) {
	chat, err := d.Session().Chat()
	if err != nil {
		return openedMsg{}, err
	}
	msg := openedMsg{say: say, prompt: prompt}
	if notices {
		msg.notices = d.Notices()
	}
	for n, m := range chat.Display() {
		msg.messages = append(msg.messages, saved(n, m))
		if m.Role == history.User {
			msg.prompts = append(msg.prompts, m.Text)
		}
	}
	return msg, nil
}

// messageID is the id of the n-th displayed message of a saved chat.
func messageID(n int) string { return fmt.Sprintf("m%d", n) }

// saved is the n-th displayed message of a chat as the transcript shows it.
func saved(n int, m history.Message) transcript.Message {
	out := transcript.Message{ID: messageID(n), Text: m.Text, At: m.Time, Role: transcript.You}
	if m.Role == history.User {
		for _, r := range m.Refs() {
			state := transcript.ChipLibrary
			if r.ID == m.Context.Active {
				state = transcript.ChipActive
			}
			out.Chips = append(out.Chips, transcript.Chip{State: state, Label: refLabel(r)})
		}
		return out
	}
	out.Role, out.Detail = transcript.Assistant, m.Meta.Model
	if rest, ok := strings.CutPrefix(m.Text, "<think>"); ok {
		// Some programs save the thinking in front of the reply.
		if thought, reply, ok := strings.Cut(rest, "</think>"); ok {
			out.Reasoning, out.Text = strings.TrimSpace(thought), strings.TrimLeft(reply, "\n")
		}
	}
	switch {
	case m.Status == history.StatusCancelled:
		out.Status = transcript.Cancelled
	case m.Status == history.StatusCut, m.Status.ErrorKind() != "":
		out.Status = transcript.Failed
	}
	return out
}

// refLabel is what a reference is called on a chip.
func refLabel(r prompt.Ref) string {
	name, sub, cut := strings.Cut(r.ID, "#")
	switch r.Kind {
	case prompt.Note:
		return noteName(r.ID)
	case prompt.Selection:
		if cut {
			return noteName(name) + "#" + sub
		}
	case prompt.Folder, prompt.Tag, prompt.URL, prompt.Query, prompt.Workspace:
	}
	return r.ID
}

// noteName is the file name of a note without its ending.
func noteName(p string) string { return strings.TrimSuffix(path.Base(p), ".md") }

// opened shows the conversation that is on the desk now.
func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.transcript.Reset(msg.messages)
	m.composer.SetHistory(msg.prompts)
	m.turn.forget()
	for _, msg := range msg.messages {
		if msg.Role == transcript.You {
			m.turn.prompts = append(m.turn.prompts, msg.ID)
		}
	}
	m.estimate.forget()
	m.find.close(m.transcript)
	if msg.start && !m.empty() {
		for _, text := range m.opt.Notices {
			m.notice(text)
		}
	}
	for _, n := range msg.notices {
		m.notice(n.Text)
	}
	if msg.prompt != "" {
		m.composer.SetValue(msg.prompt)
		m.attach.picked = nil
	}
	m.focusComposer()
	cmds := []tea.Cmd{m.reckon(), m.listChats()}
	if msg.say != "" {
		cmds = append(cmds, m.say(msg.say))
	}
	return tea.Batch(cmds...)
}

// notice puts a line of the program into the transcript.
func (m *Model) notice(text string) {
	m.transcript.Append(transcript.Message{Role: transcript.Notice, Text: text})
}

// checkFile looks whether somebody else has changed the chat's file, and takes
// the change in. While a turn runs nothing is done: saving merges.
func checkFile(store *history.Store) errand {
	return func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		chat, err := d.Session().Chat()
		if err != nil || chat.Path == "" {
			return nil, nil //nolint:nilerr // busy: the turn saves, and saving merges
		}
		changed, err := store.Changed(&chat)
		if err != nil || !changed {
			return nil, err
		}
		if err := d.Open(ctx, string(chat.Path)); err != nil {
			return nil, fmt.Errorf("the chat's file changed outside and cannot be read: %w", err)
		}
		return loaded(d, "reloaded from disk", "", true)
	}
}

// command runs a slash command at the desk.
func command(line string) errand {
	return func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		before := d.Session()
		r, err := d.Command(ctx, line)
		if err != nil {
			return nil, err
		}
		switch {
		case r.Quit:
			return quitMsg{}, nil
		case r.Opened:
			return loaded(d, r.Text, r.Prompt, d.Session() != before)
		}
		return toldMsg{r.Text}, nil
	}
}

// toldMsg is the answer of a command, in words.
type toldMsg struct{ text string }

// told shows what a command answered: a line in the status, more in the transcript.
func (m *Model) told(msg toldMsg) tea.Cmd {
	if strings.Contains(msg.text, "\n") {
		m.notice(msg.text)
		m.transcript.Bottom()
		return m.reckon()
	}
	return tea.Batch(m.say(msg.text), m.reckon())
}

// quitMsg asks to end the program.
type quitMsg struct{}

// runLine runs a line that is a command: by the screen if it has something
// better to show, else at the desk.
func (m *Model) runLine(line string) tea.Cmd {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	arg = strings.TrimSpace(arg)
	if c, err := desk.Find(name); err == nil {
		name = c.Name
	}
	if arg == "" {
		for i := range m.keys.all {
			if b := &m.keys.all[i]; b.slash == name {
				return b.run(m)
			}
		}
	}
	switch name {
	case "chats":
		return m.openChats(arg)
	case "retry":
		return m.retry()
	case "open", "branch", "new":
		if m.turn.running() {
			return m.complain("a reply is still being written: esc stops it")
		}
	}
	return m.errand(command(line))
}

// editMessage takes the chat back to before the k-th message of the person,
// counted from 0, and puts its text into the prompt. The last one is undone; an
// earlier one goes on in a chat of its own, so that nothing is lost.
func editMessage(k int, text string, last bool) errand {
	return func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		if last {
			r, err := d.Command(ctx, "/undo")
			for err == nil && !r.Opened { // a change that was made since the turn
				r, err = d.Command(ctx, "/undo")
			}
			if err != nil {
				return nil, err
			}
			return loaded(d, "edit and send again; /redo brings it back", r.Prompt, false)
		}
		chat, err := d.Session().Chat()
		if err != nil {
			return nil, err
		}
		before := 0
		for n, msg := range chat.Display() {
			if msg.Role != history.User {
				continue
			}
			if k == 0 {
				before = n - 1
				break
			}
			k--
		}
		if before < 1 {
			if _, err := d.Command(ctx, "/new"); err != nil {
				return nil, err
			}
			return loaded(d, "a new chat from here; the old one is kept", text, false)
		}
		if err := d.Branch(ctx, before); err != nil {
			return nil, err
		}
		return loaded(d, "a branch from here; the old chat is kept", text, true)
	}
}

// wikilinks lists the targets of the links in a text, each once.
func wikilinks(text string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(text, "[[")
		if !ok {
			return out
		}
		inner, after, ok := strings.Cut(rest, "]]")
		if !ok {
			return out
		}
		target, _, _ := strings.Cut(inner, "|")
		if target = strings.TrimSpace(target); target != "" && !strings.ContainsAny(inner, "[\n") && !slices.Contains(out, target) {
			out = append(out, target)
		}
		text = after
	}
}
