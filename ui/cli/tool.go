package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
	"ibid/ui/diff"
	"ibid/ui/plain"
	"ibid/ui/theme"
	"ibid/vault"
)

// toolJSON is the JSON row of a tool in the list.
type toolJSON struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      any    `json:"schema"`
}

// toolRunJSON is the JSON row of the result of a tool.
type toolRunJSON struct {
	Name    string          `json:"name"`
	Text    string          `json:"text"` // as the model gets it
	Note    string          `json:"note"`
	Sources []chains.Source `json:"sources"`

	Written *writtenJSON `json:"written,omitempty"` // set if the tool proposed a change, and it was made
}

// writtenJSON is the JSON row of a change that was made. Undo is its number for /undo-write.
type writtenJSON struct {
	Path string `json:"path"`
	Undo int    `json:"undo,omitempty"`
	did  string
}

// apply makes a change. A note that changed since it was read is an error: nobody can be asked again.
func apply(ctx context.Context, p *chains.Proposal) (*writtenJSON, error) {
	done, err := p.Apply(ctx, chains.Decision{Yes: true})
	if err == nil && done.Again != nil {
		err = fmt.Errorf("write %s: %w", p.Path, vault.ErrChanged)
	}
	if err != nil {
		return nil, err
	}
	return &writtenJSON{p.Path, done.Undo, done.Text}, nil
}

// useTool runs the named tool, or lists all, for which it opens no vault.
func useTool(ctx context.Context, p *parts, words []string) error {
	needs, do := readNotes, runTool
	if len(words) == 0 {
		needs, do = noVault, listTools
	}
	return p.with(ctx, "", needs, func(ctx context.Context, p *parts) error {
		if needs == readNotes {
			p.warnOfRules()
		}
		return do(ctx, p, words)
	})
}

// listTools prints the tools that the settings allow.
func listTools(_ context.Context, p *parts, _ []string) error {
	for _, t := range toolsWith(p.config.Tools.Web) {
		spec := t.Spec()
		first, _, _ := strings.Cut(spec.Description, ". ")
		p.printLine(toolJSON{spec.Name, spec.Description, json.RawMessage(spec.Schema)},
			"%-22s %s.", spec.Name, strings.TrimSuffix(first, "."))
	}
	return nil
}

// toolNamed returns the tool of a name, in any case. The error says why it cannot run.
func (p *parts) toolNamed(name string) (chains.Tool, error) {
	for _, t := range p.desk.Tools() {
		spec := t.Spec()
		switch {
		case !strings.EqualFold(spec.Name, name):
		case spec.Ask == chains.AccessWeb && !slices.Contains(p.flags.Approve.Kinds(), chains.AccessWeb):
			p.complain("%s uses the network: --approve @web allows it", spec.Name)
			return nil, exit(plain.ExitUnasked)
		default:
			return t, nil
		}
	}
	for _, t := range p.desk.Session().Options().Tools.Absent {
		if strings.EqualFold(t.Name, name) {
			return nil, usagef("%s is off: %s", t.Name, t.Why)
		}
	}
	return nil, usagef("there is no tool %q; `ibid tool` lists them", name)
}

// runTool runs the tool args[0] with the JSON in args[1] and prints the text that a model would get. A change is made
// only with --approve.
func runTool(ctx context.Context, p *parts, args []string) error {
	defer p.desk.CatchUp(ctx)
	wanted, err := p.toolNamed(args[0])
	if err != nil {
		return err
	}
	active, err := p.activeNote(ctx, cmp.Or(p.flags.Active, p.config.Active))
	if err != nil {
		return err
	}
	if err := p.desk.LookAround(); err != nil {
		return err
	}
	out, err := chains.RunTool(chains.Caller{Active: active}.In(ctx), wanted, strings.Join(args[1:], ""))
	if err != nil {
		return err
	}
	run, status := toolRunJSON{
		Name: wanted.Spec().Name, Note: out.Note, Sources: append([]chains.Source{}, out.Sources...),
	}, plain.ExitDone
	run.Text = out.Result(run.Name).Text(toolNames(p.desk.Tools()))
	text := run.Text
	if change := out.Propose; change != nil {
		run.Text = change.Diff()
		text = diff.Text(run.Text)
		for _, w := range change.Warnings {
			p.remark("%s", w)
		}
		said := fmt.Sprintf("nothing was written: --approve %q or --approve all writes it", change.Path)
		if status = plain.ExitUnasked; p.flags.Approve.Covers(change.Path) {
			if run.Written, err = apply(ctx, change); err != nil {
				return err
			}
			said, status = change.Path+": "+run.Written.did, plain.ExitDone
		}
		defer p.hint("%s", said)
	}
	if terminal(p.env.Stdout) {
		text = theme.Sanitize(text)
	}
	p.printRow(run, strings.TrimSuffix(text, "\n")+"\n")
	return statusError(status)
}
