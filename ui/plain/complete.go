package plain

import (
	"cmp"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"ibid/chains"
	"ibid/chains/desk"
)

// NewEditor is an editor on a terminal.
func NewEditor(in, out *os.File) *Editor {
	fd := int(in.Fd())
	return &Editor{
		Terminal: struct {
			io.Reader
			io.Writer
		}{in, out},
		Raw: func() (func(), error) {
			state, err := term.MakeRaw(fd)
			return func() { _ = term.Restore(fd, state) }, err // there is nowhere left to report an error
		},
		Width: func() int {
			w, _, _ := term.GetSize(fd) // of a terminal that does not say it is 0
			return cmp.Or(w, 80)
		},
	}
}

// Complete is what could stand at the end of a line, from which byte on. names gives the
// names of a kind of things, such as note, chat or model; those that need an open chat are
// none.
func Complete(line string, names func(kind string) []string) (from int, words []string) {
	if at := strings.LastIndexByte(line, '@'); at == 0 || at > 0 && line[at-1] == ' ' {
		for _, name := range names("note") {
			if strings.Contains(name, " ") {
				name = `"` + name + `"`
			}
			words = append(words, "@"+name)
		}
		return at, words
	}
	name, _, isArgument := strings.Cut(line, " ")
	about, err := desk.Find(strings.TrimPrefix(name, "/"))
	switch {
	case !strings.HasPrefix(line, "/") || isArgument && err != nil:
		return len(line), nil
	case !isArgument:
		for _, c := range desk.Commands() {
			words = append(words, "/"+c.Name)
		}
		return 0, words
	}
	words = about.Choices()
	for kind := range strings.FieldsSeq(about.Names) {
		switch kind {
		case "chain":
			for _, c := range chains.Chains() {
				words = append(words, c.Name())
			}
		case "command":
			for _, c := range desk.Commands() {
				words = append(words, c.Name)
			}
		default:
			words = append(words, names(kind)...)
		}
	}
	return len(name) + 1, words
}
