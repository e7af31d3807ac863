package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"ibid/chains"
	"ibid/chains/connect"
	"ibid/chains/connect/keystore"
	"ibid/ui/plain"
	"ibid/ui/theme"
)

// providerFlags are the flags of ibid provider add.
type providerFlags struct {
	Name       string `flag:"name" values:"" help:"call it <NAME>"`
	Kind       string `flag:"kind" values:"openai|anthropic|ollama|azure" help:"it speaks <openai|anthropic|ollama|azure>"`
	KeyEnv     string `flag:"key-env" values:"" help:"its key is in the environment variable <VAR>"`
	KeyCommand string `flag:"key-command" values:"" help:"<CMD> prints its key; no shell reads it"`
	KeyStdin   bool   `flag:"key-stdin" help:"read its key from standard input"`
	Untested   bool   `flag:"untested" help:"ask the server nothing"`
}

// testProvider checks a provider, with requests to a model: naming it is the consent.
func testProvider(ctx context.Context, p *parts, args []string) error {
	ok, err := p.servers.Test(ctx, args[0], newDoctor(p.app, true).CheckOptions)
	if err == nil && !ok {
		err = exit(plain.ExitFailed)
	}
	if err == nil && !p.flags.JSON {
		p.print("nothing is wrong with " + oneLine(args[0]) + "\n")
	}
	return err
}

func listProviders(ctx context.Context, p *parts, _ []string) error {
	list, note, err := p.servers.List(ctx)
	if err != nil {
		return err
	}
	for _, o := range list {
		mark := " "
		if o.Answers {
			mark = "*"
		}
		p.printLine(o, "%s %-14s %-10s %-44s %s", mark, o.Name, o.Kind, o.BaseURL, o.Text)
	}
	if note != "" {
		p.hint("%s", note)
	}
	return nil
}

// run adds a provider by its name or address. A pipe that is not read is an error, since it may hold the key.
func (o *providerFlags) run(ctx context.Context, p *parts, args []string) error {
	if !o.KeyStdin && p.piped(ctx) {
		return usagef("something is piped in, which is not read without --key-stdin: nothing was added")
	}
	add := connect.Addition{
		What: args[0], Name: o.Name, Untested: o.Untested,
		Settings: connect.Settings{
			Kind: o.Kind, KeyEnv: o.KeyEnv, KeyCommand: o.KeyCommand, BaseURL: p.flags.BaseURL, Model: p.flags.Model,
		},
	}
	if o.KeyStdin {
		add.Key = func() (string, error) {
			line, err := bufio.NewReader(p.env.Stdin).ReadString('\n')
			if keystore.Clean(line) == "" {
				return "", usagef("--key-stdin: there is no key on standard input (%v)",
					cmp.Or(err, errors.New("the first line is empty")))
			}
			return line, nil
		}
	}
	if terminal(p.env.Stdin) {
		add.Type = p.secret
	}
	added, text, err := p.servers.Add(ctx, add, newDoctor(p.app, false).CheckOptions)
	return p.report(rowJSON{
		"type": "provider", "name": added.Name, "base_url": added.BaseURL, "key": added.Key,
	}, text, err)
}

func removeProvider(ctx context.Context, p *parts, args []string) error {
	text, err := p.servers.Remove(ctx, args[0])
	return p.report(rowJSON{"name": args[0]}, text, err)
}

// pullModel has a server download a model: the named one, else the Ollama of this machine.
func pullModel(ctx context.Context, p *parts, args []string) error {
	var now atomic.Value
	name := oneLine(args[0])
	now.Store("")
	err := p.live(func() string { return fmt.Sprintf("pulling %s: %s", name, now.Load()) }, func() error {
		for step, err := range p.servers.Pull(ctx, args[0]) {
			if err != nil {
				return err
			}
			now.Store(oneLine(step.String()))
		}
		return nil
	})
	return p.report(rowJSON{"type": "pulled", "model": args[0]}, name+" is pulled", err)
}

// modelJSON is the JSON row of a model.
type modelJSON struct {
	ID       string `json:"id"`
	Provider string `json:"provider"`
	Window   int    `json:"window,omitempty"`
	Images   bool   `json:"images"`
	Tools    bool   `json:"tools"`
	Chat     bool   `json:"chat"`
	Used     bool   `json:"used"`
}

// listModels lists the models of the named provider, else of all. A provider that fails is a warning unless it is the
// only one.
func listModels(ctx context.Context, p *parts, args []string) error {
	p.servers.Flags.Provider = cmp.Or(strings.Join(args, ""), p.flags.Provider)
	offers, notes, err := p.servers.Models(ctx)
	if err != nil {
		return err
	}
	for _, said := range notes {
		p.output().Warn("model", said)
	}
	if offers[0].Provider == "" {
		p.hint("no provider answers: `ibid provider add NAME` adds one")
	}
	err = offers[0].Err
	for _, o := range offers {
		switch {
		case o.Err != nil && len(offers) > 1:
			p.output().Warn("model", o.Provider+": "+o.Err.Error())
		case o.Err == nil:
			err = nil
		}
		for i, name := range o.Names() {
			p.printModel(&o.Models[i], &o, name)
		}
	}
	return err
}

// printModel prints a model under its name for --model.
func (a *app) printModel(m *chains.ModelInfo, of *chains.Offer, name string) {
	row, size := modelJSON{m.ID, of.Provider, m.Window, m.Images, m.Tools, m.Chat, m.ID == of.Last}, "window unknown"
	if m.Window > 0 {
		size = theme.Comma(m.Window) + " tokens"
	}
	if row.Used {
		size += "  (used last)"
	} else if !m.Chat {
		size += "  (no chat model)"
	}
	a.printLine(row, "%-44s %s", name, size)
}
