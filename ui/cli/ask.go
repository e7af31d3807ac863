package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ibid/ui/plain"
)

func (a *app) output() *plain.Output {
	return &plain.Output{Out: &a.out, Err: a.env.Stderr, JSON: a.flags.JSON, Approve: a.flags.Approve}
}

func (a *app) askCommand() *cobra.Command {
	var saved string
	var timeout time.Duration
	in := input{app: a}
	ask := &cobra.Command{
		Use:   "ask [question]",
		Short: "Ask one question; the reply goes to standard output",
		Long: "Ask runs one turn. The question comes from the arguments, else from standard input, as it does for -. What is piped in beside a question goes along as an attachment called stdin, up to 16 MB of text; with --stdin=off it does not, as in a loop that reads a list from standard input. " +
			"With --chat it continues a saved chat. With --prompt a saved prompt asks, about the question if there is one.",
		RunE: func(c *cobra.Command, args []string) error {
			question := strings.Join(args, " ")
			if c.Flags().Changed("prompt") && strings.TrimSpace(saved) == "" {
				return usagef("--prompt is empty: `ibid prompts` lists the saved ones")
			}
			work := readNotes | chooseModel | askServers | oneTurn
			var err error
			if question == "-" || question == "" && (saved == "" || in.reader() != nil) {
				work |= fromInput
				question, err = in.read(c.Context(), false)
			} else {
				a.stdin, err = in.read(c.Context(), true)
			}
			if err != nil {
				return err
			}
			if strings.TrimSpace(question) == "" && saved == "" {
				return usagef("the question is empty: nothing was sent")
			}
			return a.with(c.Context(), "", work, func(ctx context.Context, p *parts) error {
				if timeout <= 0 {
					timeout = math.MaxInt64
				}
				short, cancel := context.WithTimeout(ctx, timeout)
				defer cancel()
				status := plain.Ask(short, p.desk, a.outputFor(p), question, saved)
				p.desk.CatchUp(ctx)
				if short.Err() != nil && ctx.Err() == nil {
					a.remark("no whole reply within %s: what came is saved like any other that was stopped", timeout)
					status = plain.ExitFailed
				}
				return statusError(status)
			})
		},
	}
	ask.Flags().StringVar(&saved, "prompt", "", "let the saved prompt `NAME` ask")
	ask.Flags().StringVar(&in.mode, "stdin", "auto", "what is piped in goes along with the question, or not: `auto|off`")
	ask.Flags().DurationVar(&timeout, "timeout", 0, "stop the reply after `TIME`, such as 90s or 5m")
	must(ask.RegisterFlagCompletionFunc("prompt", completePrompt(a)))
	completes(ask, "stdin", stdinModes...)
	return ask
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
	for _, n := range p.model.Notices {
		out.Warn("model", n)
	}
	return out
}

// lines is ibid --plain.
func (a *app) lines(ctx context.Context, p *parts) error {
	out, prompt := a.outputFor(p), ""
	if terminal(a.env.Stdin) && terminal(a.env.Stdout) && !a.flags.JSON {
		prompt, out.Labels = "> ", true
		out.Say(fmt.Sprintf("%s, answered by %s. A message or a command a line: /help lists them, /quit ends.", a.folder.tilde(p.dir), p.model.Options.ModelName))
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
