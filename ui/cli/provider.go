package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains/connect"
	"ibid/chains/connect/keystore"
	"ibid/ui/plain"
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

func providerCommand(a *app) *cobra.Command {
	list := func(use string) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: "List providers, where their keys are, and which of them answers",
			Long:    "List shows the providers of the configuration and those that have a key: address, where the key is from, and with * the one that answers. It asks no server and runs no command. Keys are never shown.",
			Args:    cobra.NoArgs,
			Example: "  ibid provider\n  ibid provider add openrouter\n  ibid provider add work --base-url https://models.example.com/v1 --key-command 'pass show work'",
			RunE:    a.asking(a.listProviders),
		}
	}
	root, sub := list("provider"), list("list")
	root.Short, sub.Example = "List, add, test and remove providers", ""
	root.AddCommand(sub, addCommand(a), &cobra.Command{
		Use:   "test NAME",
		Short: "Test a provider: its key, its models, and two small requests",
		Long:  "Test checks one provider as `ibid doctor --ask-models` does: it asks for its models, and then sends one of them two small requests, which the provider may charge, to see streaming, tools and caching. They hold a text made for this and nothing of the notes. The model is the one that --model names, else the configured one, else the one that answered last, else the one that would answer without a choice. What ibid learned of the server from refusals is forgotten first.",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: completion(a.configuredNames),
		RunE: a.asking(func(ctx context.Context, all *connect.Providers, args []string) error {
			ok, err := all.Test(ctx, args[0], newDoctor(a, true).CheckOptions)
			if err == nil && !ok {
				err = exit(plain.ExitFailed)
			}
			if a.flags.JSON {
				return err
			}
			return a.say("nothing is wrong with "+args[0], err)
		}),
	}, &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a provider from the configuration, and its key from where ibid keeps it",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: completion(a.configuredNames),
		RunE: a.asking(func(ctx context.Context, all *connect.Providers, args []string) error {
			return a.say(all.Remove(ctx, args[0]))
		}),
	})
	return root
}

func addCommand(a *app) *cobra.Command {
	var o providerFlags
	return addFlags(&cobra.Command{
		Use:   "add NAME|URL",
		Short: "Add a provider: test its key, keep it, and write it down in the configuration",
		Long: "Add takes the name of a provider that ibid knows, another name with --base-url, or an address. The key is typed without being shown, or comes with --key-stdin; it is never an argument. " +
			"It is tested first: the server is asked for its models, and on a terminal, if you agree, for two short replies. " +
			"Then it goes into the keyring of the system, or where there is none into keys.toml beside the configuration, which only you may read. " +
			"The configuration gets a table [providers.NAME] and is not changed otherwise. For a provider that is configured already, the key alone is replaced.",
		Example: "  ibid provider add anthropic\n  ibid provider add http://localhost:4000/v1 --name litellm\n  pass show work | ibid provider add work --base-url https://models.example.com/v1 --key-stdin",
		Args:    cobra.ExactArgs(1), ValidArgsFunction: completion(a.providerNames),
		RunE: a.asking(func(ctx context.Context, all *connect.Providers, args []string) error {
			return a.addProvider(ctx, all, args[0], &o)
		}),
	}, &o)
}

// providerNames are the names that a provider can be chosen by, for a shell: without a
// configuration those that everybody has.
func (a *app) providerNames(ctx context.Context, _ []string) []string {
	all, _ := a.configured()
	return all.Names(ctx)
}

// configuredNames are the names of providers that are configured, for a shell.
func (a *app) configuredNames(context.Context, []string) []string {
	cfg, _ := a.settings() // a broken file has none
	return slices.Sorted(maps.Keys(cfg.Providers))
}

// asking runs a command over the providers that are configured.
func (a *app) asking(do func(context.Context, *connect.Providers, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		all, err := a.configured()
		if err != nil {
			return err
		}
		return do(c.Context(), all, args)
	}
}

func (a *app) listProviders(ctx context.Context, all *connect.Providers, _ []string) error {
	list, note, err := all.List(ctx)
	if err != nil {
		return err
	}
	for _, o := range list {
		mark := " "
		if o.Answers {
			mark = "*"
		}
		a.printLine(o, "%s %-14s %-10s %-44s %s", mark, o.Name, o.Kind, o.BaseURL, o.Text)
	}
	if note != "" {
		a.hint("%s", note)
	}
	return nil
}

// addProvider adds the provider of a name or an address.
func (a *app) addProvider(ctx context.Context, all *connect.Providers, what string, o *providerFlags) error {
	if !o.KeyStdin && a.piped(ctx) {
		return usagef("something is piped in, which is not read without --key-stdin: nothing was added")
	}
	add := connect.Addition{
		What: what, Name: o.Name, Untested: o.Untested,
		Settings: connect.Settings{
			Kind: o.Kind, KeyEnv: o.KeyEnv, KeyCommand: o.KeyCommand, BaseURL: a.flags.BaseURL, Model: a.flags.Model,
		},
		Note: func(text string) { a.remark("%s", text) },
	}
	if o.KeyStdin {
		add.Key = func() (string, error) {
			line, err := bufio.NewReader(a.env.Stdin).ReadString('\n')
			if keystore.Clean(line) == "" {
				return "", usagef("--key-stdin: there is no key on standard input (%v)", cmp.Or(err, errors.New("the first line is empty")))
			}
			return line, nil
		}
	}
	if terminal(a.env.Stdin) {
		add.Type = a.secret
		add.Keep = func(ctx context.Context) bool { return a.agreed(ctx, "keep it all the same? [y/N] ") }
	}
	added, text, err := all.Add(ctx, add, newDoctor(a, false).CheckOptions)
	if errors.Is(err, connect.ErrUntested) {
		name, _, _ := strings.Cut(err.Error(), ": ")
		return a.nothing("%s is not added; --untested adds it without a test", name)
	}
	if err == nil {
		a.printLine(map[string]any{"type": "provider", "name": added.Name, "base_url": added.BaseURL, "key": added.Key}, "%s", text)
	}
	return err
}
