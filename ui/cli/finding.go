package cli

import (
	"errors"
	"fmt"
	"os"

	"ibid/chains/connect"
	"ibid/vault/ownfile"
)

// doctor prints findings, and remembers whether one is wrong.
type doctor struct {
	*app
	connect.CheckOptions // with which providers are checked, too
	wrong                bool
}

// newDoctor returns a doctor that may send requests to models: with ask at once, else if a person at the terminal
// agrees.
func newDoctor(a *app, ask bool) *doctor {
	d := &doctor{app: a}
	d.Say, d.Ask = d.print, ask
	if !a.flags.JSON && terminal(a.env.Stdin) && terminal(a.env.Stdout) {
		d.Agree = a.agreed
	}
	return d
}

// print prints a finding, the texts below each other.
func (d *doctor) print(f connect.Finding) {
	d.wrong = d.wrong || f.State == connect.StateWrong
	mark := map[string]string{
		connect.StateOK: "ok   ", connect.StateNote: "note ", connect.StateWrong: "WRONG",
	}[f.State]
	lines := fmt.Sprintf("%s  %-9s %s\n", mark, f.Field, oneLine(f.Text))
	if f.Fix != "" {
		lines += fmt.Sprintf("       %-9s → %s\n", "", oneLine(f.Fix))
	}
	d.printRow(f, lines)
}

// first adds a note for each of the first lines, and one that counts the rest.
func (d *doctor) first(field string, most int, lines []string) {
	for _, line := range lines[:min(len(lines), most)] {
		d.Note(field, "", "%s", line)
	}
	if more := len(lines) - most; more > 0 {
		d.Note(field, "", "and %d more like these", more)
	}
}

// failed adds a note if there is an error, and reports whether there is.
func (d *doctor) failed(field string, err error) bool {
	if err != nil {
		d.Note(field, "", "%v", err)
	}
	return err != nil
}

// writable returns the error of making a file in a folder, since quotas and rights show only then.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".ibid-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("\n")
	return errors.Join(err, f.Close(), ownfile.Remove(f.Name()))
}
