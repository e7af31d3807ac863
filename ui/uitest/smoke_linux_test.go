package uitest_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"go.uber.org/goleak"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
	"ibid/context/gather"
	"ibid/history"
	"ibid/ui"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// terminal is a pseudo terminal with an emulator behind it.
type terminal struct {
	t   *testing.T
	pty *os.File

	mu     sync.Mutex
	screen *vt.Emulator
	raw    strings.Builder // all that was written
}

// newTerminal opens a terminal and reads what is written to it until it closes.
func newTerminal(t *testing.T, w, h int) (term *terminal, tty *os.File) {
	t.Helper()
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	check(t, pty.Setsize(ptm, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}))
	term = &terminal{t: t, pty: ptm, screen: vt.NewEmulator(w, h)}
	var readers sync.WaitGroup
	readers.Go(func() { // what the program draws
		buf := make([]byte, 32<<10)
		for {
			n, err := ptm.Read(buf)
			term.mu.Lock()
			_, _ = term.raw.Write(buf[:n])
			_, _ = term.screen.Write(buf[:n]) // an emulator takes everything
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	readers.Go(func() { _, _ = io.Copy(io.Discard, term.screen) }) // what the terminal answers
	t.Cleanup(func() {
		_ = tty.Close()
		_ = ptm.Close()
		if answers, ok := term.screen.InputPipe().(io.Closer); ok {
			_ = answers.Close() // the emulator's own Close does not wait for its reader
		}
		readers.Wait()
	})
	return term, tty
}

func (term *terminal) keys(keys string) {
	_, err := io.WriteString(term.pty, keys)
	check(term.t, err)
}

func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.screen.String()
}

func (term *terminal) waitFor(text string) {
	term.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(term.text(), text) {
			return
		}
	}
	term.t.Fatalf("the terminal never showed %q:\n%s", text, term.text())
}

// verifyEnded checks that no goroutine is left, except those of libraries: the clock of the
// highlighter, and the reader of keys, if a key comes after the last message of the program.
func verifyEnded(t *testing.T) {
	goleak.VerifyNone(t,
		goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"),
		goleak.IgnoreAnyFunction("github.com/charmbracelet/ultraviolet.(*TerminalReader).sendEvents"))
}

// check ends a test that cannot go on.
func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// longReply streams until a test ends.
var longReply = chaintest.Reply{Text: strings.Repeat("note ", 10000), Split: 5, Delay: 10 * time.Millisecond}

// newOptions returns those of a screen on a new vault, whose chats a model answers.
func newOptions(t *testing.T, archive string, model chains.Model) ui.Options {
	t.Helper()
	v := vaulttest.New(t, archive)
	store, err := history.NewStore(v, history.Options{StateDir: t.TempDir()})
	check(t, err)
	t.Cleanup(func() { _ = store.Close() })
	g := gather.New(v, gather.Options{})
	return ui.Options{Vault: v, Store: store, Desk: desk.New(desk.Options{
		Vault: v, Gather: g, Store: store, StateDir: t.TempDir(),
		Session: chains.Options{Model: model, ModelName: "test-model", Gather: g, Store: store},
	})}
}

// TestProgramOnTerminal runs the whole program on a real terminal: the expected
// screen, typing, a paste, wide characters, a reply, and the end by ctrl+c twice.
func TestProgramOnTerminal(t *testing.T) {
	defer verifyEnded(t)
	t.Run("program", func(t *testing.T) {
		term, tty := newTerminal(t, 100, 30)
		o := newOptions(t, "-- Tune.md --\n# Tune\n\nIn A minor.\n-- 楽譜.md --\n音符\n",
			chaintest.New(chaintest.Reply{Text: "It is in **A minor** 🎼 楽譜."}))
		watcher := vault.NewWatcher(vault.WatchOptions{Dir: o.Vault.Dir(), StateDir: t.TempDir()})
		o.Watch = watcher.Watch
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- ui.Run(ctx, o, tty, tty) }()
		defer func() {
			cancel()
			watcher.Wait()
		}()
		term.waitFor("Ask anything")
		term.waitFor("F1 help")
		term.keys("what key is @tun")
		term.waitFor("▸ Tune")
		term.keys("\r")
		term.waitFor("> what key is [[Tune]]")
		term.keys("\x1b[200~in, 音楽\x1b[201~")
		term.waitFor("[[Tune]] in, 音楽")
		term.keys("\r")
		term.waitFor("It is in A minor 🎼 楽譜.")
		term.waitFor("saved ✓")
		check(t, pty.Setsize(term.pty, &pty.Winsize{Rows: 24, Cols: 80}))
		term.keys("\x1bOQ") // F2
		term.waitFor("Context")
		term.keys("\x1b")
		term.waitFor("Ask your vault")
		term.keys("\x03\x03")
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("ctrl+c twice did not end the program:\n%s", term.text())
		}
		if all, err := o.Store.List(t.Context()); err != nil || len(all) != 1 || all[0].Turns != 1 {
			t.Errorf("%+v, %v: want one chat of one turn", all, err)
		}
	})
}

// TestProgramEndsWithContext ends the program from outside while a reply streams and
// something is typed: what came is on disk when Run returns.
func TestProgramEndsWithContext(t *testing.T) {
	defer verifyEnded(t)
	t.Run("program", func(t *testing.T) {
		term, tty := newTerminal(t, 80, 24)
		o := newOptions(t, "-- Tune.md --\n# Tune\n", chaintest.New(longReply))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- ui.Run(ctx, o, tty, tty) }()
		term.waitFor("Ask anything")
		term.keys("play\r")
		term.waitFor("note note")
		cancel()
		term.keys("half a thought")
		select {
		case err := <-done:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Run returned %v", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("the program went on")
		}
		all, err := o.Store.List(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("%d chats, %v", len(all), err)
		}
		data, err := os.ReadFile(o.Vault.Dir() + "/" + string(all[0].Path))
		if err != nil || !strings.Contains(string(data), "note note") {
			t.Errorf("what came is not on disk (%v):\n%s", err, data)
		}
	})
}
