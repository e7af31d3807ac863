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
	"ibid/ui/uitest"
)

// execOn is an editor that is a function of its command, which ends with the file, and
// of the file's text.
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
	return changed(band, func(o *ui.Options) {
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
	playOn(t, 80, 24, editing(t, &seen, edit, reply("ok")), func(t *testing.T, r *uitest.Robot, g *rig) {
		r.Type("begun here")
		r.Press("ctrl+g")
		r.WaitFor("second line")
		want(t, r, "> begun here and [[Soil]]")
		if file := strings.Fields(seen[0])[2]; exists(file) {
			t.Error("the draft was left in the temporary folder")
		}
		ask(r, "", "ok")
		if req := g.model.Requests()[0]; !strings.Contains(req.Messages[len(req.Messages)-1].Content, "Compost") {
			t.Error("a mention that was written in the editor attached nothing")
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
	playOn(t, 80, 24, editing(t, &seen, edit), func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Type("begun: ")
		r.Paste(strings.Repeat("a pasted line\n", 30))
		r.Press("ctrl+j")
		r.Type("the end")
		r.Press("alt+b", "ctrl+g")
		r.WaitFor("First: [paste 1 · 30 lines]")
		r.Type("very ")
		want(t, r, "the very end")
		if !strings.HasPrefix(seen[0], "vi -f +32 ") || !strings.Contains(texts[0], "begun: a pasted line\na pasted line\n") {
			t.Errorf("%q got %q", seen, texts)
		}
	})
}

func TestEditorFails(t *testing.T) {
	var seen []string
	edit := func(string) (string, error) { return "", errors.New("exit status 1") }
	playOn(t, 80, 24, editing(t, &seen, edit), func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Type("my draft")
		r.Press("ctrl+g")
		r.WaitFor("editor: exit status 1")
		want(t, r, "> my draft")
	})
	play(t, 80, 24, nil, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Press("ctrl+g")
		want(t, r, "set $VISUAL or $EDITOR")
	})
}

// TestOpenLink opens the note that a reply links to.
func TestOpenLink(t *testing.T) {
	var seen []string
	same := func(s string) (string, error) { return s, nil }
	playOn(t, 80, 24, editing(t, &seen, same, reply("See [[Bass tone]].")), func(t *testing.T, r *uitest.Robot, g *rig) {
		ask(r, "where?", "See")
		r.Press("tab", "o", "o")
		r.WaitFor("Notes of this message")
		if want := filepath.Join(g.dir, "Band", "Bass tone.md"); len(seen) != 1 || !strings.HasSuffix(seen[0], want) {
			t.Errorf("opened %q, want %s", seen, want)
		}
	})
}

// TestWebIsOffered: so is @web, which says what is missing where it cannot be searched.
func TestWebIsOffered(t *testing.T) {
	play(t, 100, 30, nil, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Type("@w")
		want(t, r, "@web", "set tools.web.search to use it")
	})
	tools := []chains.Tool{chaintest.Texts(chains.WebTool, "slate")}
	playTools(t, 100, 30, tools, []chaintest.Reply{reply("Slate.")}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Pass(time.Second)
		r.Type("@w")
		want(t, r, "searches the web for this message")
		r.Press("enter")
		r.Type("slate?")
		want(t, r, "> @web slate?")
		r.Press("enter")
		r.WaitFor("✓ Searched the web for")
	})
}

// TestWritesAreOffered: so are @composer and @memory, which say what they do, or why they
// cannot.
func TestWritesAreOffered(t *testing.T) {
	play(t, 120, 30, nil, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Pass(time.Second)
		r.Type("@")
		want(t, r, "@composer", "the chain chat writes no not", "@memory", "there is no memory note")
	})
	tools := []chains.Tool{chaintest.Texts("writeToFile", ""), chaintest.Texts(chains.MemoryTool, "")}
	playTools(t, 80, 30, tools, []chaintest.Reply{reply("Here.")}, func(t *testing.T, r *uitest.Robot, _ *rig) {
		r.Pass(time.Second)
		r.Type("@mem")
		want(t, r, "changes the memory note: you see")
		r.Press("ctrl+u")
		r.Type("@co")
		want(t, r, "proposes a note: the reply holds it")
		r.Press("enter")
		r.Type("list the beds")
		want(t, r, "> @composer list the beds")
	})
}

func exists(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}
