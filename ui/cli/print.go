package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault/routine"
)

// minute is how lists write a time.
const minute = "2006-01-02 15:04"

// remark says something that is not what was asked for, unless only errors are wanted.
func (a *app) remark(format string, args ...any) {
	if !a.flags.Quiet {
		a.complain(format, args...)
	}
}

// complain says what went wrong.
func (a *app) complain(format string, args ...any) {
	_, _ = fmt.Fprintln(a.env.Stderr, "ibid: "+oneLine(fmt.Sprintf(format, args...))) // there is nowhere left to report an error
}

// hint is a remark for people: programs see what is missing.
func (a *app) hint(format string, args ...any) {
	if !a.flags.JSON {
		a.remark(format, args...)
	}
}

// nothing is the end of a search that found nothing.
func (a *app) nothing(format string, args ...any) error {
	a.complain(format, args...)
	return exit(plain.ExitFailed)
}

// printLine prints an object as JSON with --json, else a line of text.
func (a *app) printLine(object any, format string, args ...any) {
	a.printRow(object, strings.TrimRight(theme.OneLine(fmt.Sprintf(format, args...)), " ")+"\n")
}

// printRow prints an object as JSON with --json, else a text.
func (a *app) printRow(object any, text string) {
	if a.flags.JSON {
		text = theme.JSONLine(object)
	}
	a.print(text)
}

// rowJSON is a row of --json that is nothing but names and values.
type rowJSON = map[string]any

// report prints what was done, as printLine does, unless it failed.
func (a *app) report(row any, text string, err error) error {
	if err == nil {
		a.printLine(row, "%s", text)
	}
	return err
}

func (a *app) print(text string) {
	_, _ = io.WriteString(&a.out, text) // which remembers the error
}

func oneLine(s string) string { return theme.OneLine(strings.TrimSpace(s)) }

// columns makes a line of each row of cells, which stand below each other.
func columns(rows [][]string, align uint) []string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', align)
	for _, cells := range rows {
		_, _ = fmt.Fprintln(w, strings.Join(cells, "\t")) // to memory
	}
	_ = w.Flush()
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines[:len(rows)]
}

// closedPipe reports whether an error in writing means that the reader went away: it has
// seen enough.
func closedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // of Windows
	return errors.Is(err, syscall.EPIPE) || runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}

// quietPeriod is how long work takes before a user wants to know how far it is.
const quietPeriod = 500 * time.Millisecond

// live does work and shows on standard error, if that is a terminal, how far it is.
func (a *app) live(line func() string, work func() error) error {
	if !terminal(a.env.Stderr) {
		return work()
	}
	return a.show(line, work)
}

// show does work and shows how far it is, from time to time: one line, which goes away when
// the work is done.
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

// reading says how far the notes are read.
func (p *parts) reading() string {
	done, all := p.vault.Progress()
	if all == 0 {
		return "looking for notes"
	}
	return "reading notes, " + theme.Comma(done) + " of " + theme.Comma(all)
}
