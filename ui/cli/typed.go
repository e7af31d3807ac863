package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"ibid/ui/plain"
)

// The most that line mode reads of earlier messages, and waits for names of models.
const (
	mostTyped  = 500
	modelsWait = 3 * time.Second
)

// lineEditor is standard input, which is a terminal, as is standard output: lines are
// edited on it.
func (p *parts) lineEditor(ctx context.Context, press func() bool) io.Reader {
	e := plain.NewEditor(p.env.Stdin.(*os.File), p.env.Stdout.(*os.File))
	e.Press = press
	e.Earlier = func() (lines []string) {
		if p.store == nil {
			return nil
		}
		all, _ := p.store.Asked(ctx, mostTyped) // those that could be read
		for i := range all {
			lines = append(lines, all[i].Text)
		}
		return lines
	}
	e.Complete = func(line string) (int, []string) {
		return plain.Complete(line, func(kind string) []string { return p.typedNames(ctx, kind) })
	}
	return e
}

// typedNames are the names of a kind of things, as far as they can be listed.
func (p *parts) typedNames(ctx context.Context, kind string) (names []string) {
	kind = strings.ToUpper(kind)
	needs, is := kinds[kind]
	switch {
	case kind == "MODEL":
		ctx, cancel := context.WithTimeout(ctx, modelsWait)
		defer cancel()
		all, _, _ := p.servers.Models(ctx)
		for i := range all {
			names = append(names, all[i].Names()...)
		}
	case is && (needs != savedChats || p.store != nil):
		return p.names(ctx, kind, nil)
	}
	return names
}
