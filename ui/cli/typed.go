package cli

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"ibid/chains/desk"
	"ibid/ui/plain"
)

// The most that line mode reads of earlier messages, and waits for names of models.
const (
	mostTyped  = 500
	modelsWait = 3 * time.Second
)

// lineEditor is standard input, on which lines are edited if it is a terminal.
func (p *parts) lineEditor(ctx context.Context, press func() bool) io.Reader {
	in, ok := p.env.Stdin.(term.File)
	if out, both := p.env.Stdout.(term.File); !ok || !both || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) || p.env.Getenv("TERM") == "dumb" {
		return p.env.Stdin
	}
	return &plain.Editor{
		Terminal: struct {
			io.Reader
			io.Writer
		}{p.env.Stdin, p.env.Stdout},
		Raw: func() (func(), error) {
			state, err := term.MakeRaw(in.Fd())
			return func() { _ = term.Restore(in.Fd(), state) }, err // there is nowhere left to report an error
		},
		Width: func() int {
			w, _, _ := term.GetSize(in.Fd()) // of a terminal that does not say it is 0
			return cmp.Or(w, 80)
		},
		Press:    press,
		Earlier:  func() []string { return p.typedBefore(ctx) },
		Complete: func(line string) (int, []string) { return p.completeLine(ctx, line) },
	}
}

// typedBefore is what was asked in saved chats, newest first.
func (p *parts) typedBefore(ctx context.Context) (lines []string) {
	if p.store == nil {
		return nil
	}
	all, _ := p.store.Asked(ctx, mostTyped) // those that could be read
	for i := range all {
		lines = append(lines, all[i].Text)
	}
	return lines
}

// completeLine is what could stand at the end of a line of line mode, from which byte on.
func (p *parts) completeLine(ctx context.Context, line string) (from int, words []string) {
	if at := strings.LastIndexByte(line, '@'); at == 0 || at > 0 && line[at-1] == ' ' {
		for _, name := range p.namesOf(ctx, "note") {
			if strings.Contains(name, " ") {
				name = `"` + name + `"`
			}
			words = append(words, "@"+name)
		}
		return at, words
	}
	name, _, isArgument := strings.Cut(line, " ")
	c, err := desk.Find(strings.TrimPrefix(name, "/"))
	switch {
	case !strings.HasPrefix(line, "/") || isArgument && err != nil:
		return len(line), nil
	case !isArgument:
		for _, name := range p.namesOf(ctx, "command") {
			words = append(words, "/"+name)
		}
		return 0, words
	}
	words = c.Choices()
	for kind := range strings.FieldsSeq(c.Names) {
		words = append(words, p.namesOf(ctx, kind)...)
	}
	return len(name) + 1, words
}

// namesOf is the names of a kind of things, as far as they can be listed; those that need
// an open chat are none here.
func (p *parts) namesOf(ctx context.Context, kind string) (names []string) {
	switch kind {
	case "note":
		for _, n := range p.vault.Notes() {
			if !n.Private {
				names = append(names, n.Path.Base())
			}
		}
	case "chat":
		if p.store == nil {
			return nil
		}
		all, _ := p.store.List(ctx)
		for i := range all {
			names = append(names, all[i].Title)
		}
	case "model":
		ctx, cancel := context.WithTimeout(ctx, modelsWait)
		defer cancel()
		all, _, _ := p.servers.Models(ctx)
		for i := range all {
			names = append(names, all[i].Names()...)
		}
	case "chain":
		return chainNames()
	case "command":
		for _, c := range desk.Commands() {
			names = append(names, c.Name)
		}
	}
	return names
}
