package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ibid/ui/plain"
)

func (a *app) output() *plain.Output {
	return &plain.Output{Out: &a.out, Err: a.env.Stderr, JSON: a.flags.json, Approve: a.flags.approve}
}

func (a *app) askCommand() *cobra.Command {
	var saved string
	var timeout time.Duration
	ask := &cobra.Command{
		Use:   "ask [question]",
		Short: "Ask one question; the reply goes to standard output",
		Long:  "Ask runs one turn. The question comes from the arguments, else from standard input. With --chat it continues a saved chat. With --prompt a saved prompt asks, about the question if there is one.",
		RunE: func(c *cobra.Command, args []string) error {
			question := strings.Join(args, " ")
			if c.Flags().Changed("prompt") && strings.TrimSpace(saved) == "" {
				return usagef("--prompt is empty: `ibid prompts` lists the saved ones")
			}
			if question == "-" || question == "" && (saved == "" || !terminal(a.env.Stdin)) {
				var err error
				if question, err = a.readQuestion(c.Context()); err != nil {
					return err
				}
			}
			if strings.TrimSpace(question) == "" && saved == "" {
				return usagef("the question is empty: nothing was sent")
			}
			return a.with(c.Context(), "", readNotes|chooseModel|askServers|oneTurn, func(ctx context.Context, p *parts) error {
				short, cancel := within(ctx, timeout)
				defer cancel()
				status := plain.Ask(short, p.desk, a.outputFor(p), question, saved)
				p.desk.CatchUp(ctx)
				if short.Err() != nil && ctx.Err() == nil {
					remark(a.env.Stderr, "no whole reply within %s: what came is saved like any other that was stopped", timeout)
					status = plain.ExitFailed
				}
				return statusError(status)
			})
		},
	}
	ask.Flags().StringVar(&saved, "prompt", "", "let the saved prompt `NAME` ask")
	ask.Flags().DurationVar(&timeout, "timeout", 0, "stop the reply after `TIME`, such as 90s or 5m")
	must(ask.RegisterFlagCompletionFunc("prompt", completePrompt(a)))
	return ask
}

// within is ctx for so long at most, 0 for no limit.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// maxQuestion is the longest question that is read, in bytes.
const maxQuestion = 16 << 20

// readQuestion reads the question from standard input. The goroutine that reads
// ends with its input, at the latest with the process.
func (a *app) readQuestion(ctx context.Context) (string, error) {
	if terminal(a.env.Stdin) {
		return "", usagef("no question: give it as an argument or on standard input")
	}
	var data []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		data, err = io.ReadAll(io.LimitReader(a.env.Stdin, maxQuestion+1))
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil: // half a question is not sent
		return "", exit(plain.ExitInterrupted)
	case err != nil:
		return "", fmt.Errorf("read the question: %w", err)
	case len(data) > maxQuestion:
		return "", usagef("the question is longer than 16 MB: attach it as a note instead")
	}
	return string(data), nil
}

// statusError is the end of a command whose output said everything.
func statusError(status int) error {
	if status == plain.ExitDone {
		return nil
	}
	return exit(status)
}

// outputFor is the output, to which was written what there is to say about the
// vault and the model.
func (a *app) outputFor(p *parts) *plain.Output {
	out := a.output()
	if n := len(p.vault.SkippedLinks()); n > 0 {
		out.Warn("linked_folders", fmt.Sprintf("%d linked folders or files lead outside the vault and are not read; files.follow_links = true reads them", n))
	}
	for _, w := range p.vault.Warnings() {
		out.Warn("vault", w)
	}
	for _, n := range p.notices {
		out.Warn("config", n)
	}
	for _, n := range p.model.notices {
		out.Warn("model", n)
	}
	return out
}

// lines is ibid --plain.
func (a *app) lines(ctx context.Context, p *parts) error {
	out, prompt := a.outputFor(p), ""
	if terminal(a.env.Stdin) && terminal(a.env.Stdout) && !a.flags.json {
		prompt, out.Labels = "> ", true
		out.Say(fmt.Sprintf("%s, answered by %s. A message or a command a line: /help lists them, /quit ends.", a.folder.tilde(p.dir), p.model.options.ModelName))
	}
	out.Fleeting = a.sample
	out.Typed = terminal(a.env.Stdin)
	out.Asks = out.Typed && terminal(a.env.Stderr)
	if out.Typed && a.env.Interrupts != nil {
		presses, release := a.env.Interrupts.take()
		defer release()
		out.Interrupts = presses
	}
	return statusError(plain.Lines(ctx, p.desk, a.env.Stdin, out, prompt))
}

func (a *app) contextCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "context [text]",
		Short: "Show what the next turn would send; sends nothing",
		Long:  "Context shows the request that a turn with this text would make: its layers with token counts, what is attached, and how much of it the provider's cache should hold. With --json the exact messages are included. No request is made.",
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(c.Context(), "", readNotes|chooseModel, func(ctx context.Context, p *parts) error {
				out := a.output()
				for _, n := range p.desk.Notices() {
					out.Warn(n.Kind, n.Text)
				}
				plain.Line(ctx, p.desk, out, "/context "+strings.Join(args, " "))
				return statusError(plain.Status(ctx, out))
			})
		},
	}
}
