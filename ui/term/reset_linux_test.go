package term_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ibid/chains/chaintest"
	"ibid/vault/vaulttest"
)

// leftOver lists the differences of a terminal before and after a program whose output was raw.
func leftOver(raw string) (left []string) {
	say := func(format string, args ...any) { left = append(left, fmt.Sprintf(format, args...)) }
	modes := map[string]bool{"25": true} // the cursor is shown
	for _, m := range regexp.MustCompile(`\x1b\[\?([\d;]+)([hl])`).FindAllStringSubmatch(raw, -1) {
		for mode := range strings.SplitSeq(m[1], ";") {
			modes[mode] = m[2] == "h"
		}
	}
	for mode, on := range modes {
		if on != (mode == "25") {
			say("mode %s is on: %v", mode, on)
		}
	}
	last := func(pattern string) (value string, at int) {
		at = -1
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatchIndex(raw, -1) {
			value, at = raw[m[2]:m[3]], m[0]
		}
		return value, at
	}
	for what, c := range map[string]struct{ pattern, want string }{
		"progress":       {`\x1b\]9;4;(\d)`, "0"},
		"keys":           {`\x1b\[>4;?(\d*)m`, ""},
		"cursor":         {`\x1b\[(\d) q`, "0"},
		"title on top":   {`\x1b\[(2[23]);2t`, "23"},
		"colours":        {`\x1b\]1[0-2];([^\a\x1b?]+)`, ""},
		"colours, reset": {`\x1b\]11([0-2])[\a\x1b]`, ""},
	} {
		if value, at := last(c.pattern); at >= 0 && value != c.want {
			say("%s: %q, want %q", what, value, c.want)
		}
	}
	if pushed, popped := len(regexp.MustCompile(`\x1b\[>\d*u`).FindAllString(raw, -1)),
		strings.Count(raw, ansi.PopKittyKeyboard(1)); pushed == 0 || pushed != popped {
		say("enhancements of the keyboard are pushed %d times and popped %d times", pushed, popped)
	}
	kept, back := strings.Count(raw, ansi.WindowOp(22, 2)), strings.Count(raw, ansi.WindowOp(23, 2))
	if kept == 0 || kept != back || strings.Contains(raw, ansi.SetWindowTitle("")) {
		say("the title is kept %d times and put back %d times; is it taken away: %v", kept, back,
			strings.Contains(raw, ansi.SetWindowTitle("")))
	}
	if strings.LastIndex(raw, setTitle) > strings.LastIndex(raw, ansi.WindowOp(23, 2)) ||
		strings.Index(raw, setTitle) < strings.Index(raw, ansi.WindowOp(22, 2)) {
		say("a title is set while that of the window is not kept")
	}
	return left
}

// setTitle is the beginning of the sequence that sets the title of the window.
const setTitle = "\x1b]2;"

// TestReset ends the program while a reply streams, in each possible way: it must reset
// everything that it set in the terminal.
func TestReset(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	end := func(keys string) func(*terminal) { return func(p *terminal) { p.keys(keys) } }
	kill := func(s syscall.Signal) func(*terminal) {
		return func(p *terminal) {
			if err := p.cmd.Process.Signal(s); err != nil {
				p.t.Error(err)
			}
		}
	}
	for name, c := range map[string]struct {
		end    func(*terminal)
		status int
	}{
		"ctrl+c twice":    {end("\x03\x03"), 0},
		"ctrl+d and yes":  {func(p *terminal) { p.keys("\x04"); p.shows("Leave?"); p.keys("y") }, 0},
		"on a page":       {func(p *terminal) { p.keys("\x1bOQ"); p.shows("esc back"); p.keys("\x03\x03") }, 0},
		"SIGTERM":         {kill(syscall.SIGTERM), 130},
		"SIGHUP":          {kill(syscall.SIGHUP), 130},
		"after a fault":   {func(p *terminal) { p.keys("\x10settings\r"); p.reaches(300); p.keys("\x03\x03") }, 0},
		"SIGTERM, paging": {func(p *terminal) { p.keys("\x1bOQ"); p.shows("esc back"); kill(syscall.SIGTERM)(p) }, 130},
	} {
		for _, inline := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/inline=%v", name, inline), func(t *testing.T) {
				t.Parallel()
				program := "ibid"
				if name == "after a fault" {
					program = "ibid-fails"
				}
				server := chaintest.NewServer(t, chaintest.Options{Answers: []chaintest.Answer{{
					Text:  steps(10000),
					Delay: 10 * time.Millisecond,
				}}})
				p := startProgram(t, program, newEmulator(100, 30), newVault(t), server.URL(), "--model", "test-model",
					fmt.Sprintf("--inline=%v", inline))
				p.shows("Ask your vault")
				p.keys("Go.\r")
				p.reaches(3)
				c.end(p)
				p.ends(c.status)
				raw := p.out.String()
				for _, left := range leftOver(raw) {
					t.Error(left)
				}
				for _, set := range []string{
					ansi.SetModeBracketedPaste, ansi.SetModeFocusEvent,
					ansi.SetIndeterminateProgressBar, setTitle,
				} {
					if !strings.Contains(raw, set) {
						t.Errorf("%q was never set: this test has gone blind", set)
					}
				}
			})
		}
	}
}

// TestEditorOnTerminal opens the prompt in an editor, for which the program resets the
// terminal.
func TestEditorOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for _, inline := range []bool{false, true} {
		t.Run(fmt.Sprintf("inline=%v", inline), func(t *testing.T) {
			t.Parallel()
			dir := newVault(t)
			script := "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo 'on a terminal' >>\"$1\"\nprintf 'the editor'\nsleep 0.2\n"
			check(t, os.WriteFile(filepath.Join(dir, "editor"), []byte(script), 0o755))
			p := startTerminal(t, newEmulator(80, 24), dir, "http://127.0.0.1:1", "--model", "test-model",
				fmt.Sprintf("--inline=%v", inline))
			p.shows("Ask your vault")
			p.keys("half\x07") // ctrl+g
			p.shows("on a terminal")
			before, _, _ := strings.Cut(p.out.String(), "the editor")
			for _, left := range leftOver(before) {
				t.Errorf("in the editor: %s", left)
			}
			p.keys("\x03\x03\x03")
			p.ends(0)
			for _, left := range leftOver(p.out.String()) {
				t.Error(left)
			}
		})
	}
}
