package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"ibid/chains/wire"
	"ibid/ui/cli/keystore"
)

// givenKey is the source of a key that is not kept yet.
const givenKey = "the key that you gave"

// providerTools is what can be done with providers.
type providerTools struct{ *app }

// adding is what a user says of a provider to add.
type adding struct {
	settings ProviderConfig
	name     string // "" takes it from the argument
	kind     string
	stdin    bool // the key is the first line of standard input
	untested bool
}

func providerCommand(a *app) *cobra.Command {
	t := providerTools{a}
	list := func(use string) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: "List providers, where their keys are, and which of them answers",
			Long:    "List shows the providers of the configuration and those that have a key: address, where the key is from, and with * the one that answers. It asks no server and runs no command. Keys are never shown.",
			Args:    arguments(cobra.NoArgs),
			Example: "  ibid provider\n  ibid provider add openrouter\n  ibid provider add work --base-url https://models.example.com/v1 --key-command 'pass show work'",
			RunE:    func(c *cobra.Command, _ []string) error { return t.list(c.Context()) },
		}
	}
	root, sub := list("provider"), list("list")
	root.Short, sub.Example = "List, add, test and remove providers", ""
	root.AddCommand(sub, t.addCommand(), t.testCommand(), t.removeCommand())
	return root
}

func (t providerTools) addCommand() *cobra.Command {
	var o adding
	c := &cobra.Command{
		Use:   "add NAME|URL",
		Short: "Add a provider: test its key, keep it, and write it down in the configuration",
		Long: "Add takes the name of a provider that ibid knows, another name with --base-url, or an address. The key is typed without being shown, or comes with --key-stdin; it is never an argument. " +
			"It is tested first: the server is asked for its models, and on a terminal, if you agree, for two short replies. " +
			"Then it goes into the keyring of the system, or where there is none into keys.toml beside the configuration, which only you may read. " +
			"The configuration gets a table [providers.NAME] and is not changed otherwise. For a provider that is configured already, the key alone is replaced.",
		Example: "  ibid provider add anthropic\n  ibid provider add http://localhost:4000/v1 --name litellm\n  pass show work | ibid provider add work --base-url https://models.example.com/v1 --key-stdin",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE:    func(c *cobra.Command, args []string) error { return t.add(c.Context(), args[0], o) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return (&selection{}).names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	f.StringVar(&o.name, "name", "", "call it `NAME`")
	f.StringVar(&o.kind, "kind", "", "it speaks `openai|anthropic|ollama|azure`")
	f.StringVar(&o.settings.KeyEnv, "key-env", "", "its key is in the environment variable `VAR`")
	f.StringVar(&o.settings.KeyCommand, "key-command", "", "`CMD` prints its key; no shell reads it")
	f.BoolVar(&o.stdin, "key-stdin", false, "read its key from standard input")
	f.BoolVar(&o.untested, "untested", false, "ask the server nothing")
	for name, values := range map[string][]string{"name": nil, "key-env": nil, "key-command": nil, "kind": {"openai", "anthropic", "ollama", "azure"}} {
		completes(c, name, values...)
	}
	return c
}

// named completes the names of providers that are configured.
func (t providerTools) named(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	cfg, _ := t.settings() // a broken file has none
	return slices.Sorted(maps.Keys(cfg.Providers)), cobra.ShellCompDirectiveNoFileComp
}

func (t providerTools) testCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "test NAME",
		Short: "Test a provider: its key, its models, and two small requests",
		Long:  "Test checks one provider as `ibid doctor --ask-models` does: it asks for its models, and then sends one of them two small requests, which the provider may charge, to see streaming, tools and caching. They hold a text made for this and nothing of the notes. The model is the one that --model names, else the configured one, else the one that answered last, else the first that can chat. What ibid learned of the server from refusals is forgotten first.",
		Args:  arguments(cobra.ExactArgs(1)), ValidArgsFunction: t.named,
		RunE: func(c *cobra.Command, args []string) error { return t.test(c.Context(), args[0]) },
	}
}

func (t providerTools) removeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a provider from the configuration, and its key from where ibid keeps it",
		Args:  arguments(cobra.ExactArgs(1)), ValidArgsFunction: t.named,
		RunE: func(c *cobra.Command, args []string) error { return t.remove(c.Context(), args[0]) },
	}
}

// providerJSON is one provider of a list.
type providerJSON struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	BaseURL    string `json:"base_url"`
	Key        string `json:"key"`   // where it is from, "" for none
	State      string `json:"state"` // ready, no_key or wrong
	Text       string `json:"text"`  // what the state means
	Configured bool   `json:"configured"`
	Answers    bool   `json:"answers"`
}

