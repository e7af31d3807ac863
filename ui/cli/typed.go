package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"ibid/ui/plain"
)

// Limits of the earlier messages of line mode, and of the wait for servers when tab completes a model.
const (
	mostTyped  = 500
	modelsWait = 3 * time.Second
)

// lineEditor returns an editor of lines. Standard input and output must be terminals.
func (p *parts) lineEditor(ctx context.Context, press func() bool) io.Reader {
	e := plain.NewEditor(p.env.Stdin.(*os.File), p.env.Stdout.(*os.File))
	e.Press = press
	e.Earlier = func() (lines []string) {
		if p.store == nil {
			return nil
		}
		all, _ := p.store.Asked(ctx, mostTyped) // on error those that could be read
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

// typedNames completes names in line mode. Unlike a shell it asks servers for their models.
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
