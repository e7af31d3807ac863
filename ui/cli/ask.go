package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains/desk"
	"ibid/ui/plain"
)

func (a *app) output() *plain.Output {
	return &plain.Output{Out: a.env.Stdout, Err: a.env.Stderr, JSON: a.flags.json}
}

func (a *app) askCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ask [question]",
		Short: "Ask one question; the reply goes to standard output",
		Long:  "Ask runs one turn. The question comes from the arguments, else from standard input. With --chat it continues a saved chat.",
		RunE: func(c *cobra.Command, args []string) error {
			question := strings.Join(args, " ")
			if question == "" || question == "-" {
				var err error
				if question, err = a.readQuestion(c.Context()); err != nil {
					return err
				}
			}
			if strings.TrimSpace(question) == "" {
				return usagef("the question is empty: nothing was sent")
			}
			return a.withDesk(c.Context(), "", func(ctx context.Context, d *desk.Desk, out *plain.Output) int {
				return plain.Ask(ctx, d, out, question)
			})
		},
	}
}

// maxQuestion is the longest question that is read, in bytes.
const maxQuestion = 16 << 20

// readQuestion reads the question from standard input.
func (a *app) readQuestion(ctx context.Context) (string, error) {
	if terminal(a.env.Stdin) {
		return "", usagef("no question: give it as an argument or on standard input")
	}
	data, err := io.ReadAll(io.LimitReader(a.env.Stdin, maxQuestion+1))
	switch {
	case ctx.Err() != nil: // half a question is not sent
		return "", exit(plain.ExitInterrupted)
	case err != nil:
		return "", fmt.Errorf("read the question: %w", err)
	case len(data) > maxQuestion:
		return "", usagef("the question is longer than 16 MB: attach it as a note instead")
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// withDesk sits down, says what there is to say about the vault and the model,
// and works.
func (a *app) withDesk(ctx context.Context, where string, work func(context.Context, *desk.Desk, *plain.Output) int) error {
	return a.sit(ctx, where, true, func(p *place, m chosen, d *desk.Desk) int {
		out := a.output()
		a.warnings(p, m, out)
		return work(ctx, d, out)
	})
}

// sit opens the vault, chooses the model, sits down and works. ask says whether
// servers may be asked which models they have.
func (a *app) sit(ctx context.Context, where string, ask bool, work func(*place, chosen, *desk.Desk) int) (err error) {
	p, err := a.open(where)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if err := p.vault.Scan(ctx); err != nil {
		return err
	}
	m, err := a.choose(ctx, p, ask)
	if err != nil {
		return err
	}
	d, err := a.desk(ctx, p, m)
	if err != nil {
		return err
	}
	if status := work(p, m, d); status != plain.ExitDone {
		return exit(status)
	}
	return nil
}

// warnings says what there is to say about the vault and the model.
func (a *app) warnings(p *place, m chosen, out *plain.Output) {
	if n := len(p.vault.SkippedLinks()); n > 0 {
		out.Warn("linked_folders", fmt.Sprintf("%d linked folders or files lead outside the vault and are not read; files.follow_links = true reads them", n))
	}
	for _, w := range p.vault.Warnings() {
		out.Warn("vault", w)
	}
	for _, n := range p.notices {
		out.Warn("config", n)
	}
	for _, n := range m.notices {
		out.Warn("model", n)
	}
}

// lines is ibid --plain.
func (a *app) lines(ctx context.Context, where string) error {
	return a.withDesk(ctx, where, func(ctx context.Context, d *desk.Desk, out *plain.Output) int {
		prompt := ""
		if terminal(a.env.Stdin) && terminal(a.env.Stdout) && !a.flags.json {
			prompt, out.Labels = "> ", true
		}
		return plain.Lines(ctx, d, a.env.Stdin, out, prompt)
	})
}

func (a *app) contextCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "context [text]",
		Short: "Show what the next turn would send; sends nothing",
		Long:  "Context shows the request that a turn with this text would make: its layers with token counts, what is attached, and how much of it the provider's cache should hold. With --json the exact messages are included. No request is made.",
		RunE: func(c *cobra.Command, args []string) error {
			return a.sit(c.Context(), "", false, func(_ *place, _ chosen, d *desk.Desk) int {
				out := a.output()
				for _, n := range d.Notices() {
					out.Warn(n.Kind, n.Text)
				}
				plain.Line(c.Context(), d, out, "/context "+strings.Join(args, " "))
				if out.Failed() {
					return plain.ExitFailed
				}
				return plain.ExitDone
			})
		},
	}
}
