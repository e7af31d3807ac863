package term_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ibid/ui/cli"
)

// maxWait is the longest wait for an answer that takes no time on an idle machine.
const maxWait = time.Minute

// folder is the folder of the built program, "" before it is built.
var folder string

// buildProgram builds the program from the sources.
var buildProgram = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "ibid"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", filepath.Join(folder, "ibid"), "ibid").CombinedOutput()
	return errors.Join(err, wrapText(out))
})

func wrapText(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	return errors.New(string(out))
}

// TestMain runs a program that fails instead of the tests, if this file is called ibid-fails.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "ibid-fails" {
		runFailing()
	}
	status := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(status)
}

// runFailing runs the program with a panic in the command that lists the settings.
func runFailing() {
	getenv := func(name string) string {
		stack := make([]byte, 64<<10)
		if strings.Contains(string(stack[:runtime.Stack(stack, false)]), "settingTools.List(") {
			panic("no \x1b[31mvariables")
		}
		return os.Getenv(name)
	}
	dir, _ := os.Getwd()
	os.Exit(cli.Run(context.Background(), cli.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout,
		Stderr: os.Stderr, Getenv: getenv, Dir: dir,
	}))
}

// programPath returns the path of a program: ibid, for which IBID_BINARY can name another file,
// or a program of TestMain.
func programPath(t testing.TB, name string) string {
	t.Helper()
	if named := os.Getenv("IBID_BINARY"); named != "" && name == "ibid" {
		return named
	}
	if name != "ibid" {
		self, err := os.Executable()
		check(t, err)
		return self
	}
	check(t, buildProgram())
	return filepath.Join(folder, name)
}

// exitStatus returns the exit status of a program, or -1 if a signal ended it.
func exitStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -2
}

// output is the text that a program has printed so far.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}
