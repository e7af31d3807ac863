package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
	"ibid/ui/term"
)

// afterEditor handles the end of a visit to the editor: it reads the edited text, reports an error, or
// looks for changes.
func (k *screenState) afterEditor(msg term.EditedText) tea.Cmd {
	switch {
	case msg.Err != nil:
		return k.Complain(msg.Err.Error())
	case msg.Read != nil:
		return k.Tasks.Start(msg.Read)
	}
	return k.LookAround()
}

// draftMsg is the text of the prompt after a visit to the editor.
type draftMsg struct{ text string }

func (msg draftMsg) carryOut(k *screenState) tea.Cmd {
	composer.Rewrite(k.Composer, k.Composer.Draft().Edited(msg.text))
	k.Composer.Focus()
	return k.FollowEdit()
}

// editDraft returns the request to edit the prompt in the editor, with the cursor on the same line.
func editDraft(d composer.Draft) term.EditText {
	line := strings.Count(d.Text[:len(d.Text)-d.BytesAfter], "\n")
	if line > 0 {
		line++ // an editor counts lines from 1, and 0 opens the file at its start
	}
	return term.EditText{Name: "prompt", Text: d.Text, Line: line, Back: func(text string) tea.Msg {
		return draftMsg{strings.TrimRight(text, "\n")}
	}}
}
