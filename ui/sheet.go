package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/ui/picker"
)

// sheetKind says what is open over the conversation.
type sheetKind int

const (
	noSheet sheetKind = iota
	attachSheet
	commandSheet // behind a / in the prompt
	paletteSheet
	switchSheet // notes, with a line of its own
	chatsSheet
	renameSheet // a line over the chats
	modelsSheet
	linksSheet
	historySheet // prompts, to be written again
	rewindSheet  // messages of this chat, to go back to
	inspectSheet
	helpSheet
	fitSheet // a question over the prompt
)

// sheet is what is open over the conversation: a list, the context page, help, or
// a question.
type sheet struct {
	kind sheetKind
	list *picker.Model // of all kinds but the last three
}

// popup reports whether the sheet stands above the prompt, which keeps the cursor.
func (s *sheet) popup() bool { return s.kind == attachSheet || s.kind == commandSheet }

// open shows a list.
func (m *Model) open(kind sheetKind, o picker.Options) *picker.Model {
	o.Theme = m.theme
	m.sheet = sheet{kind: kind, list: picker.New(o)}
	m.find.leave()
	m.place()
	return m.sheet.list
}

// close goes back to the conversation.
func (m *Model) closeSheet() {
	m.sheet = sheet{}
	m.place()
}

// sheetKey gives a key to what is open. A popup leaves what it does not know to
// the prompt.
func (m *Model) sheetKey(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	switch m.sheet.kind {
	case inspectSheet:
		return m.inspectKey(msg), true
	case helpSheet:
		return m.helpKey(msg), true
	case fitSheet:
		return m.fitKey(msg), true
	}
	return m.sheetAction(m.sheet.list.Update(msg))
}

// sheetAction acts on what a person decided in the open list.
func (m *Model) sheetAction(a picker.Action) (cmd tea.Cmd, taken bool) {
	if a.Kind == picker.Ignored {
		return nil, !m.sheet.popup()
	}
	if a.Kind == picker.Refused {
		return m.complain(a.Reason), true
	}
	switch m.sheet.kind {
	case attachSheet:
		return m.attachAction(a), true
	case switchSheet:
		return m.switchAction(a), true
	case commandSheet:
		return m.commandAction(a), true
	case paletteSheet:
		return m.paletteAction(a), true
	case chatsSheet:
		return m.chatsAction(a), true
	case renameSheet:
		return m.renameAction(a), true
	case modelsSheet:
		return m.modelsAction(a), true
	case linksSheet:
		return m.linksAction(a), true
	case historySheet:
		return m.historyAction(a), true
	case rewindSheet:
		return m.rewindAction(a), true
	}
	return nil, true
}

// sheetPaste gives a paste to the line of the open list.
func (m *Model) sheetPaste(msg tea.PasteMsg) tea.Cmd {
	if m.sheet.list == nil {
		return nil
	}
	cmd, _ := m.sheetAction(m.sheet.list.Update(msg))
	return cmd
}