func (t providerTools) list(ctx context.Context) error {
	cfg, err := t.settings()
	if err != nil {
		return err
	}
	s := t.selection(ctx, cfg)
	all := s.all()
	e, named, err := s.pick()
	if err != nil {
		return err
	}
	if named && e.base != "" && !slices.ContainsFunc(all, func(o endpoint) bool { return o.name == e.name }) {
		all = append(all, e)
	}
	for _, o := range all {
		row := providerJSON{Name: o.name, Kind: string(cmp.Or(o.speaks, speaksOpenAI)), BaseURL: o.base, Key: o.keySource(), Configured: s.has(o.name), Answers: named && o.name == e.name && e.base != ""}
		row.State, row.Text = o.state()
		mark := " "
		if row.Answers {
			mark = "*"
		}
		t.printRow(row, mark+" "+oneLine(fmt.Sprintf("%-14s %-10s %-44s %s", o.name, row.Kind, o.base, row.Text))+"\n")
	}
	if t.flags.json {
		return nil
	}
	switch {
	case len(all) == 0:
		remark(t.env.Stderr, "no provider is configured, and none has a key: `ibid provider add NAME` adds one, such as openai, anthropic or openrouter")
	case e.why != "":
		remark(t.env.Stderr, "%s", e.why)
	case named && e.base == "":
		remark(t.env.Stderr, "the offline model answers, as the settings say")
	}
	return nil
}

// state is whether a provider can be asked, and in words what with.
func (e *endpoint) state() (state, text string) {
	switch {
	case e.trouble != nil:
		return "wrong", e.trouble.Error()
	case e.source == inCommand:
		return "ready", "its key is what key_command prints"
	case e.source != "":
		return "ready", "its key is from " + e.keySource()
	case e.provider.Needed():
		return "no_key", fmt.Sprintf("no key: set %s, or `ibid provider add %s`", cmp.Or(e.settings.KeyEnv, e.provider.KeyVar), e.name)
	}
	return "ready", "no key"
}

// add adds the provider of a name or an address.
func (t providerTools) add(ctx context.Context, what string, o adding) error {
	cfg, err := t.settings()
	if err != nil {
		return err
	}
	o.settings.Kind, o.settings.BaseURL, o.settings.Model = protocol(o.kind), t.flags.baseURL, t.flags.model
	name := o.name
	if _, known := wire.FindProvider(what); strings.ContainsAny(what, ":/") || strings.Contains(what, ".") && !known {
		if o.settings.BaseURL != "" {
			return usagef("provider add: %s is an address, and --base-url names another", what)
		}
		o.settings.BaseURL, _ = wire.RepairURL(what)
		name = cmp.Or(name, nameOf(o.settings.BaseURL))
	} else {
		name = cmp.Or(name, what)
	}
	_, old := cfg.Providers[name]
	switch {
	case old && (o.settings.BaseURL != "" || o.kind != "" || o.settings.KeyEnv != "" || o.settings.KeyCommand != "" || o.settings.Model != ""):
		return usagef("%s is configured already: change [%s] in %s, or `ibid provider remove %s` first", name, providerKey(name), t.folder.tilde(t.configPath()), name)
	case old:
		o.settings = cfg.Providers[name]
	}
	if key, wrong := o.settings.misuse(name); wrong != "" {
		return usagef("provider add %s: %s", name, strings.TrimSpace(key+" "+wrong))
	}
	cfg.Providers = maps.Clone(cfg.Providers)
	if cfg.Providers == nil {
		cfg.Providers = map[string]ProviderConfig{}
	}
	cfg.Providers[name] = o.settings
	e := t.selection(ctx, cfg).configured(name)
	e.model = cmp.Or(t.flags.model, o.settings.Model)
	typed, err := t.typeKey(ctx, &e, o)
	if err != nil {
		return err
	}
	if !o.untested {
		if err := t.tryFirst(ctx, cfg, e); err != nil {
			return err
		}
	}
	return t.store(ctx, &e, typed, !old)
}

// nameOf is a name for the provider at an address.
func nameOf(base string) string {
	if p := wire.ProviderAt("", base); !p.Foreign {
		return p.Name
	}
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return strings.ReplaceAll(u.Host, ":", "-")
}

// providerKey is the table of a provider in the configuration.
func providerKey(name string) string {
	table, _ := providerTable(name, ProviderConfig{})
	return strings.Trim(strings.TrimSpace(table), "[]")
}

