package ui_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
)

// execOn returns an editor that calls a function with its command, which ends with the name of
// the file, and the file's text.
func execOn(edit func(argv []string, text string) (string, error)) func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
	return func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
		return func() tea.Msg {
			file := c.Args[len(c.Args)-1]
			data, err := os.ReadFile(file)
			if err != nil {
				return done(err)
			}
			text, err := edit(c.Args, string(data))
			if err == nil {
				err = os.WriteFile(file, []byte(text), 0o600)
			}
			return done(err)
		}
	}
}

// editing gives the screen an editor that is a function of the file's text.
func editing(t *testing.T, seen *[]string, edit func(string) (string, error),
	replies ...chaintest.Reply,
) func(t *testing.T) *rig {
	return rigWithOptions(band, func(o *ui.Options) {
		o.Editor = []string{"vi", "-f"}
		o.Exec = execOn(func(argv []string, text string) (string, error) {
			*seen = append(*seen, strings.Join(argv, " "))
			return edit(text)
		})
	}, replies...)
}

func TestComposeInEditor(t *testing.T) {
	var seen []string
	edit := func(s string) (string, error) { return s + " and [[Soil]]\nsecond line\n\n", nil }
	playOn(t, 80, 24, editing(t, &seen, edit, reply("ok")), func(r *stage) {
		r.Type("begun here")
		r.Press("ctrl+g")
		r.WaitFor("second line")
		r.Want("> begun here and [[Soil]]")
		if file := strings.Fields(seen[0])[2]; exists(file) {
			r.Error("the draft was left in the temporary folder")
		}
		r.Ask("", "ok")
		if req := r.model.Requests()[0]; !strings.Contains(req.Messages[len(req.Messages)-1].Content, "Compost") {
			r.Error("a mention that was written in the editor attached nothing")
		}
	})
}

// TestEditorKeepsCursor opens the editor at the line of the cursor, with pastes in full,
// which are chips again afterwards, and comes back to the same place.
func TestEditorKeepsCursor(t *testing.T) {
	var seen, texts []string
	edit := func(s string) (string, error) {
		texts = append(texts, s)
		return strings.Replace(s, "begun", "First", 1) + "\n", nil
	}
	playOn(t, 80, 24, editing(t, &seen, edit), func(r *stage) {
		r.Type("begun: ")
		r.Paste(strings.Repeat("a pasted line\n", 30))
		r.Press("ctrl+j")
		r.Type("the end")
		r.Press("alt+b", "ctrl+g")
		r.WaitFor("First: [paste 1 · 30 lines]")
		r.Type("very ")
		r.Want("the very end")
		if !strings.HasPrefix(seen[0], "vi -f +32 ") || !strings.Contains(texts[0], "begun: a pasted line\na pasted line\n") {
			r.Errorf("%q got %q", seen, texts)
		}
	})
}

func TestEditorFails(t *testing.T) {
	var seen []string
	edit := func(string) (string, error) { return "", errors.New("exit status 1") }
	playOn(t, 80, 24, editing(t, &seen, edit), func(r *stage) {
		r.Type("my draft")
		r.Press("ctrl+g")
		r.WaitFor("editor: exit status 1")
		r.Want("> my draft")
	})
	play(t, nil, func(r *stage) {
		r.Press("ctrl+g")
		r.Want("set $VISUAL or $EDITOR")
	})
}

// TestOpenLink opens the note that a reply links to.
func TestOpenLink(t *testing.T) {
	var seen []string
	same := func(s string) (string, error) { return s, nil }
	playOn(t, 80, 24, editing(t, &seen, same, reply("See [[Bass tone]].")), func(r *stage) {
		r.Ask("where?", "See")
		r.Press("tab", "o", "o")
		r.WaitFor("Notes of this message")
		if want := filepath.Join(r.dir, "Band", "Bass tone.md"); len(seen) != 1 || !strings.HasSuffix(seen[0], want) {
			r.Errorf("opened %q, want %s", seen, want)
		}
	})
}

// TestWebIsOffered: so is @web, which says what is missing where it cannot be searched.
func TestWebIsOffered(t *testing.T) {
	playAt(t, 100, 30, nil, func(r *stage) {
		r.Type("@w")
		r.Want("@web", "set tools.web.search to use it")
	})
	tools := []chains.Tool{chaintest.Texts(chains.WebTool, "slate")}
	playTools(t, 100, 30, tools, replies(reply("Slate.")), func(r *stage) {
		r.Pass(time.Second)
		r.Type("@w")
		r.Want("searches the web for this message")
		r.Press("enter")
		r.Type("slate?")
		r.Want("> @web slate?")
		r.Press("enter")
		r.WaitFor("✓ Searched the web for")
	})
}

// TestWritesAreOffered: so are @composer and @memory, which say what they do, or why they
// cannot.
func TestWritesAreOffered(t *testing.T) {
	playAt(t, 120, 30, nil, func(r *stage) {
		r.Pass(time.Second)
		r.Type("@")
		r.Want("@composer", "the chain chat writes no not", "@memory", "no notes are written here")
	})
	tools := []chains.Tool{chaintest.Texts("writeToFile", ""), chaintest.Texts(chains.MemoryTool, "")}
	playTools(t, 80, 30, tools, replies(reply("Here.")), func(r *stage) {
		r.Pass(time.Second)
		r.Type("@mem")
		r.Want("changes the memory note: you see")
		r.Press("ctrl+u")
		r.Type("@co")
		r.Want("proposes a note: the reply holds it")
		r.Press("enter")
		r.Type("list the beds")
		r.Want("> @composer list the beds")
	})
}

func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}
