package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"ibid/chains"
	"ibid/chains/connect"
	"ibid/chains/connect/keystore"
	"ibid/ui/cli/config"
	"ibid/ui/plain"
	"ibid/ui/theme"
)

// providerFlags is what a user says of a provider to add.
type providerFlags struct {
	Name       string `flag:"name" values:"" help:"call it <NAME>"`
	Kind       string `flag:"kind" values:"openai|anthropic|ollama|azure" help:"it speaks <openai|anthropic|ollama|azure>"`
	KeyEnv     string `flag:"key-env" values:"" help:"its key is in the environment variable <VAR>"`
	KeyCommand string `flag:"key-command" values:"" help:"<CMD> prints its key; no shell reads it"`
	KeyStdin   bool   `flag:"key-stdin" help:"read its key from standard input"`
	Untested   bool   `flag:"untested" help:"ask the server nothing"`
}

// testProvider tests the provider that is named.
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

// run adds the provider of a name or an address.
func (o *providerFlags) run(ctx context.Context, p *parts, args []string) error {
	if !o.KeyStdin && p.piped(ctx) {
		return usagef("something is piped in, which is not read without --key-stdin: nothing was added")
	}
	add := connect.Addition{
		What: args[0], Name: o.Name, Untested: o.Untested,
		Settings: connect.Settings{
			Kind: o.Kind, KeyEnv: o.KeyEnv, KeyCommand: o.KeyCommand, BaseURL: p.flags.BaseURL, Model: p.flags.Model,
		},
		Note: func(text string) { p.remark("%s", text) },
	}
	if o.KeyStdin {
		add.Key = func() (string, error) {
			line, err := bufio.NewReader(p.env.Stdin).ReadString('\n')
			if keystore.Clean(line) == "" {
				return "", usagef("--key-stdin: there is no key on standard input (%v)", cmp.Or(err, errors.New("the first line is empty")))
			}
			return line, nil
		}
	}
	if terminal(p.env.Stdin) {
		add.Type = p.secret
		add.Keep = func(ctx context.Context) bool { return p.agreed(ctx, "keep it all the same? [y/N] ") }
	}
	added, text, err := p.servers.Add(ctx, add, newDoctor(p.app, false).CheckOptions)
	if errors.Is(err, connect.ErrUntested) {
		name, _, _ := strings.Cut(err.Error(), ": ")
		return p.nothing("%s is not added; --untested adds it without a test", name)
	}
	if err == nil {
		p.printLine(rowJSON{"type": "provider", "name": added.Name, "base_url": added.BaseURL, "key": added.Key}, "%s", text)
	}
	return err
}

func removeProvider(ctx context.Context, p *parts, args []string) error {
	text, err := p.servers.Remove(ctx, args[0])
	return p.report(rowJSON{"name": args[0]}, text, err)
}

// providers is the providers of this run. parts says what they are for, nil is a command
// about them.
func (a *app) providers(c *Config, p *parts) *connect.Providers {
	o := connect.Options{
		Config: c.Config, Flags: a.flags.Flags, Getenv: a.env.Getenv, Tables: settingTools{a}, Hints: a.hints(), Path: a.path, Version: a.env.Version, OneTurn: true,
		Keys: keystore.Store{File: filepath.Join(filepath.Dir(a.configPath()), keystore.InFile), NoRing: a.env.Getenv("IBID_KEYRING") == "off"},
	}
	o.Config.Chats, o.Config.Widen = c.Chats.Chats, c.Search.Widen
	if a.flags.Record != "" {
		o.Record = a.path(a.flags.Record)
	}
	if terminal(a.env.Stdout) { // a person reads along
		o.Delay = 12 * time.Millisecond
	}
	if p != nil {
		o.Log, o.Screen, o.OneTurn = p.log, p.needs&onScreen != 0, p.needs&oneTurn != 0
		o.Reload = func() (map[string]connect.Settings, error) {
			now, err := a.settings()
			return now.Providers, err
		}
	}
	return connect.New(o)
}

// configured is the providers of a command about them.
func (a *app) configured() (*connect.Providers, error) {
	c, err := a.settings()
	return a.providers(c, nil), err
}

// checkProviders refuses tables that cannot mean anything. The first is named, by
// the alphabet.
func (c *Config) checkProviders(wrong config.ErrorMaker) error {
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		p := c.Providers[name]
		key, what := p.Misuse(name)
		if what == "" {
			continue
		}
		at := config.Key{"providers", name}
		if key != "" {
			at = append(at, strings.Split(key, ".")...)
		}
		return wrong(at, " %s", what)
	}
	return nil
}

// pullJSON is how far a pull is, for --json.
type pullJSON struct {
	Type  string `json:"type"` // pull
	Model string `json:"model"`
	Text  string `json:"text"`
	Done  int64  `json:"done"` // bytes
	Total int64  `json:"total"`
}

// pullModel pulls a model at the server that was named, else at the Ollama of this
// machine.
func pullModel(ctx context.Context, p *parts, args []string) error {
	var now atomic.Value
	name := oneLine(args[0])
	now.Store("")
	err := p.live(func() string { return fmt.Sprintf("pulling %s: %s", name, now.Load()) }, func() error {
		steps := p.servers.Pull(ctx, args[0])
		if p.flags.JSON {
			steps = chains.Tenths(steps)
		}
		for step, err := range steps {
			if err != nil {
				return err
			}
			now.Store(oneLine(step.String()))
			if p.flags.JSON {
				p.print(theme.JSONLine(pullJSON{"pull", args[0], step.Doing, step.Done, step.Total}))
			}
		}
		return nil
	})
	return p.report(rowJSON{"type": "pulled", "model": args[0]}, name+" is pulled", err)
}
