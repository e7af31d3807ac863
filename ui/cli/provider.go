package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains/connect"
	"ibid/chains/connect/keystore"
)

// adding is what a user says of a provider to add.
type adding struct {
	connect.Addition
	stdin bool // the key is the first line of standard input
}

func providerCommand(a *app) *cobra.Command {
	list := func(use string) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: "List providers, where their keys are, and which of them answers",
			Long:    "List shows the providers of the configuration and those that have a key: address, where the key is from, and with * the one that answers. It asks no server and runs no command. Keys are never shown.",
			Args:    cobra.NoArgs,
			Example: "  ibid provider\n  ibid provider add openrouter\n  ibid provider add work --base-url https://models.example.com/v1 --key-command 'pass show work'",
			RunE:    a.asking(listProviders),
		}
	}
	root, sub := list("provider"), list("list")
	root.Short, sub.Example = "List, add, test and remove providers", ""
	root.AddCommand(sub, addCommand(a), testCommand(a), removeCommand(a))
	return root
}

func addCommand(a *app) *cobra.Command {
	var o adding
	kind, _ := reflect.TypeFor[connect.Settings]().FieldByName("Kind")
	kinds := kind.Tag.Get("values")
	c := &cobra.Command{
		Use:   "add NAME|URL",
		Short: "Add a provider: test its key, keep it, and write it down in the configuration",
		Long: "Add takes the name of a provider that ibid knows, another name with --base-url, or an address. The key is typed without being shown, or comes with --key-stdin; it is never an argument. " +
			"It is tested first: the server is asked for its models, and on a terminal, if you agree, for two short replies. " +
			"Then it goes into the keyring of the system, or where there is none into keys.toml beside the configuration, which only you may read. " +
			"The configuration gets a table [providers.NAME] and is not changed otherwise. For a provider that is configured already, the key alone is replaced.",
		Example: "  ibid provider add anthropic\n  ibid provider add http://localhost:4000/v1 --name litellm\n  pass show work | ibid provider add work --base-url https://models.example.com/v1 --key-stdin",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { o.What = args[0]; return addProvider(c.Context(), a, &o) },
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.providers(Config{}, nil).Names(c.Context()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	f.StringVar(&o.Name, "name", "", "call it `NAME`")
	f.StringVar(&o.Settings.Kind, "kind", "", "it speaks `"+kinds+"`")
	f.StringVar(&o.Settings.KeyEnv, "key-env", "", "its key is in the environment variable `VAR`")
	f.StringVar(&o.Settings.KeyCommand, "key-command", "", "`CMD` prints its key; no shell reads it")
	f.BoolVar(&o.stdin, "key-stdin", false, "read its key from standard input")
	f.BoolVar(&o.Untested, "untested", false, "ask the server nothing")
	completes(c, "kind", strings.Split(kinds, "|")...)
	for _, name := range []string{"name", "key-env", "key-command"} {
		completes(c, name)
	}
	return c
}

// configuredNames completes the names of providers that are configured.
func configuredNames(a *app) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		cfg, _ := a.settings() // a broken file has none
		return slices.Sorted(maps.Keys(cfg.Providers)), cobra.ShellCompDirectiveNoFileComp
	}
}

func testCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "test NAME",
		Short: "Test a provider: its key, its models, and two small requests",
		Long:  "Test checks one provider as `ibid doctor --ask-models` does: it asks for its models, and then sends one of them two small requests, which the provider may charge, to see streaming, tools and caching. They hold a text made for this and nothing of the notes. The model is the one that --model names, else the configured one, else the one that answered last, else the one that would answer without a choice. What ibid learned of the server from refusals is forgotten first.",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: configuredNames(a),
		RunE: a.asking(testProvider),
	}
}

func removeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a provider from the configuration, and its key from where ibid keeps it",
		Args:  cobra.ExactArgs(1), ValidArgsFunction: configuredNames(a),
		RunE: a.asking(removeProvider),
	}
}

// asking runs a command over the providers that are configured.
func (a *app) asking(run func(context.Context, *app, *connect.Providers, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		all, err := a.configured()
		if err != nil {
			return err
		}
		return run(c.Context(), a, all, args)
	}
}

func listProviders(ctx context.Context, a *app, all *connect.Providers, _ []string) error {
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
	if note != "" && !a.flags.JSON {
		a.remark("%s", note)
	}
	return nil
}

// addProvider adds the provider of a name or an address.
func addProvider(ctx context.Context, a *app, o *adding) error {
	o.Settings.BaseURL, o.Settings.Model = a.flags.BaseURL, a.flags.Model
	if o.stdin {
		o.Key = func() (string, error) {
			line, err := bufio.NewReader(a.env.Stdin).ReadString('\n')
			if keystore.Clean(line) == "" {
				return "", usagef("--key-stdin: there is no key on standard input (%v)", cmp.Or(err, errors.New("the first line is empty")))
			}
			return line, nil
		}
	}
	if !o.stdin && a.piped(ctx) {
		return usagef("something is piped in, which is not read without --key-stdin: nothing was added")
	}
	o.Note = func(text string) { a.remark("%s", text) }
	if terminal(a.env.Stdin) {
		o.Type = a.secret
		o.Keep = func(ctx context.Context) bool { return a.agreed(ctx, "keep it all the same? [y/N] ") }
	}
	added, text, err := addTo(ctx, a, o.Addition, newDoctor(a, false).Checking)
	if errors.Is(err, connect.ErrUntested) {
		name, _, _ := strings.Cut(err.Error(), ": ")
		a.remark("%s is not added; --untested adds it without a test", name)
		return exit(1)
	}
	if err != nil {
		return err
	}
	a.printLine(map[string]any{"type": "provider", "name": added.Name, "base_url": added.BaseURL, "key": added.Key}, "%s", text)
	return nil
}

// addTo adds a provider to the configuration.
func addTo(ctx context.Context, a *app, o connect.Addition, how connect.Checking) (connect.Provider, string, error) {
	all, err := a.configured()
	if err != nil {
		return connect.Provider{}, "", err
	}
	o.Write = settingTools{a}.addProvider
	o.Table = func(name string) string {
		return "[" + tableOf(name).String() + "] in " + a.folder.tilde(a.configPath())
	}
	return all.Add(ctx, o, how)
}

// testProvider tests the provider of a name.
func testProvider(ctx context.Context, a *app, all *connect.Providers, args []string) error {
	ok, err := all.Test(ctx, args[0], newDoctor(a, true).Checking)
	switch {
	case err != nil:
		return err
	case !ok:
		return exit(1)
	case !a.flags.JSON:
		a.print(oneLine("nothing is wrong with "+args[0]) + "\n")
	}
	return nil
}

// removeProvider removes a provider and its key.
func removeProvider(ctx context.Context, a *app, all *connect.Providers, args []string) error {
	text, err := all.Remove(ctx, args[0], settingTools{a}.removeProvider)
	if err == nil {
		a.print(oneLine(text) + "\n")
	}
	return err
}
