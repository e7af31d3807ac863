package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"time"

	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault/routine"
)

// minute is the format of times in lists.
const minute = "2006-01-02 15:04"

// remark prints to standard error, so that it stays out of pipes. --quiet drops it.
func (a *app) remark(format string, args ...any) {
	if !a.flags.Quiet {
		a.complain(format, args...)
	}
}

// complain prints an error or warning, also with --quiet.
func (a *app) complain(format string, args ...any) {
	_, _ = fmt.Fprintln(a.env.Stderr,
		"ibid: "+oneLine(fmt.Sprintf(format, args...))) // there is nowhere left to report an error
}

// warnOfRules prints a warning if the rules for excluded files cannot be read, also with --quiet.
func (p *parts) warnOfRules() {
	if text := p.vault.RulesWarning(); text != "" {
		p.complain("warning: %s", text)
	}
}

// hint is a remark with advice for people, which --json drops.
func (a *app) hint(format string, args ...any) {
	if !a.flags.JSON {
		a.remark(format, args...)
	}
}

// nothing reports that a search found nothing, and returns the error for status 1.
func (a *app) nothing(format string, args ...any) error {
	a.complain(format, args...)
	return exit(plain.ExitFailed)
}

// printLine is like printRow with one formatted line.
func (a *app) printLine(object any, format string, args ...any) {
	a.printRow(object, strings.TrimRight(theme.OneLine(fmt.Sprintf(format, args...)), " ")+"\n")
}

// printRow prints an object as a line of JSON with --json, else a text, which must be safe for a terminal.
func (a *app) printRow(object any, text string) {
	if a.flags.JSON {
		text = theme.JSONLine(object)
	}
	a.print(text)
}

// rowJSON is a JSON row that needs no type of its own.
type rowJSON = map[string]any

// report ends a command that changed something: it prints the row if there is no error, and returns the error.
func (a *app) report(row any, text string, err error) error {
	if err == nil {
		a.printLine(row, "%s", text)
	}
	return err
}

func (a *app) print(text string) {
	_, _ = io.WriteString(&a.out, text) // standardOut remembers the error
}

func oneLine(s string) string { return theme.OneLine(strings.TrimSpace(s)) }

// closedPipe reports whether the reader of a pipe went away, as head does, which is no failure.
func closedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // of Windows
	return errors.Is(err, syscall.EPIPE) ||
		runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}

// quietPeriod is the time before progress is shown: most work ends sooner, and a line that flickers is worse than none.
const quietPeriod = 500 * time.Millisecond

// live runs work, and shows its progress if standard error is a terminal.
func (a *app) live(line func() string, work func() error) error {
	if !terminal(a.env.Stderr) {
		return work()
	}
	return a.show(line, work)
}

// show runs work in a goroutine, which ends before it returns. Meanwhile it shows line again and again on one line,
// which it erases at the end.
func (a *app) show(line func() string, work func() error) (err error) {
	const clear = "\r\x1b[K"
	done, end := make(chan struct{}), ""
	var working routine.Group
	working.Go(func() {
		defer close(done)
		err = work()
	})
	defer working.Wait()
	for wait := quietPeriod; ; wait = quietPeriod / 5 {
		select {
		case <-done:
			_, _ = fmt.Fprint(a.env.Stderr, end) // there is nowhere left to report an error
			return err
		case <-time.After(wait):
			end = clear
			_, _ = fmt.Fprint(a.env.Stderr, clear+"ibid: "+line()) // there is nowhere left to report an error
		}
	}
}

// reading returns the progress of reading the vault, for live.
func (p *parts) reading() string {
	done, all := p.vault.Progress()
	if all == 0 {
		return "looking for notes"
	}
	return "reading notes, " + theme.Comma(done) + " of " + theme.Comma(all)
}
