package term_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"ibid/chains/chaintest"
	"ibid/vault/vaulttest"
)

// terminal is a program that runs on a pseudo terminal of its own.
type terminal struct {
	t       *testing.T
	dir     string // the home of the programs
	server  string // address of the model
	cmd     *exec.Cmd
	pty     *os.File
	tty     *os.File
	before  *term.State
	out     output
	screen  *emulator // nil shows nothing
	stopped chan error
	read    chan struct{} // closed when all that was printed is in out
}

// startOnTerminal starts ibid in dir, with a home of its own there.
func startOnTerminal(t *testing.T, dir, server string, args ...string) *terminal {
	t.Helper()
	return startTerminal(t, nil, dir, server, args...)
}

// startTerminal starts ibid in dir, on a terminal that shows something.
func startTerminal(t *testing.T, screen *emulator, dir, server string, args ...string) *terminal {
	t.Helper()
	return startProgram(t, "ibid", screen, dir, server, args...)
}

// startProgram starts ibid, or a program of TestMain, like that.
func startProgram(t *testing.T, name string, screen *emulator, dir, server string, args ...string) *terminal {
	t.Helper()
	p := newTerminal(t, screen, dir, server)
	p.start(p.command(name, args...))
	return p
}

// newTerminal returns a terminal without a program.
func newTerminal(t *testing.T, screen *emulator, dir, server string) *terminal {
	t.Helper()
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	p := &terminal{
		t: t, dir: dir, server: server, pty: ptm, tty: tty, screen: screen, stopped: make(chan error, 1),
		read: make(chan struct{}),
	}
	p.before, err = term.GetState(tty.Fd())
	check(t, err)
	if screen != nil {
		p.resize(screen.vt.Width(), screen.vt.Height())
		screen.answer(ptm)
	}
	go func() {
		defer close(p.read)
		buf := make([]byte, 4096)
		for {
			n, err := ptm.Read(buf)
			_, _ = p.out.Write(buf[:n])
			if screen != nil {
				_, _ = screen.Write(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = tty.Close()
		_ = ptm.Close()
		if <-p.read; screen != nil {
			screen.close()
		}
	})
	return p
}

// command returns the command of ibid, or of a program of TestMain.
func (p *terminal) command(name string, args ...string) *exec.Cmd {
	p.t.Helper()
	return &exec.Cmd{
		Path: programPath(p.t, name), Args: append([]string{name}, args...), Dir: p.dir,
		Env: []string{
			"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "OPENAI_BASE_URL=" + p.server,
			"EDITOR=" + filepath.Join(p.dir, "editor"),
		},
	}
}

// start starts a program on the terminal, in a session of its own.
func (p *terminal) start(cmd *exec.Cmd) {
	p.t.Helper()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.tty, p.tty, p.tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	check(p.t, cmd.Start())
	p.cmd = cmd
	go func() { p.stopped <- cmd.Wait() }()
	p.t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, mostly
}

func (p *terminal) waitFor(text string) {
	p.t.Helper()
	for end := time.Now().Add(maxWait); !strings.Contains(p.out.String(), text); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%q was never shown:\n%q", text, p.out.String())
		}
	}
}

func (p *terminal) keys(keys string) {
	p.t.Helper()
	_, err := p.pty.WriteString(keys)
	check(p.t, err)
}

// ends waits for the end with this exit status, reads what was printed to its last
// byte, and holds the terminal against what it was before.
func (p *terminal) ends(status int) {
	p.t.Helper()
	select {
	case err := <-p.stopped:
		if got := exitStatus(err); got != status {
			p.t.Errorf("exit status %d, want %d:\n%q", got, status, p.out.String())
		}
	case <-time.After(maxWait):
		p.t.Fatalf("it does not end:\n%q", p.out.String())
	}
	if after, err := term.GetState(p.tty.Fd()); err != nil || !reflect.DeepEqual(p.before, after) {
		p.t.Errorf("the terminal is not as it was: %+v, want %+v (%v)", after, p.before, err)
	}
	_ = p.tty.Close()
	<-p.read
	if p.screen == nil && strings.Contains(p.out.String(), "\x1b]") {
		p.t.Errorf("the terminal was asked something:\n%q", p.out.String())
	}
}

