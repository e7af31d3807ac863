package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/vault"
)

// draftFileMsg says where the prompt lies for the editor.
type draftFileMsg struct {
	path string
	err  error
}

// editorDoneMsg ends a visit to the editor. draft is the file that holds the
// prompt, "" if a note was opened.
type editorDoneMsg struct {
	draft string
	err   error
}

// composedMsg brings the prompt back from the editor.
type composedMsg struct {
	text string
	err  error
}

const noEditor = "no editor is set: set $VISUAL or $EDITOR"

// editorKeys is the key that opens a file, if there is an editor.
func (m *Model) editorKeys() []key.Binding {
	if len(m.opt.Editor) == 0 {
		return nil
	}
	return []key.Binding{bind("o ctrl+o", "open in $EDITOR")}
}

// compose lets the person write the prompt in an editor.
func (m *Model) compose() tea.Cmd {
	if len(m.opt.Editor) == 0 {
		return m.complain(noEditor)
	}
	text := m.composer.Value()
	return m.crew.begin(func(context.Context) tea.Msg {
		dir, err := os.MkdirTemp("", "ibid-")
		if err != nil {
			return draftFileMsg{err: fmt.Errorf("make a place for the prompt: %w", err)}
		}
		path := filepath.Join(dir, "prompt.md")
		err = os.WriteFile(path, []byte(text), 0o600)
		return draftFileMsg{path, err}
	})
}

func (m *Model) draftFile(msg draftFileMsg) tea.Cmd {
	if msg.err != nil {
		return m.complain(msg.err.Error())
	}
	return m.edit(msg.path, msg.path)
}

// edit hands the terminal to the editor.
func (m *Model) edit(path, draft string) tea.Cmd {
	run := m.opt.Exec
	if run == nil {
		run = tea.ExecProcess
	}
	args := append(slices.Clone(m.opt.Editor), path)
	return m.crew.begin(func(ctx context.Context) tea.Msg {
		return run(exec.CommandContext(ctx, args[0], args[1:]...), func(err error) tea.Msg { return editorDoneMsg{draft, err} })()
	})
}

// editorDone takes up where the editor left.
func (m *Model) editorDone(msg editorDoneMsg) tea.Cmd {
	if msg.draft == "" {
		if msg.err != nil {
			return m.complain("editor: " + msg.err.Error())
		}
		return m.errand(lookAround(m.opt.now()))
	}
	return m.crew.begin(func(context.Context) tea.Msg {
		data, err := os.ReadFile(msg.draft)
		err = errors.Join(msg.err, err, os.RemoveAll(filepath.Dir(msg.draft)))
		return composedMsg{string(data), err}
	})
}

// composed puts what was written into the prompt; after a failure the prompt
// stays as it was.
func (m *Model) composed(msg composedMsg) tea.Cmd {
	if msg.err != nil {
		return m.complain("editor: " + msg.err.Error())
	}
	text := msg.text
	for len(text) > 0 && text[len(text)-1] == '\n' {
		text = text[:len(text)-1]
	}
	m.composer.SetValue(text)
	m.focusComposer()
	return m.edited()
}

// openInEditor opens a note or a chat.
func (m *Model) openInEditor(p vault.Path) tea.Cmd {
	if len(m.opt.Editor) == 0 {
		return m.complain(noEditor)
	}
	return m.edit(filepath.Join(m.opt.Vault.Dir(), filepath.FromSlash(string(p))), "")
}

// linkMsg says which note a link leads to.
type linkMsg struct{ path vault.Path }

// openLink opens the note that a link leads to.
func (m *Model) openLink(target string) tea.Cmd {
	v := m.opt.Vault
	return m.errand(func(context.Context, *desk.Desk) (tea.Msg, error) {
		found := v.Resolve(target, "")
		if found.Path == "" {
			found = v.Find(target)
		}
		if found.Path == "" {
			return nil, fmt.Errorf("[[%s]]: there is no such note", target)
		}
		return linkMsg{found.Path}, nil
	})
}
