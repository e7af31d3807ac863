package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/ui/theme"
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
		Long:    "Tool runs one of the tools that a model may call, with arguments in JSON, and prints what the model would get. Nothing is asked of a model. Without a name it lists the tools.",
		Example: "  ibid tool\n  ibid tool localSearch '{\"query\":\"barn roof last spring\"}'\n  ibid tool timeRange '{\"expression\":\"last week\"}'",
		Args:    arguments(cobra.MaximumNArgs(2)),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if len(args) == 0 {
				for _, t := range tool.New(tool.Options{}) {
					names = append(names, t.Spec().Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				a.listTools()
				return nil
			}
			return a.with(c.Context(), "", readNotes, func(ctx context.Context, p *parts) error {
				err := a.runTool(ctx, p, args)
				p.desk.CatchUp(ctx)
				return err
			})
		},
	}
}

// listTools prints the tools that there are.
func (a *app) listTools() {
	for _, t := range tool.New(tool.Options{}) {
		spec := t.Spec()
		if a.flags.json {
			a.print(theme.JSONLine(toolJSON{spec.Name, spec.Description, json.RawMessage(spec.Schema)}))
			continue
		}
		first, _, _ := strings.Cut(spec.Description, ". ")
		a.print(fmt.Sprintf("%-22s %s.\n", spec.Name, strings.TrimSuffix(first, ".")))
	}
}

// runTool runs the tool that args name, with the arguments that they give.
func (a *app) runTool(ctx context.Context, p *parts, args []string) error {
	tools := p.desk.Tools()
	i := slices.IndexFunc(tools, func(t chains.Tool) bool { return strings.EqualFold(t.Spec().Name, args[0]) })
	if i < 0 {
		return usagef("there is no tool %q; `ibid tool` lists them", args[0])
	}
	if err := p.desk.LookAround(); err != nil {
		return err
	}
	out, err := chains.RunTool(ctx, tools[i], strings.Join(args[1:], ""))
	if err != nil {
		return err
	}
	name := tools[i].Spec().Name
	var names []string
	for _, t := range tools {
		names = append(names, t.Spec().Name)
	}
	text := out.Result(name).Text(names)
	if !a.flags.json {
		if terminal(a.env.Stdout) {
			text = theme.Sanitize(text)
		}
		a.print(text + "\n")
		return nil
	}
	run := toolRunJSON{Name: name, Text: text, Note: out.Note, Sources: []sourceJSON{}}
	for _, s := range out.Sources {
		run.Sources = append(run.Sources, sourceJSON(s))
	}
	a.print(theme.JSONLine(run))
	return nil
}
