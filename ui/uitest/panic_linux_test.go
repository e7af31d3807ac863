package uitest_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/vault"
	"ibid/vault/routine"
	"ibid/vault/vaulttest"
)

// faulty panics in one function, once it is armed.
type faulty struct {
	in    string // a function that is running then
	armed atomic.Bool
}

func (f *faulty) check() {
	if !f.armed.Load() {
		return
	}
	stack := make([]byte, 64<<10)
	if strings.Contains(string(stack[:runtime.Stack(stack, false)]), f.in) {
		var none []int
		_ = none[len(f.in)]
	}
}

// now returns the time, unless it panics.
func (f *faulty) now() time.Time {
	f.check()
	return time.Now()
}

// List and Set implement the settings of a screen.
func (f *faulty) List(context.Context) ([]page.Setting, error) {
	f.check()
	var g routine.Group
	g.Go(func() { f.check() })
	g.Wait()
	return nil, nil
}

// watch implements a watcher of a vault without changes.
func (f *faulty) watch(ctx context.Context) (<-chan vault.Batch, error) {
	batches := make(chan vault.Batch)
	go func() {
		defer close(batches)
		for ctx.Err() == nil {
			if p := routine.Call(func() { f.check() }); p != nil {
				select {
				case batches <- vault.Batch{Fault: p}:
				case <-ctx.Done():
				}
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return batches, nil
}

func (f *faulty) Set(context.Context, string, string) (page.Setting, string, error) {
	return page.Setting{}, "", errors.New("no settings")
}

// faultyModel panics in the middle of a reply.
type faultyModel struct {
	chains.Model
	*faulty
}

func (m faultyModel) Stream(ctx context.Context, req chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		for d, err := range m.Model.Stream(ctx, req) {
			if m.check(); !yield(d, err) {
				return
			}
		}
	}
}

// TestPanicOnTerminal makes the loop of the program panic in the middle of a reply, with a draft
// in the prompt: the terminal is reset, the error names the file of the draft, and the draft and
// the beginning of the reply are on disk.
func TestPanicOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for name, inline := range map[string]bool{"whole": false, "inline": true} {
		t.Run(name, func(t *testing.T) {
			defer verifyEnded(t)
			t.Run("program", func(t *testing.T) { panicOn(t, inline) })
		})
	}
}

// TestFaultOnTerminal makes parts of the program panic in the middle of a reply, with a draft in
// the prompt: it says so, goes on, keeps the draft and ends as ever.
func TestFaultOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for name, c := range map[string]struct {
		in     string
		keys   string // that lead there
		inline bool
	}{
		"view":        {in: "ui.(*screen).part"},
		"inline view": {in: "ui.(*screen).part", inline: true},
		"command":     {in: "faulty).List", keys: "\x10settings\r"},
		"turn":        {in: "faultyModel).Stream"},
		"elsewhere":   {in: "faulty).List.func", keys: "\x10settings\r"},
		"watcher":     {in: "faulty).watch"},
	} {
		t.Run(name, func(t *testing.T) {
			defer verifyEnded(t)
			t.Run("program", func(t *testing.T) { faultOn(t, &faulty{in: c.in}, c.keys, c.inline) })
		})
	}
}

// begin runs a screen with a fault on a terminal until a reply streams and the prompt holds a draft, arms the fault
// and presses keys.
func begin(t *testing.T, screen *terminal, tty *os.File, fault *faulty, keys string, inline bool) (ui.Options, <-chan error) {
	o := newOptions(t, "-- Tune.md --\n# Tune\n", faultyModel{chaintest.New(longReply), fault})
	o.Now, o.Watch, o.Service.Settings, o.Terminal.Inline = fault.now, fault.watch, fault, inline
	done := make(chan error, 1)
	go func() { done <- ui.Run(t.Context(), o, tty, tty) }()
	screen.waitFor("Ask")
	screen.keys("play\r")
	screen.waitFor("note note")
	screen.keys("half a thought")
	screen.waitFor("> half a thought")
	fault.armed.Store(true)
	screen.keys(keys)
	return o, done
}