// TestOnTerminal presses ctrl+c and ctrl+d where line mode waits for something: a
// reply stops and is saved, a second press ends the program, whose status is that of
// the last turn.
func TestOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	const ctrlC, ctrlD, again = "\x03", "\x04", "ctrl+c again"
	story := chaintest.Answer{Text: "Once upon a time " + strings.Repeat("and then ", 5000), Delay: 20 * time.Millisecond}
	line := []string{"--plain", "--model", "test-model", "--note", "Alpha"}
	for name, c := range map[string]struct {
		args   []string
		steps  []string // what to wait for and what to type then, in turn
		status int
		saved  bool
	}{
		"at the prompt":  {args: line, steps: []string{"> ", ctrlC, again, ctrlC}, status: 130},
		"in half a line": {args: line, steps: []string{"> ", "half a li", "half a li", ctrlC, again, ctrlC}, status: 130},
		"in half a message": {args: line, steps: []string{
			"> ", "one \\\r", "... ", ctrlC, again, "/chats\r",
			"no saved chats", ctrlD,
		}, status: 0},
		"end of input": {args: line, steps: []string{"> ", ctrlD}, status: 0},
		"while it streams": {args: line, steps: []string{
			"> ", "Tell me.\r", "Once upon", ctrlC,
			"stopped; what came is kept", ctrlC,
		}, status: 130, saved: true},
		"and goes on": {args: line, steps: []string{
			"> ", "Tell me.\r", "Once upon", ctrlC, again, "And then?\r",
			"Reply 2 to: And then?", ctrlD,
		}, status: 0, saved: true},
		"after a failure": {args: line, steps: []string{"> ", "/nonsense\r", "not a command", ctrlD}, status: 0},
		"one question": {
			args: []string{"ask", "--model", "test-model", "Tell me."}, steps: []string{"Once upon", ctrlC},
			status: 130, saved: true,
		},
		"wrong usage":     {args: []string{"--nonsense"}, status: 2},
		"wrong arguments": {args: []string{"chats", "show"}, status: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newVault(t)
			server := chaintest.NewServer(t, chaintest.Options{Answers: []chaintest.Answer{story}})
			p := startOnTerminal(t, dir, server.URL(), c.args...)
			for i := 0; i < len(c.steps); i += 2 {
				p.waitFor(c.steps[i])
				p.keys(c.steps[i+1])
			}
			p.ends(c.status)
			kept, err := filepath.Glob(filepath.Join(dir, "Chats", "*.md"))
			if err != nil || (len(kept) == 1) != c.saved {
				t.Fatalf("chats: %v, %v", kept, err)
			}
			if c.saved {
				if data, err := os.ReadFile(kept[0]); err != nil || !strings.Contains(string(data), "**ai**: Once upon") {
					t.Errorf("what came is not saved (%v):\n%s", err, data)
				}
			}
		})
	}
}

// TestInterruptedCommandOnTerminal presses ctrl+c while a command waits for a
// server that does not answer.
func TestInterruptedCommandOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	var hangs atomic.Bool
	waiting := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hangs.Load() {
			waiting <- struct{}{}
			<-r.Context().Done()
		}
		_, _ = w.Write([]byte(`{"data":[{"id":"test-model"}]}`))
	}))
	defer server.Close()
	p := startOnTerminal(t, newVault(t), server.URL, "--plain", "--model", "test-model")
	p.waitFor("> ")
	hangs.Store(true)
	p.keys("/model\r")
	select {
	case <-waiting:
	case <-time.After(maxWait):
		t.Fatalf("the command asks no server:\n%q", p.out.String())
	}
	p.keys("\x03")
	p.waitFor("ctrl+c again")
	p.keys("\x03")
	p.ends(130)
	if strings.Contains(p.out.String(), "canceled") {
		t.Errorf("an interrupt is no error:\n%q", p.out.String())
	}
}

// TestSearchOnTerminal searches where there is no index yet: hits come, the index is
// built to its end, and the next search uses it.
func TestSearchOnTerminal(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	dir := newVault(t)
	for i := range 400 {
		check(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("Note %d.md", i)), []byte("# Plantain\n\nGreen and firm.\n"),
			0o644))
	}
	for range 2 {
		p := startOnTerminal(t, dir, "http://127.0.0.1:1", "notes", "--limit", "3", "bananas OR firm")
		p.waitFor("Alpha.md:1")
		p.ends(0)
		if n := strings.Count(p.out.String(), ".md:"); n != 3 {
			t.Errorf("%d hits:\n%q", n, p.out.String())
		}
	}
	p := startOnTerminal(t, dir, "http://127.0.0.1:1", "notes", "tag:none")
	p.waitFor("no note holds")
	p.ends(1)
}

// newVault makes a folder that is a vault and a home, with a configuration that ignores model
// servers of this machine.
func newVault(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".obsidian/app.json": "{}", "Alpha.md": "Bananas are yellow.\n", ".config/ibid/config.toml": "discover = false\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(name), 0o755))
		check(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return dir
}
