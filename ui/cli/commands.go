package cli

import (
	"cmp"
	"context"
	"runtime"

	"github.com/spf13/cobra"

	"ibid/history"
	"ibid/vault"
)

// builtWith is the JSON row of ibid version.
type builtWith struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	System  string `json:"os"`
	Machine string `json:"arch"`
}

// makeCommands joins the texts of the commands with their work and flags, and returns the root.
func (a *app) makeCommands() *cobra.Command {
	all := a.readCommands()
	a.root = all[""]
	a.root.Version, a.root.SilenceErrors, a.root.SilenceUsage =
		cmp.Or(a.env.Version, "dev"), true, true // Run reports errors, on one line
	a.given = a.root.PersistentFlags()
	a.given.AddFlagSet(a.addFlags(a.root, &a.flags).Flags())
	a.root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usagef("%w", err) })
	a.root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.print(helpOf(c, a.width())) })
	for needs, group := range commandTable() {
		for name, does := range group {
			c := all[name]
			c.RunE = func(c *cobra.Command, words []string) error {
				return a.with(c.Context(), "", needs, func(ctx context.Context, p *parts) error {
					return does.run(ctx, p, words)
				})
			}
			if _, flagless := does.(work); !flagless {
				a.addFlags(c, does)
			}
			if checked, ok := does.(interface {
				check(c *cobra.Command, words []string) error
			}); ok {
				c.PreRunE = checked.check
			}
		}
	}
	a.addFlags(a.addFlags(a.root, &a.screenFlags), &a.resumeFlags)
	a.addFlags(all["demo"], &a.screenFlags)
	a.addFlags(all["ask"], &a.resumeFlags)
	all["active"].Aliases = []string{"focus"}
	a.root.SetHelpCommand(all["help"])
	return a.root
}

// commandTable returns all commands by their words after ibid, grouped by needs.
func commandTable() map[needs]map[string]command {
	pin := func(s *history.Store, path vault.Path, on bool) (vault.Path, error) { return path, s.Pin(path, on) }
	return map[needs]map[string]command{
		noConfig: {
			"": work(start), "ask": &askFlags{}, "demo": work(startDemo), "append": writes(appendText),
			"new": writes(newText), "tool": work(useTool), "doctor": &doctorFlags{}, "help": &helpFlags{},
			"man": work(printManual), "version": work(printVersion),
			"config": work(listSettings), "config path": work(printConfigPath), "config get": work(printSetting),
			"config set": work(setSetting), "config unset": work(setSetting),
		},
		noVault: {
			"active": &activeFlags{}, "keys": work(listKeys), "where": &whereFlags{},
			"models": work(listModels), "models pull": work(pullModel), "models refresh": work(listModels),
			"provider": work(listProviders), "provider list": work(listProviders), "provider add": &providerFlags{},
			"provider test": work(testProvider), "provider remove": work(removeProvider),
		},
		readNotes:               {"notes": &noteFlags{}, "index": work(updateIndex)},
		readNotes | lookOnly:    {"prompts": work(listPrompts)},
		readNotes | chooseModel: {"context": work(showContext)},
		savedChats: {
			"chats": &listFlags{}, "chats list": &listFlags{}, "chats search": &searchFlags{},
			"chats show": &showFlags{}, "chats export": &exportFlags{}, "chats stats": work(printSpent),
			"chats rename": onChat(rename), "chats tag": onChat(changeTags),
			"chats pin":       keepChat("pinned", true, pin),
			"chats archive":   keepChat("archived", true, (*history.Store).Archive),
			"chats unpin":     keepChat("pinned", false, pin),
			"chats unarchive": keepChat("archived", false, (*history.Store).Archive),
			"chats delete":    onChat(moveToTrash), "chats trash": work(listTrash), "chats restore": work(restore),
			"chats recover": work(listUnsaved), "chats recover list": work(listUnsaved),
			"chats recover open": recoverReply(false), "chats recover drop": recoverReply(true),
		},
	}
}

func printVersion(_ context.Context, p *parts, _ []string) error {
	p.printRow(builtWith{p.root.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH}, "ibid "+p.root.Version+"\n")
	return nil
}
