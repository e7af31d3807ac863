package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/vault"
)

// editorMsg ends a visit to the editor. draft is the file that holds the prompt,
// "" if a note was opened.
type editorMsg struct {
	draft string
	err   error
}

// draftMsg brings the prompt back from the editor.
type draftMsg struct {
	text string
	err  error
}

const noEditor = "no editor is set: set $VISUAL or $EDITOR"

// compose lets the person write the prompt in an editor.
func (m *Model) compose() tea.Cmd {
	if len(m.opt.Editor) == 0 {
		return m.complain(noEditor)
	}
	text, edit := m.composer.Value(), editor(&m.opt)
	return m.tasks.start(func(ctx context.Context) tea.Msg {
		dir, err := os.MkdirTemp("", "ibid-")
		if err != nil {
			return draftMsg{err: fmt.Errorf("make a place for the prompt: %w", err)}
		}
		file := filepath.Join(dir, "prompt.md")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return draftMsg{err: err}
		}
		return edit(ctx, file, file)
	})
}

// editFile opens a note or a chat.
func (m *Model) editFile(p vault.Path) tea.Cmd {
	if len(m.opt.Editor) == 0 {
		return m.complain(noEditor)
	}
	file, edit := filepath.Join(m.opt.Vault.Dir(), filepath.FromSlash(string(p))), editor(&m.opt)
	return m.tasks.start(func(ctx context.Context) tea.Msg { return edit(ctx, file, "") })
}

// editor is how the terminal is handed to the editor, for a file; draft says
// whether that is the prompt.
func editor(o *Options) func(ctx context.Context, file, draft string) tea.Msg {
	run, argv := o.Exec, o.Editor
	if run == nil {
		run = tea.ExecProcess
	}
	return func(ctx context.Context, file, draft string) tea.Msg {
		args := append(slices.Clone(argv), file)
		return run(exec.CommandContext(ctx, args[0], args[1:]...), func(err error) tea.Msg { return editorMsg{draft, err} })()
	}
}

// editorDone takes up where the editor left.
func (m *Model) editorDone(msg editorMsg) tea.Cmd {
	switch {
	case msg.draft != "":
		return m.tasks.start(func(context.Context) tea.Msg {
			data, err := os.ReadFile(msg.draft)
			return draftMsg{string(data), errors.Join(msg.err, err, os.RemoveAll(filepath.Dir(msg.draft)))}
		})
	case msg.err != nil:
		return m.complain("editor: " + msg.err.Error())
	}
	return m.work(lookAround{m.opt.now()})
}

// setText puts what was written in the editor into the prompt; after a failure
// the prompt stays as it was.
func (m *Model) setText(msg draftMsg) tea.Cmd {
	if msg.err != nil {
		return m.complain("editor: " + msg.err.Error())
	}
	m.composer.SetValue(strings.TrimRight(msg.text, "\n"))
	m.composer.Focus()
	return m.edited()
}
