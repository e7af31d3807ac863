package ui_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
)

// opening makes a rig whose screen has a command for opening addresses, and records the
// addresses.
func opening(t *testing.T, replies ...chaintest.Reply) (make func(t *testing.T) *rig, opened func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the command is a shell script")
	}
	dir := t.TempDir()
	script, list := filepath.Join(dir, "open"), filepath.Join(dir, "opened")
	//nolint:gosec // it is run
	check(t, os.WriteFile(script, []byte("#!/bin/sh\necho \"$2\" > '"+list+".new'\nmv '"+list+".new' '"+list+"'\n"),
		0o700))
	make = rigWithOptions(band, func(o *ui.Options) { o.Opener = []string{script, "-u"} }, replies...)
	return make, func() string {
		for range 500_000 { // the process runs in real time, the test does not
			if data, err := os.ReadFile(list); err == nil {
				_ = os.Remove(list)
				return strings.TrimSpace(string(data))
			}
			runtime.Gosched()
		}
		return ""
	}
}

// TestOpenInObsidian: the note of a link, of a row in a list of notes and behind @ is
// opened at its heading.
func TestOpenInObsidian(t *testing.T) {
	make, opened := opening(t, reply("Read [[Setlist#Encore]]."))
	holds := func(t *testing.T, part string) {
		t.Helper()
		if got := opened(); !strings.HasPrefix(got, "obsidian://open?vault=") || !strings.HasSuffix(got, part) {
			t.Errorf("opened %q, not %q", got, part)
		}
	}
	playOn(t, 80, 24, make, func(r *stage) {
		r.Ask("go", "Read")
		r.Press("tab", "o", "O")
		r.WaitFor("opening in Obsidian")
		holds(r.T, "&file=Band%2FSetlist.md%23Encore")
		r.Press("esc", "ctrl+o")
		r.Type("Setlist")
		r.Press("alt+o")
		holds(r.T, "&file=Band%2FSetlist.md")
		r.Press("esc", "tab")
		r.Type("@Setl")
		r.Press("alt+o")
		holds(r.T, "&file=Band%2FSetlist.md")
	})
}

// TestOpenPage: the address of a page that a reply cites is shown before anything
// opens it, and copied as it is.
func TestOpenPage(t *testing.T) {
	const address = "https://example.org/slate%20roofs?a=1&b=(2)"
	make, opened := opening(t, calling("", toolCall("webSearch", 1, "slate")), reply("Slate lasts [^1]."))
	playOn(t, 80, 24, func(t *testing.T) *rig {
		g := make(t)
		tool := chaintest.Texts(chains.WebTool, "")
		tool.Func = func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{
				Documents: []chains.Document{{ID: 1, Path: address, Content: "slate"}},
				Sources:   []chains.Source{{ID: 1, Path: address}},
			}, nil
		}
		g.tools = []chains.Tool{tool}
		g.reopen()
		return g
	}, func(r *stage) {
		r.Ask("go", "Slate lasts")
		r.Press("tab", "o")
		r.Want("Notes and pages of this message", "[1] https://example.org/slate", "page")
		r.Press("O")
		r.WaitFor("Nothing was fetched")
		r.Want("https://example.org/slate%20roofs?a=1&b=%282%29", "o open in the browser")
		r.Press("y")
		r.Want("copied")
		r.Press("o")
		r.WaitFor("opening https://example.org")
		if got, want := opened(), "https://example.org/slate%20roofs?a=1&b=%282%29"; got != want {
			r.Errorf("opened %q, want %q", got, want)
		}
	})
}

// TestClickFollowsLinks: a click on a link or a footnote shows the note here, one on a
// page copies its address.
func TestClickFollowsLinks(t *testing.T) {
	text := "See [[Soil]], [[Bass tone]] and [a page](https://example.org/x), not [[Nothing]]."
	play(t, replies(reply(text)), func(r *stage) {
		click := func(word string) {
			for y, row := range strings.Split(r.Screen(), "\n") {
				if before, _, ok := strings.Cut(row, word); ok && !strings.Contains(row, ">") {
					r.Click(len([]rune(before))+1, y)
					return
				}
			}
			r.Fatalf("%s is not there:\n%s", word, r.Screen())
		}
		r.Ask("go", "See")
		if c := r.Content(); !strings.Contains(c, "\x1b]8;;obsidian://open?vault=") || strings.Count(c, "file=") != 2 {
			r.Errorf("the links are %q", c)
		}
		click("Bass tone")
		r.WaitFor("Band/Bass tone.md")
		r.Press("esc") // once is enough
		r.Want("See Soil")
		click("Bass tone")
		r.WaitFor("Band/Bass tone.md")
		r.Press("+") // that one, not the first of the message
		r.Want("+ Bass tone")
		click("a page")
		r.Want("copied: https://example.org/x")
		is(r, r.Clipboard(), "https://example.org/x")
		click("Nothing")
		r.WantNot("Notes of this message")
	})
}

// TestNoHyperlinks: a terminal that knows no hyperlinks gets none, and the mouse still
// follows links.
func TestNoHyperlinks(t *testing.T) {
	make := rigWithOptions(band, func(o *ui.Options) {
		o.Theme.NoLinks = true
	}, reply("See [[Bass tone]] and <https://example.org/x>."))
	playOn(t, 80, 24, make, func(r *stage) {
		r.Ask("go", "See")
		if strings.Contains(r.Content(), "\x1b]8;") {
			r.Errorf("there are hyperlinks: %q", r.Content())
		}
		for y, row := range strings.Split(r.Screen(), "\n") {
			if strings.Contains(row, "See Bass") {
				r.Click(9, y)
			}
		}
		r.WaitFor("Band/Bass tone.md")
	})
}
