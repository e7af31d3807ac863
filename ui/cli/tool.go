package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/chains/tool"
	"ibid/ui/diff"
	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/undo"
)

// toolJSON is a tool of a list.
type toolJSON struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      any    `json:"schema"`
}

// toolRunJSON is what a tool returned.
type toolRunJSON struct {
	Name    string       `json:"name"`
	Text    string       `json:"text"` // as the model gets it
	Note    string       `json:"note"`
	Sources []sourceJSON `json:"sources"`

	Written *writtenJSON `json:"written,omitempty"` // of a tool that proposes a change, if it was made
}

// writtenJSON is a change that was made.
type writtenJSON struct {
	Path string `json:"path"`
	Undo int    `json:"undo,omitempty"`
	did  string
}

// writeProposed makes a change if the flags allow it.
func writeProposed(ctx context.Context, approve plain.Approvals, p *chains.Proposal) (*writtenJSON, error) {
	if !approve.Covers(p.Path) {
		return nil, nil
	}
	done, err := p.Apply(ctx, chains.Decision{Yes: true})
	if err == nil && done.Again != nil {
		err = fmt.Errorf("write %s: %w", p.Path, vault.ErrChanged)
	}
	if err != nil {
		return nil, err
	}
	return &writtenJSON{p.Path, done.Undo, done.Text}, nil
}

// said is what became of a proposal, for people.
func (r *toolRunJSON) said(path string) string {
	if r.Written == nil {
		return fmt.Sprintf("nothing was written: --approve %q or --approve all writes it", path)
	}
	return path + ": " + r.Written.did
}

// sourceJSON is what a result may be cited as.
type sourceJSON struct {
	ID       int    `json:"id"`
	Path     string `json:"path"`
	Heading  string `json:"heading,omitempty"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Revision string `json:"revision"`
}

func (a *app) toolCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "tool [name [json]]",
		Short:   "Run a tool as a model would, and print what it would get",
		Long:    "Tool runs one of the tools that a model may call, with arguments in JSON, and prints what the model would get. Nothing is asked of a model. Of a tool that proposes a change it prints the difference, and makes the change if --approve allows it. Without a name it lists the tools.",
		Example: "  ibid tool\n  ibid tool localSearch '{\"query\":\"barn roof last spring\"}'\n  ibid tool timeRange '{\"expression\":\"last week\"}'",
		Args:    cobra.MaximumNArgs(2),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if len(args) == 0 {
				for _, t := range everyTool() {
					names = append(names, t.Spec().Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listTools()
			}
			return a.with(c.Context(), "", readNotes, func(ctx context.Context, p *parts) error {
				err := a.runTool(ctx, p, args)
				p.desk.CatchUp(ctx)
				return err
			})
		},
	}
}

// web is what the tools of the web work with.
func (c *ToolsConfig) web() tool.Web {
	return tool.Web{Search: c.Web.Search, Fetch: c.Web.Fetch}
}

// listTools prints the tools that there are.
func (a *app) listTools() error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	for _, t := range tool.New(tool.Options{Web: c.Tools.web(), Journal: undo.New(nil, undo.Options{}), Memory: func() string { return c.Memory }}) {
		spec := t.Spec()
		first, _, _ := strings.Cut(spec.Description, ". ")
		a.printLine(toolJSON{spec.Name, spec.Description, json.RawMessage(spec.Schema)}, "%-22s %s.", spec.Name, strings.TrimSuffix(first, "."))
	}
	return nil
}

// toolNamed is the tool of a name, in any case, or an error that says why it cannot run.
func toolNamed(a *app, p *parts, name string) (chains.Tool, error) {
	for _, t := range p.desk.Tools() {
		spec := t.Spec()
		switch {
		case !strings.EqualFold(spec.Name, name):
		case spec.Ask == chains.AccessWeb && !slices.Contains(a.flags.Approve.Kinds(), chains.AccessWeb):
			a.remark("%s uses the network: --approve @web allows it", spec.Name)
			return nil, exit(plain.ExitUnasked)
		default:
			return t, nil
		}
	}
	for _, t := range tool.Absent(tool.Options{Web: p.config.Tools.web(), Memory: p.memory.Note}) {
		if strings.EqualFold(t.Name, name) {
			return nil, usagef("%s is off: %s", t.Name, t.Why)
		}
	}
	return nil, usagef("there is no tool %q; `ibid tool` lists them", name)
}

// runTool runs the tool that args name, with the arguments that they give.
func (a *app) runTool(ctx context.Context, p *parts, args []string) error {
	wanted, err := toolNamed(a, p, args[0])
	if err != nil {
		return err
	}
	o := desk.Options{Active: cmp.Or(a.flags.Active, p.config.Active)}
	if o.Active != "" {
		if err := a.activeNote(ctx, p, &o); err != nil {
			return err
		}
	}
	if err := p.desk.LookAround(); err != nil {
		return err
	}
	out, err := chains.RunTool(chains.Caller{Active: o.Active}.In(ctx), wanted, strings.Join(args[1:], ""))
	if err != nil {
		return err
	}
	name := wanted.Spec().Name
	var names []string
	for _, t := range p.desk.Tools() {
		names = append(names, t.Spec().Name)
	}
	text, status := out.Result(name).Text(names), plain.ExitDone
	run := toolRunJSON{Name: name, Note: out.Note, Sources: []sourceJSON{}}
	if out.Propose != nil {
		text = out.Propose.Diff()
		for _, w := range out.Propose.Warnings {
			a.remark("%s", w)
		}
		if run.Written, err = writeProposed(ctx, a.flags.Approve, out.Propose); err != nil {
			return err
		}
		if run.Written == nil {
			status = plain.ExitUnasked
		}
		if !a.flags.JSON {
			text = diff.Text(text)
			defer a.remark("%s", run.said(out.Propose.Path))
		}
	}
	if !a.flags.JSON {
		if terminal(a.env.Stdout) {
			text = theme.Sanitize(text)
		}
		a.print(strings.TrimSuffix(text, "\n") + "\n")
		return statusError(status)
	}
	run.Text = text
	for _, s := range out.Sources {
		run.Sources = append(run.Sources, sourceJSON(s))
	}
	a.print(theme.JSONLine(run))
	return statusError(status)
}
