package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains/connect"
	"ibid/ui/cli/config"
	"ibid/ui/plain"
)

// Run runs the program and returns its exit status: 0 done, 1 failed or found nothing,
// 2 wrong usage, 3 a person would have had to be asked, 130 interrupted.
func Run(ctx context.Context, env Env) int {
	a := &app{env: env, out: standardOut{Writer: env.Stdout}, folder: newFolders(env.Getenv)}
	root := a.makeCommands()
	a.words = wordsOf(root)
	root.SetArgs(tagArguments(root, env.Args))
	root.SetIn(env.Stdin)
	root.SetOut(&a.out)
	root.SetErr(env.Stderr)
	requireKnownWords(root) // after SetOut: completion scripts go where the output went when their command was made
	status := a.status(ctx, root.ExecuteContext(ctx))
	if err := a.out.err; err != nil && !closedPipe(err) {
		a.complain("%s", err)
		status = cmp.Or(status, plain.ExitFailed)
	}
	return status
}

// status is the exit status of a command, whose error it says.
func (a *app) status(ctx context.Context, err error) int {
	var status exit
	if err == nil || errors.As(err, &status) {
		return int(status)
	}
	var usage *connect.UsageError
	var mistake config.Mistake
	topic := ""
	switch {
	case errors.As(err, &usage):
		topic = usage.Topic
	case errors.As(err, &mistake):
		topic = "settings"
	}
	if !errors.Is(err, a.out.err) && (ctx.Err() == nil || !errors.Is(err, context.Canceled)) {
		see := ""
		if topic != "" {
			see = "; see `ibid help " + topic + "`"
		}
		a.complain("%s%s", err, see)
	}
	switch {
	case usage != nil, mistake != "":
		return plain.ExitUsage
	case ctx.Err() != nil:
		return plain.ExitInterrupted
	}
	return plain.ExitFailed
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
