package term_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"ibid/chains/chaintest"
	"ibid/vault/vaulttest"
)

// emulator is a terminal that draws the output of a program and answers its queries.
type emulator struct {
	mu      sync.Mutex
	vt      *vt.Emulator
	hidden  bool // the cursor
	modes   map[ansi.Mode]bool
	answers sync.WaitGroup
}

func newEmulator(w, h int) *emulator {
	e := &emulator{vt: vt.NewEmulator(w, h), modes: map[ansi.Mode]bool{}}
	e.vt.SetCallbacks(vt.Callbacks{
		CursorVisibility: func(visible bool) { e.hidden = !visible },
		EnableMode:       func(m ansi.Mode) { e.modes[m] = true },
		DisableMode:      func(m ansi.Mode) { e.modes[m] = false },
	})
	return e
}

// answer writes the answers of the terminal to w, until the terminal is closed.
func (e *emulator) answer(w io.Writer) { e.answers.Go(func() { _, _ = io.Copy(w, e.vt) }) }

func (e *emulator) close() {
	if pipe, ok := e.vt.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	e.answers.Wait()
}

// Write draws.
func (e *emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.vt.Write(p)
}

func (e *emulator) resize(w, h int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vt.Resize(w, h)
}

// screen returns the text on the terminal.
func (e *emulator) screen() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.vt.String()
}

// all returns the text of the scrollback and the screen.
func (e *emulator) all() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, line := range e.vt.Scrollback().Lines() {
		b.WriteString(line.String() + "\n")
	}
	return b.String() + e.vt.String()
}

// shows waits until a text is on the screen.
func (p *terminal) shows(text string) {
	p.t.Helper()
	p.until(text, true)
}

// gone waits until a text is no longer on the screen.
func (p *terminal) gone(text string) {
	p.t.Helper()
	p.until(text, false)
}

func (p *terminal) until(text string, there bool) {
	p.t.Helper()
	for end := time.Now().Add(maxWait); strings.Contains(p.screen.screen(),
		text) != there; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%q on the screen, never %v:\n%s", text, there, p.screen.screen())
		}
	}
}

// resize changes the size of the terminal, and signals it to the program.
func (p *terminal) resize(w, h int) {
	p.t.Helper()
	p.screen.resize(w, h)
	check(p.t, pty.Setsize(p.pty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}))
}

// givenBack checks that the program reset the terminal.
func (p *terminal) givenBack() {
	p.t.Helper()
	p.shows("ibid --continue") // the last that it writes
	raw, e := p.out.String(), p.screen
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.vt.IsAltScreen() || e.hidden {
		p.t.Errorf("alternate screen %v, cursor hidden %v", e.vt.IsAltScreen(), e.hidden)
	}
	for _, m := range []ansi.Mode{
		ansi.ModeBracketedPaste, ansi.ModeFocusEvent, ansi.ModeMouseNormal,
		ansi.ModeMouseButtonEvent, ansi.ModeMouseAnyEvent, ansi.ModeMouseExtSgr,
	} {
		if e.modes[m] {
			p.t.Errorf("mode %v is still on", m)
		}
	}
	kept, back := strings.Index(raw, ansi.WindowOp(22, 2)), strings.LastIndex(raw, ansi.WindowOp(23, 2))
	if first, last := strings.Index(raw, "\x1b]2;"), strings.LastIndex(raw, "\x1b]2;"); kept < 0 ||
		kept > first || back < last {
		p.t.Errorf("the title is kept at %d, set from %d to %d, put back at %d", kept, first, last, back)
	}
	if on, off := strings.LastIndex(raw, ansi.SetIndeterminateProgressBar),
		strings.LastIndex(raw, ansi.ResetProgressBar); on < 0 || off < on {
		p.t.Errorf("the progress is shown at %d and ends at %d", on, off)
	}
}

// steps returns a reply of n lines.
func steps(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Step number %d.\n\n", i+1)
	}
	return b.String()
}

// reaches waits until line n of such a reply, or a later one, is on the screen.
func (p *terminal) reaches(n int) {
	p.t.Helper()
	step := regexp.MustCompile(`Step number (\d+)\.`)
	for end := time.Now().Add(maxWait); ; time.Sleep(5 * time.Millisecond) {
		all := step.FindAllStringSubmatch(p.screen.screen(), -1)
		if len(all) > 0 {
			if at, err := strconv.Atoi(all[len(all)-1][1]); err == nil && at >= n {
				return
			}
		}
		if time.Now().After(end) {
			p.t.Fatalf("the reply never reached %d:\n%s", n, p.screen.screen())
		}
	}
}

