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

// Run runs the program and returns its exit status: 0 done, 1 failed or found nothing, 2 wrong usage, 3 a question that
// nobody could answer, 130 interrupted.
func Run(ctx context.Context, env Env) int {
	a := &app{env: env, out: standardOut{Writer: env.Stdout}, folder: newFolders(env.Getenv)}
	if err := checkFolders(env.Getenv); err != nil {
		return a.status(ctx, err)
	}
	for _, name := range ignoredFolders(env.Getenv) {
		a.complain("%s is %q, which is no absolute path: it is ignored", name, env.Getenv(name))
	}
	root := a.makeCommands()
	root.SetArgs(itemsAsTexts(env.Args))
	root.SetIn(env.Stdin)
	root.SetOut(&a.out)
	root.SetErr(env.Stderr)
	requireKnownWords(root) // after SetOut, since its command keeps the output of the moment
	status := a.status(ctx, root.ExecuteContext(ctx))
	if err := a.out.err; err != nil && !closedPipe(err) {
		a.complain("%s", err)
		status = cmp.Or(status, plain.ExitFailed)
	}
	return status
}

// status prints the error of a command and returns the exit status.
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

// requireKnownWords makes ibid completion fail for unknown shells. By default cobra prints its help and exits with 0.
func requireKnownWords(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	must(err)
	c.RunE = func(*cobra.Command, []string) error {
		return usagef("completion: name a shell: bash, zsh, fish or powershell")
	}
	c.Args = cobra.ArbitraryArgs // so that RunE above gets them
	judge(root)
}

// wordsOf returns the names of the commands below c.
func wordsOf(c *cobra.Command) (all []string) {
	for _, sub := range c.Commands() {
		all = append(all, sub.Name())
	}
	return all
}

// judge turns the errors about arguments of c and all commands below into usage errors with a suggestion.
func judge(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usagef("%s%s; see `%s --help`", err,
					config.NearestName(strings.Join(args[:min(len(args), 1)], ""), wordsOf(c)), c.CommandPath())
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		judge(sub)
	}
}
