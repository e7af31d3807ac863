package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ibid/chains/connect"
	"ibid/vault/ownfile"
)

// doctor looks at everything, one finding a line.
type doctor struct {
	*app
	connect.CheckOptions // which providers are checked as
	wrong                bool
}

// newDoctor is one that asks models something if a person agrees, with ask without a
// question.
func newDoctor(a *app, ask bool) *doctor {
	d := &doctor{app: a}
	d.Say, d.Ask = d.print, ask
	if !a.flags.JSON && terminal(a.env.Stdin) && terminal(a.env.Stdout) {
		d.Agree = a.agreed
	}
	return d
}

// print prints a finding.
func (d *doctor) print(f connect.Finding) {
	d.wrong = d.wrong || f.State == connect.StateWrong
	mark := map[string]string{connect.StateOK: "ok   ", connect.StateNote: "note ", connect.StateWrong: "WRONG"}[f.State]
	lines := fmt.Sprintf("%s  %-9s %s\n", mark, f.Field, oneLine(f.Text))
	if f.Fix != "" {
		lines += fmt.Sprintf("       %-9s → %s\n", "", oneLine(f.Fix))
	}
	d.printRow(f, lines)
}

// first notes the first lines about something, and how many more there are.
func (d *doctor) first(field string, most int, lines []string) {
	for _, line := range lines[:min(len(lines), most)] {
		d.Note(field, "", "%s", line)
	}
	if more := len(lines) - most; more > 0 {
		d.Note(field, "", "and %d more like these", more)
	}
}

// failed notes that something of the vault could not be looked at.
func (d *doctor) failed(field string, err error) bool {
	if err != nil {
		d.Note(field, "", "%v", err)
	}
	return err != nil
}

// room says why so many bytes cannot be written to a folder, nil if they can.
func room(dir string, bytes int64) error {
	f, err := os.CreateTemp(dir, ".ibid-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, bytes))
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = failed.Err // the name of the file, which goes away, tells nothing
	}
	return errors.Join(err, f.Close(), ownfile.Remove(f.Name()))
}
