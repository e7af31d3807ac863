package term

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestDroppedPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of other systems")
	}
	for pasted, want := range map[string]string{
		"/a/b c.png": "/a/b c.png", "'/a/b c.png' ": "/a/b c.png", `"/a/b.png"`: "/a/b.png", `/a/b\ c.png`: "/a/b c.png",
		"file:///a/b%20c.png\r\n": "/a/b c.png",
		"a/b":                     "", "see /a/b": "", "/a\n/b": "", "/" + strings.Repeat("a", maxPath): "",
	} {
		got, ok := DroppedPath(pasted)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %v", pasted, got, ok)
		}
	}
}

func TestNotify(t *testing.T) {
	for n, want := range map[Notify]string{
		"": "\x1b]9;ibid: a b  c\a", NotifyOSC777: "\x1b]777;notify;ibid;a b  c\a",
		NotifyBell: "\a",
	} {
		if got := n.Show("a b;\x1bc")(); got != (tea.RawMsg{Msg: want}) {
			t.Errorf("%s: %q", n, got)
		}
	}
	if NotifyOff.Show("a") != nil {
		t.Error("it is told although it is off")
	}
}

// TestEditor: a text comes back as it was edited, and its file is gone.
func TestEditor(t *testing.T) {
	var seen []string
	run := func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
		seen = c.Args
		return func() tea.Msg { return done(nil) }
	}
	tasks := NewTasks(t.Context())
	defer tasks.Close()
	got, ok := NewEditor([]string{"vi", "-f"}, run,
		tasks).OpenText(EditText{Name: "a/b", Text: "text", Line: 3, Back: func(s string) tea.Msg {
		return s
	}})().(EditedText)
	if !ok || got.Err != nil || len(seen) != 4 || !slices.Equal(seen[:3], []string{"vi", "-f", "+3"}) ||
		filepath.Base(seen[3]) != "a-b.md" {
		t.Fatal(got, seen)
	}
	if text := got.Read(t.Context()); text != "text" {
		t.Error(text)
	}
	if again, ok := got.Read(t.Context()).(EditedText); !ok || again.Err == nil {
		t.Error("the text was left in the temporary folder")
	}
	if none, ok := NewEditor(nil, run, tasks).OpenFile("a.md", 0)().(EditedText); !ok || none.Err == nil ||
		!strings.Contains(none.Err.Error(), "$EDITOR") {
		t.Error(none)
	}
}