// TestScreenOnTerminal uses the screen on a terminal, by keys.
func TestScreenOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	dir := newVault(t)
	server := chaintest.NewServer(t, chaintest.Options{Answers: []chaintest.Answer{{
		Text:  steps(60),
		Delay: 10 * time.Millisecond,
	}}})
	p := startTerminal(t, newEmulator(80, 24), dir, server.URL(), "--model", "test-model")
	p.shows("Ask your vault")
	p.keys("\x1b[200~What of @Alpha?\x1b[201~\r")
	p.reaches(3)
	p.resize(100, 30)
	p.reaches(20)
	p.keys("\x1b[5~\x1b[5~") // page up, twice
	p.shows("new line")
	p.resize(60, 20)
	p.shows("enter send")
	p.keys("\x06")      // ctrl+f
	p.shows("enter go") // the bar to type into
	p.keys("number 2.\r")
	p.shows("1 of 1")
	p.keys("\x1b")
	p.gone("1 of 1")
	p.keys("\x13") // ctrl+s
	p.shows("1 turn")
	p.resize(100, 30)
	p.keys("\x1b")
	p.gone("1 turn")
	p.keys("\x04") // ctrl+d
	p.ends(0)
	p.givenBack()
	if after := p.screen.all(); strings.TrimSpace(after) != strings.TrimSpace(onlyChatIn(t, dir)+" · ibid --continue") {
		t.Errorf("on the terminal stays %q", after)
	}
}

// onlyChatIn returns the path of the only chat of a vault.
func onlyChatIn(t *testing.T, dir string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "Chats", "*.md"))
	if err != nil || len(all) != 1 {
		t.Fatalf("chats: %q, %v", all, err)
	}
	return "Chats/" + filepath.Base(all[0])
}

// TestFaultOnTerminal makes a command fail while the prompt has a draft: the program says so, keeps the draft and goes
// on. A panic in the loop itself ends it, see the test of ui/uitest.
func TestFaultOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	dir := newVault(t)
	server := chaintest.NewServer(t, chaintest.Options{Answers: []chaintest.Answer{{Text: "An answer."}}})
	p := startProgram(t, "ibid-fails", newEmulator(200, 50), dir, server.URL(), "--model", "test-model")
	p.shows("Ask your vault")
	p.keys("What?\r")
	p.shows("An answer.")
	p.shows("saved")
	p.keys("half a thought")
	p.shows("> half a thought")
	p.keys("\x10settings") // ctrl+p
	p.shows("Settings: the configuration")
	p.keys("\r")
	p.shows("a fault of ibid")
	p.keys("!")
	p.shows("> half a thought!")
	p.keys("\x03\x03")
	p.ends(0)
	p.givenBack()
}

// TestInlineOnTerminal checks the scrollback of a terminal: it has all messages once and in
// order, also after pages and changes of the size.
func TestInlineOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	t.Parallel()
	dir := newVault(t)
	server := chaintest.NewServer(t, chaintest.Options{Answers: []chaintest.Answer{
		{Text: steps(60), Delay: 5 * time.Millisecond},
		{Text: "A short one."},
		{Text: "Half of it" + strings.Repeat(" and on", 2000), Delay: 20 * time.Millisecond},
	}})
	p := startTerminal(t, newEmulator(80, 24), dir, server.URL(), "--inline", "--model", "test-model")
	p.shows("/ lists commands")
	p.keys("First question?\r")
	p.reaches(3)
	p.reaches(20)
	p.keys("\x1bOQ") // F2
	p.shows("next turn")
	p.keys("\x1b")
	p.shows("Step number 60.")
	p.keys("@alp")
	p.shows("▸ Alpha")
	p.keys("\x1b")
	p.gone("▸ Alpha")
	p.keys("\x15") // ctrl+u
	p.shows("Ask your vault")
	p.keys("Second question?\r")
	p.shows("A short one.")
	p.shows("Ask your vault")
	p.keys("Third question?\r")
	p.shows("Half of it")
	p.keys("\x03\x03")
	p.ends(0)
	p.givenBack()
	all := p.screen.all()
	at := -1
	for _, text := range append(strings.Split(strings.TrimSpace("First question?\n"+steps(60)), "\n"),
		"Second question?", "A short one.", "Third question?", "Half of it", onlyChatIn(t, dir)) {
		if text == "" {
			continue
		}
		if n := strings.Count(all, text); n != 1 || strings.Index(all, text) < at {
			t.Fatalf("%q stands %d times at %d, after %d:\n%s", text, n, strings.Index(all, text), at, all)
		}
		at = strings.Index(all, text)
	}
	if strings.Contains(all, "enter send") || strings.Contains(all, "Ask your vault") {
		t.Errorf("the prompt stays:\n%s", all)
	}
	if data, err := os.ReadFile(filepath.Join(dir, onlyChatIn(t, dir))); err != nil ||
		!strings.Contains(string(data), "Half of it") {
		t.Errorf("what came is not saved (%v):\n%s", err, data)
	}
}