// typeKey has the user type the key of a provider, unless it is found elsewhere,
// and reports whether it has to be kept.
func (t providerTools) typeKey(ctx context.Context, e *endpoint, o adding) (typed bool, err error) {
	fromEnv := strings.HasPrefix(e.source, "env ") && (e.own || !e.provider.Foreign)
	key := ""
	switch {
	case o.stdin:
		line, err := bufio.NewReader(t.env.Stdin).ReadString('\n')
		if key = keystore.Clean(line); key == "" {
			return false, usagef("--key-stdin: there is no key on standard input (%v)", cmp.Or(err, errors.New("the first line is empty")))
		}
	case o.settings.KeyEnv != "" && !fromEnv:
		return false, usagef("key_env: %s is not set, so nothing can be tested; --key-stdin or a prompt would keep a key", o.settings.KeyEnv)
	case fromEnv, e.source == inCommand:
		remark(t.env.Stderr, "its key is from %s", cmp.Or(map[bool]string{true: "key_command"}[e.source == inCommand], e.keySource()))
		return false, nil
	case terminal(t.env.Stdin):
		if key, err = t.secret(ctx, "key for "+e.name+" (not shown; enter alone for none): "); err != nil {
			return false, err
		}
		key = keystore.Clean(key)
	case e.provider.Needed():
		return false, usagef("%s needs a key: give it with --key-stdin, or set %s", e.name, e.provider.KeyVar)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return false, usagef("the key has blanks or line breaks in it: copy it again")
	}
	if key != "" {
		e.key, e.source, e.own = key, givenKey, true
	}
	return key != "", nil
}

// tryFirst tests a provider before it is added.
func (t providerTools) tryFirst(ctx context.Context, cfg Config, e endpoint) error {
	d := &doctor{app: t.app}
	d.server(ctx, cfg, e, "it can be added")
	if d.wrong && !(terminal(t.env.Stdin) && t.agreed(ctx, "keep it all the same? [y/N] ")) {
		remark(t.env.Stderr, "%s is not added; --untested adds it without a test", e.name)
		return exit(1)
	}
	return nil
}

// store keeps the key, and writes the table down if it is a new one.
func (t providerTools) store(ctx context.Context, e *endpoint, typed, table bool) error {
	keys := t.keys()
	where := ""
	if typed {
		var err error
		if where, err = keys.Put(ctx, e.name, e.key); err != nil {
			return err
		}
	}
	if table {
		if err := (configFile{t.configPath()}).add(e.name, e.settings); err != nil {
			if typed { // without a table nothing looks for it
				err = errors.Join(err, keys.Remove(ctx, e.name))
			}
			return err
		}
	}
	said := e.name + " is added"
	if !table {
		said = "the key of " + e.name + " is replaced"
	}
	if where != "" {
		said += "; its key is in " + where
	}
	t.printRow(map[string]any{"type": "provider", "name": e.name, "base_url": e.base, "key": cmp.Or(where, e.keySource())}, oneLine(said)+"\n")
	return nil
}

// test tests the provider of a name.
func (t providerTools) test(ctx context.Context, name string) error {
	cfg, err := t.settings()
	if err != nil {
		return err
	}
	s := t.selection(ctx, cfg)
	e, ok := s.find(name)
	if !ok {
		return usagef("provider test: %q is not known; it can be %s", name, strings.Join(s.names(), ", "))
	}
	forgetAt(t.app, e.base)
	e.model = t.flags.model
	d := &doctor{app: t.app, ask: true}
	d.server(ctx, cfg, e, "it can be chosen")
	if d.wrong {
		return exit(1)
	}
	if !t.flags.json {
		t.print(oneLine("nothing is wrong with "+e.name) + "\n")
	}
	return nil
}

// remove removes a provider and its key.
func (t providerTools) remove(ctx context.Context, name string) error {
	cfg, err := t.settings()
	if err != nil {
		return err
	}
	keys := t.keys()
	_, configured := cfg.Providers[name]
	key, where, err := keys.Find(ctx, name)
	if err != nil {
		return err
	}
	if !configured && key == "" {
		return usagef("provider remove: %q is not configured, and no key of it is kept; `ibid provider` lists what there is", name)
	}
	if configured {
		if err := (configFile{t.configPath()}).remove(name); err != nil {
			return err
		}
	}
	if err := keys.Remove(ctx, name); err != nil {
		return err
	}
	said := name + " is removed"
	if key != "" {
		said += ", and its key from " + where
	}
	t.print(oneLine(said) + "\n")
	return nil
}
