package ui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/chatview"
	"ibid/ui/composer"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// Times within which a key must be pressed a second time: quitTime for ctrl+c, backTime for esc.
const (
	quitTime = 2 * time.Second
	backTime = time.Second
)

// presses records when keys were pressed that mean more when pressed twice.
type presses struct {
	quit, back time.Time
	agreed     bool // the last key agreed to a change of a note; tab does not count
}

// after returns the presses that still count after the key with the given name.
func (p presses) after(name string) presses {
	if p.quit, p.agreed = (time.Time{}), p.agreed && name == "tab"; name != "esc" {
		p.back = time.Time{}
	}
	return p
}

// key passes a key to the open page, the bindings of the screen or the prompt.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch name {
	case "ctrl+c":
		return m.interrupt()
	case "alt+esc": // two presses of esc that came as one
		esc := tea.KeyPressMsg{Code: tea.KeyEscape}
		return tea.Batch(m.key(esc), m.key(esc))
	}
	agreed := m.presses.agreed
	m.presses = m.presses.after(name)
	m.Marked = m.mouse.chat.Text()
	if !strings.HasPrefix(name, "pg") && m.mouse.clear() && name == "esc" && m.page == nil && !m.Turn.Running() {
		return nil
	}
	if m.Keys.Held {
		return m.leader(msg)
	}
	if agreed && m.page == nil && (m.Keys.Matches(msg, "suspend") && m.Composer.Empty() ||
		name == "u" && m.focus() == keys.InTranscript) {
		return m.carryOut(page.Run{Line: "/undo-write"})
	}
	if m.page != nil {
		if m.Keys.Matches(msg, "suspend") && !hasKey(m.page, msg) {
			return m.carryOut(page.Act("suspend"))
		}
		if cmd, taken := otherChatKey(m, msg); taken {
			return cmd
		}
		if i, taken := m.updatePage(msg); taken {
			return m.carryOut(i)
		}
	}
	switch {
	case m.Find.Typing:
		return m.attempt(findPart, func() tea.Cmd {
			if m.Find.Key(msg) {
				toTranscript(m)
			}
			m.place()
			return nil
		})
	case key.Matches(msg, m.Keys.Lead):
		m.Keys.Held = true
		return nil
	case name == "esc" && composer.VimIn(m.Composer).TakesEsc():
		return m.toPrompt(msg)
	case name == "esc":
		return m.escape()
	case !m.Composer.Focused():
		where := m.focus()
		if b := m.Keys.Find(msg, where); b != nil {
			return m.carryOut(page.Act(b.Does()))
		}
		if m.typeInRail(msg) || where != keys.InRail || msg.Text == "" {
			return nil
		}
		m.Composer.Focus() // a letter belongs to the prompt
	}
	return m.promptKey(msg, name)
}

// promptKey handles a key while the prompt has the cursor.
func (m *Model) promptKey(msg tea.KeyPressMsg, name string) tea.Cmd {
	switch {
	case name == "ctrl+d" && m.Composer.Empty() && m.Keys.Find(msg, keys.InPrompt) == nil:
		return leave(m)
	case name == "up" && m.Unqueue(len(m.Queue)-1):
		return nil
	}
	if name == "ctrl+o" {
		switch size, expanded := m.Composer.ExpandPaste(); {
		case expanded:
			return nil
		case size > 0:
			return m.Say("a paste of " + theme.Size(size) + " is too long to be shown here: " +
				m.Keys.NameOf("compose") + " opens the message in your editor")
		}
	}
	if b := m.Keys.Find(msg, keys.InPrompt); b != nil && (name != "ctrl+r" || !composer.VimIn(m.Composer).Commands()) {
		return m.carryOut(page.Act(b.Does()))
	}
	return m.toPrompt(msg)
}

// typeInRail passes a key or a paste to the filter line of the rail of chats, and reports whether that has the focus.
func (m *Model) typeInRail(msg tea.Msg) (taken bool) {
	m.attempt(railsPart, func() tea.Cmd {
		taken = m.rails.Type(m.railSource(), msg)
		return nil
	})
	return taken
}

// toPrompt passes a key or a paste to the prompt and acts on the result.
func (m *Model) toPrompt(msg tea.Msg) tea.Cmd {
	return m.attempt(promptKeyPart, func() tea.Cmd { return m.updatePrompt(msg) })
}

func (m *Model) updatePrompt(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch a := m.Composer.Update(msg); a.Kind {
	case composer.Ignored:
		if m.Composer.Earlier().Wanted() {
			return m.readEarlier()
		}
		if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "end" { // the cursor is already at the end
			m.Transcript.Bottom()
		}
		return nil
	case composer.Submit:
		cmd = m.submit()
	case composer.Edited:
		cmd = m.FollowEdit()
		if m.Composer.Earlier().Wanted() {
			cmd = tea.Batch(cmd, m.readEarlier())
		}
	case composer.RemoveChip:
		cmd = m.carryOut(m.RemoveChip(a.Chip))
	case composer.CycleChip:
		if a.Chip == chatview.ActiveID {
			cmd = m.carryOut(page.Act("active"))
		}
	case composer.Moved:
	}
	return tea.Batch(cmd, m.followTrigger())
}

