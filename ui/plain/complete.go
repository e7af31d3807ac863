package plain

import (
	"cmp"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"ibid/chains/desk"
)

// TerminalSize returns the size of a terminal, 80 by 24 if it does not tell.
func TerminalSize(out *os.File) (width, height int) {
	width, height, _ = term.GetSize(int(out.Fd()))
	return cmp.Or(width, 80), cmp.Or(height, 24)
}

// NewEditor returns an editor on a terminal.
func NewEditor(in, out *os.File) *Editor {
	fd := int(in.Fd())
	return &Editor{
		Terminal: struct {
			io.Reader
			io.Writer
		}{in, out},
		Raw: func() (func(), error) {
			state, err := term.MakeRaw(fd)
			return func() { _ = term.Restore(fd, state) }, err // there is no other place to report an error
		},
		Width: func() int {
			width, _ := TerminalSize(out)
			return width
		},
	}
}

// Complete returns the possible completions of the end of a line, and the offset at which they start. names
// returns the names of a kind, such as note, chat or model; nil for kinds that need an open chat.
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
