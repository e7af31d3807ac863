package term

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Editor runs the user's editor in the terminal.
type Editor struct {
	argv  []string // command with its arguments; empty for none
	exec  func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd
	tasks *Tasks
}

// EditedText is the message when the editor has ended.
type EditedText struct {
	Read Work // reads the edited text and returns its message, nil if a file was opened
	Err  error
}

// EditText lets the user edit a text. Back returns a message for the edited text.
type EditText struct {
	Name, Text string // Name is the name of the file, without .md
	Line       int    // line of the cursor, 0 for none
	Back       func(text string) tea.Msg
}

// EditorCommand returns the command with which the user edits files.
func EditorCommand(getenv func(string) string) []string {
	words := strings.Fields(cmp.Or(getenv("VISUAL"), getenv("EDITOR")))
	if len(words) == 0 && runtime.GOOS != "windows" {
		return []string{"vi"}
	}
	return words
}

// NewEditor returns an editor that runs the command argv, with its arguments; empty for none. exec
// gives the command the terminal; nil is tea.ExecProcess.
func NewEditor(argv []string, exec func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd, t *Tasks) Editor {
	if exec == nil {
		exec = tea.ExecProcess
	}
	return Editor{argv, exec, t}
}

// OpenText lets the user edit a text in a temporary file outside of the vault.
func (e Editor) OpenText(t EditText) tea.Cmd {
	return e.start(t.Line, t.Back, func() (file string, err error) {
		dir, err := os.MkdirTemp("", "ibid-")
		if err != nil {
			return "", fmt.Errorf("make a place for the text: %w", err)
		}
		file = filepath.Join(dir, strings.ReplaceAll(t.Name, string(filepath.Separator), "-")+".md")
		return file, os.WriteFile(file, []byte(t.Text), 0o600)
	})
}

// OpenFile opens a file, at a line if line is above 0 and [atLine] supports the editor.
func (e Editor) OpenFile(file string, line int) tea.Cmd {
	return e.start(line, nil, func() (string, error) { return file, nil })
}

// start runs the editor with the file that prepare returns. back makes a message of the edited text,
// nil if the text is not needed.
func (e Editor) start(line int, back func(text string) tea.Msg, prepare func() (file string, err error)) tea.Cmd {
	return e.tasks.Start(func(ctx context.Context) tea.Msg {
		if len(e.argv) == 0 {
			return EditedText{Err: errors.New("no editor is set: set $VISUAL or $EDITOR")}
		}
		file, err := prepare()
		if err != nil {
			return EditedText{Err: err}
		}
		args := slices.Concat(e.argv, atLine(e.argv[0], file, line))
		return e.exec(exec.CommandContext(ctx, args[0], args[1:]...), func(err error) tea.Msg {
			switch {
			case back != nil:
				return EditedText{Read: func(context.Context) tea.Msg { return readEdited(file, err, back) }}
			case err != nil:
				return EditedText{Err: fmt.Errorf("editor: %w", err)}
			}
			return EditedText{}
		})()
	})
}

// readEdited reads the edited text and removes the folder of its file.
func readEdited(file string, failed error, back func(text string) tea.Msg) tea.Msg {
	data, err := os.ReadFile(file)
	if err := errors.Join(failed, err, os.RemoveAll(filepath.Dir(file))); err != nil {
		return EditedText{Err: fmt.Errorf("editor: %w", err)}
	}
	return back(string(data))
}

// atLine returns the arguments with which an editor opens a file at a line. For an unknown editor it
// returns only the file.
func atLine(editor, file string, line int) []string {
	n := strconv.Itoa(line)
	name := strings.TrimSuffix(filepath.Base(editor), ".exe")
	switch {
	case line <= 0:
	case slices.Contains([]string{
		"vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "kak",
		"micro", "mg", "joe", "ne", "gedit",
	}, name):
		return []string{"+" + n, file}
	case slices.Contains([]string{"hx", "helix", "subl", "zed"}, name):
		return []string{file + ":" + n}
	case slices.Contains([]string{"code", "codium", "cursor"}, name):
		return []string{"--goto", file + ":" + n}
	}
	return []string{file}
}