func faultOn(t *testing.T, fault *faulty, keys string, inline bool) {
	screen, tty := newTerminal(t, 100, 30)
	modes := screen.watchModes()
	_, done := begin(t, screen, tty, fault, keys, inline)
	screen.waitFor("a fault of ibid")
	fault.armed.Store(false)
	if fault.in != "ui.(*screen).part" { // else the row of the prompt may be the one that failed
		screen.keys("!")
		screen.waitFor("half a thought!")
	}
	screen.keys("\x03\x03")
	select {
	case err := <-done:
		check(t, err)
	case <-time.After(20 * time.Second):
		t.Fatalf("the program does not end:\n%s", screen.text())
	}
	modes.givenBack(t, tty)
}

func panicOn(t *testing.T, inline bool) {
	screen, tty := newTerminal(t, 100, 30)
	modes := screen.watchModes()
	o, done := begin(t, screen, tty, &faulty{in: "ui.(*Model).interrupt"}, "\x03", inline)
	var err error
	select {
	case err = <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("the program went on:\n%s", screen.text())
	}
	var failed *term.PanicError
	if !errors.As(err, &failed) {
		t.Fatalf("Run returned %v", err)
	}
	for _, text := range []string{"the screen failed", "index out of range", "in the prompt again", failed.Draft} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q is not in %q", text, err)
		}
	}
	if draft, err := os.ReadFile(failed.Draft); err != nil || !strings.Contains(string(draft), "half a thought") {
		t.Errorf("the draft is not on disk (%v): %s", err, draft)
	}
	all, err := o.Store.List(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%d chats, %v", len(all), err)
	}
	if data, err := os.ReadFile(o.Vault.Dir() + "/" + string(all[0].Path)); err != nil ||
		!strings.Contains(string(data), "note note") {
		t.Errorf("what came is not on disk (%v):\n%s", err, data)
	}
	modes.givenBack(t, tty)
}

// modes records the modes that a program sets and resets on a terminal.
type modes struct {
	screen *terminal
	on     map[ansi.Mode]bool
	seen   map[ansi.Mode]bool
}

func (screen *terminal) watchModes() *modes {
	screen.mu.Lock()
	defer screen.mu.Unlock()
	m := &modes{screen: screen, on: map[ansi.Mode]bool{ansi.ModeTextCursorEnable: true}, seen: map[ansi.Mode]bool{}}
	screen.screen.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { m.on[mode], m.seen[mode] = true, true },
		DisableMode: func(mode ansi.Mode) { m.on[mode], m.seen[mode] = false, true },
	})
	return m
}

// givenBack checks that the modes are reset, after the terminal has read all output.
func (m *modes) givenBack(t *testing.T, tty *os.File) {
	t.Helper()
	_, err := tty.WriteString("that is all")
	check(t, err)
	m.screen.waitFor("that is all")
	m.screen.mu.Lock()
	defer m.screen.mu.Unlock()
	if m.screen.screen.IsAltScreen() {
		t.Error("the alternate screen is still shown")
	}
	for mode, on := range m.on {
		if on != (mode == ansi.ModeTextCursorEnable) {
			t.Errorf("mode %v is on: %v", mode, on)
		}
	}
	if !m.seen[ansi.ModeBracketedPaste] || !m.seen[ansi.ModeFocusEvent] {
		t.Errorf("only %v was set: this test has gone blind", m.seen)
	}
	raw := m.screen.raw.String()
	for set, reset := range map[string]string{
		ansi.WindowOp(22, 2): ansi.WindowOp(23, 2), "\x1b]2;": ansi.WindowOp(23, 2),
		ansi.SetIndeterminateProgressBar: ansi.ResetProgressBar,
		ansi.SetModifyOtherKeys2:         ansi.ResetModifyOtherKeys,
	} {
		if on, off := strings.LastIndex(raw, set), strings.LastIndex(raw, reset); on < 0 || off < on {
			t.Errorf("%q is set at %d, reset at %d", set, on, off)
		}
	}
	if pushed, popped := len(regexp.MustCompile(`\x1b\[>\d*u`).FindAllString(raw, -1)),
		strings.Count(raw, ansi.PopKittyKeyboard(1)); pushed == 0 || pushed != popped {
		t.Errorf("enhancements of the keyboard are set %d times and taken back %d times", pushed, popped)
	}
}
