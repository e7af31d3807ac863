package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/vault"
)

// editor hands the terminal to the person's editor.
type editor struct {
	argv  []string // the command, its arguments first; empty for none
	exec  func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd
	dir   string // of the vault
	tasks *tasks
}

// editorMsg ends a visit to the editor. draft is the file that holds the prompt,
// "" if a note was opened.
type editorMsg struct {
	draft string
	err   error
}

// draftMsg brings the prompt back from the editor.
type draftMsg struct{ text string }

func newEditor(o *Options, t *tasks) editor {
	e := editor{o.Editor, o.Exec, o.Vault.Dir(), t}
	if e.exec == nil {
		e.exec = tea.ExecProcess
	}
	return e
}

// openDraft lets the person write the prompt in the editor.
func (e editor) openDraft(text string) tea.Cmd {
	return e.start(0, func() (file, draft string, err error) {
		dir, err := os.MkdirTemp("", "ibid-")
		if err != nil {
			return "", "", fmt.Errorf("make a place for the prompt: %w", err)
		}
		file = filepath.Join(dir, "prompt.md")
		return file, file, os.WriteFile(file, []byte(text), 0o600)
	})
}

// openFile opens a note or a chat, at a line if that is above 0 and the editor is
// one of which it is known how.
func (e editor) openFile(p vault.Path, line int) tea.Cmd {
	return e.start(line, func() (file, draft string, err error) {
		return filepath.Join(e.dir, filepath.FromSlash(string(p))), "", nil
	})
}

func (e editor) start(line int, prepare func() (file, draft string, err error)) tea.Cmd {
	return e.tasks.start(func(ctx context.Context) tea.Msg {
		if len(e.argv) == 0 {
			return say{"no editor is set: set $VISUAL or $EDITOR", true}
		}
		file, draft, err := prepare()
		if err != nil {
			return say{err.Error(), true}
		}
		args := slices.Concat(e.argv, atLine(e.argv[0], file, line))
		return e.exec(exec.CommandContext(ctx, args[0], args[1:]...), func(err error) tea.Msg { return editorMsg{draft, err} })()
	})
}

// atLine is the arguments with which an editor opens a file at a line.
func atLine(editor, file string, line int) []string {
	n := strconv.Itoa(line)
	name := strings.TrimSuffix(filepath.Base(editor), ".exe")
	switch {
	case line <= 0:
	case slices.Contains([]string{"vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "kak", "micro", "mg", "joe", "ne", "gedit"}, name):
		return []string{"+" + n, file}
	case slices.Contains([]string{"hx", "helix", "subl", "zed"}, name):
		return []string{file + ":" + n}
	case slices.Contains([]string{"code", "codium", "cursor"}, name):
		return []string{"--goto", file + ":" + n}
	}
	return []string{file}
}

// readDraft fetches what was written, and leaves nothing behind.
func (e editor) readDraft(msg editorMsg) tea.Cmd {
	return e.tasks.start(func(context.Context) tea.Msg {
		data, err := os.ReadFile(msg.draft)
		if err := errors.Join(msg.err, err, os.RemoveAll(filepath.Dir(msg.draft))); err != nil {
			return say{"editor: " + err.Error(), true}
		}
		return draftMsg{strings.TrimRight(string(data), "\n")}
	})
}