// submit handles enter: it sends or queues a message, or runs a command.
func (m *Model) submit() tea.Cmd {
	text := m.Composer.Value()
	switch {
	case m.Composer.Empty() && len(m.Queue) > 0 && !m.Turn.Running():
		return m.SendQueued()
	case term.IsBlank(text):
		return nil
	case strings.TrimSpace(text) == "/":
		return m.Complain("no command is named: /help lists them")
	}
	d := m.Composer.Take()
	m.Estimate.Typed, m.Cleared = nil, nil
	if desk.IsCommand(text) && !beginsPasted(d) {
		return m.runLine(text, chatview.SpansOf(d)...)
	}
	return m.Send(d)
}

// beginsPasted reports whether the first character of a draft was pasted: then the draft is text, even
// if it begins with a slash.
func beginsPasted(d composer.Draft) bool {
	return len(d.Spans) > 0 && d.Spans[0].From == 0 && d.Spans[0].Pick == ""
}

// leader handles the key after the leader key.
func (m *Model) leader(msg tea.KeyPressMsg) tea.Cmd {
	m.Keys.Held = false
	if b := m.Keys.Second(msg); b != nil {
		m.setPage(nil)
		return m.carryOut(page.Act(b.Does()))
	}
	if msg.String() == "esc" {
		return nil
	}
	return m.Say(m.Keys.Lead.Help().Key + " " + msg.String() + " means nothing")
}

// escape closes the open part of the screen, else stops the reply, else goes back to the prompt.
// Pressed twice when there is nothing to close, it lists the messages to go back to.
func (m *Model) escape() tea.Cmd {
	_, chip := m.Composer.Chip()
	idle := m.Composer.Focused() && m.Composer.Empty() && !chip && !m.Find.Open && !m.Turn.Running()
	if now := m.Now(); idle {
		if now.Sub(m.presses.back) < backTime {
			m.presses.back = time.Time{}
			return m.carryOut(page.Open{ID: page.Rewind})
		}
		m.presses.back = now
	}
	switch {
	case m.Find.Open:
		m.Find.Close()
		m.place()
		m.Composer.Focus()
	case m.Turn.Running():
		m.Turn.Cancel() // keeps the text that came
	case m.rails.ClearFilter(m.railSource()):
	case !m.Composer.Focused():
		m.Composer.Focus()
	case m.toast.Text != "":
		m.toast.Text = ""
	default:
		m.toPrompt(tea.KeyPressMsg{Code: tea.KeyEscape})
	}
	return nil
}

// interrupt clears the prompt, or quits when it is pressed again within quitTime. The cleared text
// becomes the newest earlier prompt.
func (m *Model) interrupt() tea.Cmd {
	now := m.Now()
	if isLeavePage(m.page) || !m.presses.quit.IsZero() && now.Sub(m.presses.quit) < quitTime {
		return tea.Quit
	}
	m.presses = presses{quit: now}
	m.Keys.Held = false
	m.setPage(nil)
	text := "ctrl+c again quits"
	for _, row := range m.losses() {
		text += "; " + row[0] + ": " + row[1]
	}
	if !m.Composer.Empty() {
		d := m.Composer.Take()
		m.Cleared = &d
		text = "cleared: " + m.Theme.Glyphs.Up + " brings it back; " + text
	}
	m.RefreshShelf()
	return m.Say(text)
}

// paste passes a paste to the line that has the cursor.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	line := tea.PasteMsg{Content: theme.OneLine(msg.Content)}
	switch {
	case m.page != nil && !overPrompt(m.page):
		if i, taken := m.updatePage(line); taken || !keysToPrompt(m.page) {
			return m.carryOut(i)
		}
	case m.Find.Typing:
		return m.attempt(findPart, func() tea.Cmd {
			m.Find.Write(line)
			return nil
		})
	case m.typeInRail(line):
		return nil
	}
	return pasteInto(m, msg)
}

// focus returns the part of the screen that gets keys.
func (m *Model) focus() keys.Focus {
	if m.Composer.Focused() {
		return keys.InPrompt
	}
	if _, focused := m.rails.Focused(); focused {
		return keys.InRail
	}
	return keys.InTranscript
}

// toTranscript moves the focus to the transcript, or to the next pane if the transcript is empty.
func toTranscript(m *Model) tea.Cmd {
	if m.rails.Leave(); m.Transcript.Len() == 0 {
		return nextPane(m)
	}
	m.Composer.Blur()
	return nil
}

// pasteInto puts a paste into the prompt. The path of a note or image of the vault becomes a mention of
// it.
func pasteInto(m *Model, msg tea.PasteMsg) tea.Cmd {
	m.Composer.Focus()
	if name, ok := term.DroppedPath(msg.Content); ok {
		if ref, ok := droppedRef(&m.screenState, name); ok {
			return insert(m, ref)
		}
	}
	return m.toPrompt(msg)
}
