package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ibid/ui/browse"
	"ibid/ui/plain"
)

func (a *app) output() *plain.Output {
	return &plain.Output{
		Out: &a.out, Err: a.env.Stderr, JSON: a.flags.JSON, Approve: a.flags.Approve,
		Style: plain.Style{Quiet: a.flags.Quiet},
	}
}

// askFlags are the flags of ibid ask.
type askFlags struct {
	Files   []string      `flag:"file,f" help:"attach <FILE>, which may be outside of the vault (repeatable)"`
	Prompt  string        `flag:"prompt" values:"PROMPT" help:"let the saved prompt <NAME> ask"`
	Stdin   string        `flag:"stdin" values:"auto|off" default:"auto" help:"what is piped in goes along with the question, or not: <auto|off>"`
	AtOnce  bool          `flag:"no-stream" help:"write the reply when it is whole"`
	Timeout time.Duration `flag:"timeout" help:"stop the reply after <TIME>, such as 90s or 5m"`
}

// check returns an error for --prompt with an empty name, which the value alone does not tell from no flag.
func (f *askFlags) check(c *cobra.Command, _ []string) error {
	if c.Flags().Changed("prompt") && strings.TrimSpace(f.Prompt) == "" {
		return usagef("--prompt is empty: `ibid prompts` lists the saved ones")
	}
	return nil
}

const nothingSent = "nothing was sent"

// run asks the question from the arguments, else from standard input.
func (f *askFlags) run(ctx context.Context, p *parts, args []string) (err error) {
	question := strings.Join(args, " ")
	work := readNotes | chooseModel | askServers | oneTurn
	if question == "-" || question == "" && (f.Prompt == "" || p.stdinReader(f.Stdin) != nil) {
		work |= fromInput
		input := stdinUse{mode: f.Stdin, what: "the question", undone: nothingSent}
		if question == "" && f.Prompt != "" {
			input.what, input.beside = "standard input", true
		}
		question, err = p.readStdin(ctx, input)
	} else {
		p.stdin, err = p.readStdin(ctx, stdinUse{
			mode: f.Stdin, what: "standard input", undone: nothingSent, beside: true,
		})
	}
	if err != nil {
		return err
	}
	p.files = f.Files
	if strings.TrimSpace(question) == "" && f.Prompt == "" {
		return usagef("the question is empty: nothing was sent")
	}
	return p.with(ctx, "", work, func(ctx context.Context, p *parts) error { return p.askOnce(ctx, question, f) })
}

// askOnce runs one turn, within the time limit of the flags.
func (p *parts) askOnce(ctx context.Context, question string, f *askFlags) error {
	most := f.Timeout
	if most <= 0 {
		most = math.MaxInt64
	}
	short, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	out := p.outputFor()
	out.Drawing, out.WholeReplies = p.drawing(), f.AtOnce
	status := plain.Ask(short, p.desk, out, question, f.Prompt)
	p.desk.CatchUp(ctx)
	if short.Err() != nil && ctx.Err() == nil {
		p.complain("no whole reply within %s: what came is saved like any other that was stopped", most)
		status = plain.ExitFailed
	}
	return statusError(status)
}

// drawing is like drawingOf, but wikilinks lead to the notes of the vault.
func (p *parts) drawing() *plain.Drawing {
	d := drawingOf(p.app)
	if d != nil {
		d.Address = browse.AddressIn(p.vault)
	}
	return d
}

// statusError returns the error that ends the program with a status of package plain, nil for success.
func statusError(status int) error {
	if status == plain.ExitDone {
		return nil
	}
	return exit(status)
}

// outputFor returns the output after printing the notices about the vault, the settings and the model.
func (p *parts) outputFor() *plain.Output {
	out := p.output()
	warn := func(kind string, all ...string) {
		for _, text := range all {
			out.Warn(kind, text)
		}
	}
	out.WarnOfRules(p.vault.RulesWarning())
	warn("vault", p.vault.Warnings()...)
	warn("config", p.notices...)
	warn("model", p.model.Notices...)
	return out
}

// lines runs line mode, on a terminal or a pipe.
func lines(ctx context.Context, p *parts) error {
	in, out, prompt := p.env.Stdin, p.outputFor(), p.prompt
	out.Temporary, out.Typed = p.sample, terminal(p.env.Stdin)
	if out.Typed && terminal(p.env.Stdout) && !p.flags.JSON {
		prompt, out.Labels = "> ", true
		out.Say(fmt.Sprintf("%s, answered by %s. A message or a command a line: /help lists them, /quit ends.",
			p.folder.tilde(p.dir), p.model.Options.ModelName))
	}
	out.Asks = out.Typed && terminal(p.env.Stderr)
	if presses := p.env.Interrupts; out.Typed && presses != nil {
		taken, release := presses.Take()
		defer release()
		out.Interrupts = taken
		if prompt != "" && p.env.Getenv("TERM") != "dumb" {
			in = p.lineEditor(ctx, presses.Press)
		}
	}
	return statusError(plain.Lines(ctx, p.desk, in, out, prompt))
}

func showContext(ctx context.Context, p *parts, args []string) error {
	out := p.output()
	out.WarnOfRules(p.vault.RulesWarning())
	for _, n := range p.desk.Notices() {
		out.Warn(n.Kind, n.Text)
	}
	plain.Line(ctx, p.desk, out, "/context "+strings.Join(args, " "))
	return statusError(plain.Status(ctx, out))
}
