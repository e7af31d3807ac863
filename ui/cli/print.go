package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"ibid/ui/plain"
	"ibid/ui/theme"
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
