package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// configCommand shows and changes the configuration.
func configCommand(a *app) *cobra.Command {
	t := settingTools{a}
	root := &cobra.Command{
		Use:   "config [TEXT]",
		Short: "Show and change the configuration",
		Long: "Config lists the settings with what counts now and where that is from: the default, the configuration file, a flag or a variable of the environment. TEXT lists those that hold it. " +
			"Keys of providers are no settings: see `ibid provider`.",
		Example: "  ibid config\n  ibid config screen\n  ibid config set screen.theme nord\n  ibid config get vault",
		Args:    arguments(cobra.MaximumNArgs(1)),
		RunE:    func(_ *cobra.Command, args []string) error { return t.printList(strings.Join(args, " ")) },
	}
	named := func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return t.complete(args), cobra.ShellCompDirectiveNoFileComp
	}
	root.AddCommand(
		&cobra.Command{
			Use: "get KEY", Short: "Print what counts for a setting", Args: arguments(cobra.ExactArgs(1)), ValidArgsFunction: named,
			RunE: func(_ *cobra.Command, args []string) error {
				s, err := t.find(args[0])
				return t.printOne(&s, err, s.shown)
			},
		},
		&cobra.Command{
			Use: "set KEY VALUE", Short: "Set a setting: one line of the configuration file changes, and nothing else in it",
			Long:    "Set writes one line of the configuration file, under the header of its table, and keeps all else as it is: comments, order, line ends. A value that cannot be is refused, and so is a change by which anything else would change. Several values of a list stand between commas.",
			Example: "  ibid config set vault ~/notes\n  ibid config set files.ignore 'Archive/, #secret'\n  ibid config set window.reserve 8192",
			Args:    arguments(cobra.MinimumNArgs(2)), ValidArgsFunction: named,
			RunE: func(_ *cobra.Command, args []string) error {
				value := strings.Join(args[1:], " ")
				s, err := t.set(args[0], &value)
				return t.printOne(&s, err, t.said(&s))
			},
		},
		&cobra.Command{
			Use: "unset KEY", Short: "Take a setting out of the configuration file, so that its default counts", Args: arguments(cobra.ExactArgs(1)), ValidArgsFunction: named,
			RunE: func(_ *cobra.Command, args []string) error {
				s, err := t.set(args[0], nil)
				return t.printOne(&s, err, t.said(&s))
			},
		},
	)
	return root
}

// complete completes the name of a setting, and then its values.
func (t settingTools) complete(args []string) (names []string) {
	all, _ := t.list() // of a broken file there are none
	var c Config
	for i := range all {
		switch {
		case len(args) == 0:
			names = append(names, all[i].key.String()+"\t"+all[i].tag.Get("help"))
		case strings.EqualFold(all[i].key.String(), args[0]):
			return all[i].values(&c)
		}
	}
	return names
}

// settingJSON is one setting, for --json.
type settingJSON struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
	Help  string `json:"help"`
}

// printOne prints a setting, in these words unless JSON is wanted.
func (t settingTools) printOne(s *current, err error, text string) error {
	if err == nil {
		t.printRow(s.row(), oneLine(text)+"\n")
	}
	return err
}

func (t settingTools) printList(text string) error {
	all, err := t.having(text)
	for i := range all {
		t.printRow(all[i].row(), all[i].line())
	}
	return err
}

// having are the settings whose name, meaning or value holds a text.
func (t settingTools) having(text string) ([]current, error) {
	all, err := t.list()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s current) bool {
		return !strings.Contains(strings.ToLower(s.key.String()+" "+s.tag.Get("help")+" "+s.shown), strings.ToLower(text))
	})
	if len(all) == 0 {
		return nil, usagef("no setting holds %q; `ibid config` lists all", text)
	}
	return all, nil
}

// row is a setting for --json.
func (s *current) row() settingJSON {
	return settingJSON{s.key.String(), s.shown, s.from, s.tag.Get("help")}
}

// line is a setting on a line of its own.
func (s *current) line() string {
	return oneLine(fmt.Sprintf("%-22s %-28s (%s)", s.key, s.shown, s.from)) + "\n"
}

// slash is /config in line mode: alone or with a text it lists, with a key and a value
// it sets.
func (t settingTools) slash(_ context.Context, arg string) (string, error) {
	key, value, sets := strings.Cut(arg, " ")
	if value = strings.TrimSpace(value); !sets || value == "" {
		all, err := t.having(arg)
		if err != nil {
			return "", err
		}
		list := ""
		for i := range all {
			list += all[i].line()
		}
		return list + "/config KEY VALUE sets one, /config KEY default takes it out of the file; both count from the next start", nil
	}
	s, err := t.setTo(key, value)
	if err != nil {
		return "", err
	}
	return t.said(&s) + "; it counts from the next start", nil
}

// setTo is set with the word default for what counts without the setting.
func (t settingTools) setTo(key, value string) (current, error) {
	if value == "default" {
		return t.set(key, nil)
	}
	return t.set(key, &value)
}
