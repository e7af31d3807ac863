package keys

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed table.txt
var tableText string

// usualKeys returns the bindings of the embedded table, without configuration.
func usualKeys() (all []Binding) {
	where := Anywhere - 1
	for line := range strings.Lines(tableText) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case f[0] == "", f[0][0] == '#':
			continue
		case len(f) == 1:
			where++
			continue
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		f = slices.Concat(f, make([]string, 7))
		b := Binding{Key: Bind(f[1], f[2]), Leader: f[3], Name: f[5], Words: f[6], where: where}
		b.ID, b.foot = strings.CutPrefix(f[0], "*")
		b.ID, b.action, _ = strings.Cut(b.ID, "=")
		b.Command, b.Args, _ = strings.Cut(f[4], " ")
		all = append(all, b)
	}
	return all
}
