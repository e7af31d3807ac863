package cli

import (
	"context"
	"slices"
	"strings"

	"ibid/ui/cli/config"

	"github.com/spf13/cobra"
)

// completeFlags lets a shell complete the values of flags.
func completeFlags(a *app, root *cobra.Command) {
	must(root.RegisterFlagCompletionFunc("provider", completion(a.providerNames)))
	completes(root, "chain", chainNames()...)
	for _, name := range []string{"vault", "chats", "record"} {
		must(root.MarkPersistentFlagDirname(name))
	}
}

// completes lets a shell complete a flag with these values, and with no files.
func completes(c *cobra.Command, flag string, values ...string) {
	must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// completion completes with names, which may depend on the words before, and with no files.
func completion(names func(ctx context.Context, words []string) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
		return names(c.Context(), words), cobra.ShellCompDirectiveNoFileComp
	}
}

// checkFlag refuses a value that a flag cannot have; "" is that of a flag that is not given.
func checkFlag(flag, value string, values ...string) error {
	if value != "" && !slices.Contains(values, value) {
		return usagef("--%s is %q; it can be %s", flag, value, config.OneOf(values))
	}
	return nil
}

// must panics over a flag that does not exist: the program was put together wrongly.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// requireKnownWords makes completion fail for words that it does not know, as every other
// command does; cobra shows a page and calls it success.
func requireKnownWords(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	must(err)
	c.RunE = func(*cobra.Command, []string) error {
		return usagef("completion: name a shell: bash, zsh, fish or powershell")
	}
	c.Args = cobra.ArbitraryArgs // the words are judged above
	judge(root)
}

// wordsOf are the names of the commands below c.
func wordsOf(c *cobra.Command) (all []string) {
	for _, sub := range c.Commands() {
		all = append(all, sub.Name())
	}
	return all
}

// judge makes a wrong number of arguments a mistake of usage, of all commands.
func judge(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usagef("%s%s; see `%s --help`", err, config.NearestName(strings.Join(args[:min(len(args), 1)], ""), wordsOf(c)), c.CommandPath())
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		judge(sub)
	}
}
