package ui

import (
	"fmt"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/transcript"
)

// find is the bar that looks for words in the chat.
type find struct {
	line   textinput.Model
	open   bool
	typing bool // keys go to the line; else n and N move
}

func newFind() find {
	f := find{line: textinput.New()}
	f.line.Prompt = "/"
	f.line.SetVirtualCursor(false)
	f.line.KeyMap.Paste.SetEnabled(false) // the terminal pastes
	return f
}

// openFind opens the bar, or goes back to its line.
func (m *Model) openFind() tea.Cmd {
	m.find.open, m.find.typing = true, true
	m.find.line.Focus()
	m.place()
	return nil
}

// leave stops typing; the matches stay.
func (f *find) leave() {
	f.typing = false
	f.line.Blur()
}

// close ends the search.
func (f *find) close(t *transcript.Transcript) {
	f.leave()
	f.open = false
	f.line.SetValue("")
	t.Find("")
}

// findKey is a key while the bar is typed into.
func (m *Model) findKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "esc":
		m.find.close(m.transcript)
		m.place()
	case "enter":
		m.find.leave()
		m.toTranscript()
	case "up", "ctrl+p", "shift+enter":
		m.transcript.FindPrev()
	case "down", "ctrl+n", "ctrl+f":
		m.transcript.FindNext()
	default:
		m.findType(msg)
	}
}

func (m *Model) findType(msg tea.Msg) {
	before := m.find.line.Value()
	m.find.line, _ = m.find.line.Update(msg)
	if v := m.find.line.Value(); v != before {
		m.transcript.Find(v)
	}
}

// state is where the search stands: "3 of 11".
func (f *find) state(t *transcript.Transcript) string {
	at, total := t.Matches()
	switch {
	case f.line.Value() == "":
		return "type what to look for"
	case total == 0:
		return "not found"
	}
	return fmt.Sprintf("%d of %d", at, total)
}
