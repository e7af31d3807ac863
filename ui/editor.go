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

	"ibid/ui/composer"
	"ibid/vault"
)

// editor hands the terminal to the user's editor.
type editor struct {
	argv  []string // the command, its arguments first; empty for none
	exec  func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd
	dir   string // of the vault
	tasks *tasks
}

// editorMsg ends a visit to the editor. file holds the text that was edited, of which
// back makes a message; it is "" if a note was opened.
type editorMsg struct {
	file string
	back func(text string) tea.Msg
	err  error
}

// editText lets the user edit a text; back makes a message of what became of it.
type editText struct {
	name, text string // name is what the file is called
	line       int    // of the cursor, 0 if that does not matter
	back       func(text string) tea.Msg
}

func (t editText) carryOut(m *Model) tea.Cmd { return m.editor.openText(t) }

// draftMsg brings the prompt back from the editor.
type draftMsg struct{ text string }

func (msg draftMsg) carryOut(m *Model) tea.Cmd {
	composer.Rewrite(m.composer, m.composer.Draft().Edited(msg.text))
	m.composer.Focus()
	return m.followEdit()
}

func newEditor(o *Options, t *tasks) editor {
	e := editor{o.Editor, o.Exec, o.Vault.Dir(), t}
	if e.exec == nil {
		e.exec = tea.ExecProcess
	}
	return e
}

// openText lets the user edit a text in a file outside of the vault.
func (e editor) openText(t editText) tea.Cmd {
	return e.start(t.line, t.back, func() (file string, err error) {
		dir, err := os.MkdirTemp("", "ibid-")
		if err != nil {
			return "", fmt.Errorf("make a place for the text: %w", err)
		}
		file = filepath.Join(dir, strings.ReplaceAll(t.name, string(filepath.Separator), "-")+".md")
		return file, os.WriteFile(file, []byte(t.text), 0o600)
	})
}

// openFile opens a note or a chat, at a line if that is above 0 and the editor is
// one of which it is known how.
func (e editor) openFile(p vault.Path, line int) tea.Cmd {
	return e.start(line, nil, func() (file string, err error) {
		return filepath.Join(e.dir, filepath.FromSlash(string(p))), nil
	})
}

// start opens a file. back makes a message of its text, nil if that is not asked for.
func (e editor) start(line int, back func(text string) tea.Msg, prepare func() (file string, err error)) tea.Cmd {
	return e.tasks.start(func(ctx context.Context) tea.Msg {
		if len(e.argv) == 0 {
			return say{"no editor is set: set $VISUAL or $EDITOR", true}
		}
		file, err := prepare()
		if err != nil {
			return say{err.Error(), true}
		}
		done := editorMsg{}
		if back != nil {
			done = editorMsg{file: file, back: back}
		}
		args := slices.Concat(e.argv, atLine(e.argv[0], file, line))
		return e.exec(exec.CommandContext(ctx, args[0], args[1:]...), func(err error) tea.Msg {
			done.err = err
			return done
		})()
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

// carryOut fetches what was written, and leaves nothing behind.
func (msg editorMsg) carryOut(m *Model) tea.Cmd {
	switch {
	case msg.file != "":
	case msg.err != nil:
		return m.complain("editor: " + msg.err.Error())
	default:
		return m.work(lookAround{m.k.opt.now()})
	}
	return m.tasks.start(func(context.Context) tea.Msg {
		data, err := os.ReadFile(msg.file)
		if err := errors.Join(msg.err, err, os.RemoveAll(filepath.Dir(msg.file))); err != nil {
			return say{"editor: " + err.Error(), true}
		}
		return msg.back(string(data))
	})
}

// editDraft lets the user write the prompt in the editor, from the line of the cursor
// on.
func editDraft(d composer.Draft) editText {
	line := strings.Count(d.Text[:len(d.Text)-d.Behind], "\n")
	if line > 0 {
		line++ // an editor begins in the first one
	}
	return editText{"prompt", d.Text, line, func(text string) tea.Msg { return draftMsg{strings.TrimRight(text, "\n")} }}
}
