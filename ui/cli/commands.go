package cli

import (
	"cmp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"ibid/history"
	"ibid/vault"
)

// builtWith is the program, for version --json.
type builtWith struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	System  string `json:"os"`
	Machine string `json:"arch"`
}

// root is ibid with all its commands.
func (a *app) root() *cobra.Command {
	all := commands{a, a.readCommands()}
	root := all.all[""]
	root.Version, root.SilenceErrors, root.SilenceUsage = cmp.Or(a.env.Version, "dev"), true, true // Run says what went wrong, in one line
	a.given = root.PersistentFlags()
	a.given.AddFlagSet(a.addFlags(root, &a.flags).Flags())
	all.add("", a.main, &a.screenFlags, &a.resumeFlags)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usagef("%w", err) })
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.print(helpOf(c, a.width())) })
	all.addCommands()
	all.addChatCommands()
	all.addProviderCommands()
	all.addConfigCommands()
	return root
}

// addCommands adds what a person does with a vault, and what is said of the program.
func (a commands) addCommands() {
	a.add("demo", func(c *cobra.Command, _ []string) error { return a.demoFirst(c.Context()) }, &a.screenFlags)
	a.add("context", a.on(readNotes|chooseModel, showContext))
	a.add("prompts", a.on(readNotes|lookOnly, listPrompts))
	a.add("keys", a.on(noVault, listKeys))
	a.add("man", a.printManual)
	a.add("tool", a.tool)

	for name, f := range map[string]interface {
		run(a *app, c *cobra.Command, args []string) error
	}{
		"ask": &askFlags{}, "doctor": &doctorFlags{}, "help": &helpFlags{},
	} {
		a.add(name, func(c *cobra.Command, args []string) error { return f.run(a.app, c, args) }, f)
	}
	a.addWorks(noVault, map[string]workWithFlags{"active": &activeFlags{}, "where": &whereFlags{}})
	a.addFlags(a.all["ask"], &a.resumeFlags)
	a.all["active"].Aliases = []string{"focus"}
	a.all[""].SetHelpCommand(a.all["help"])
	var notes noteFlags
	a.add("notes", a.on(readNotes, notes.run), &notes).PreRunE = notes.check
	a.add("index", a.on(readNotes, updateIndex))
	a.add("append", a.writes(appendText))
	a.add("new", a.writes(newText))
	a.add("version", func(c *cobra.Command, _ []string) error {
		a.printRow(builtWith{c.Root().Version, runtime.Version(), runtime.GOOS, runtime.GOARCH}, "ibid "+c.Root().Version+"\n")
		return nil
	})
}

// addChatCommands adds what a person does with saved chats.
func (a commands) addChatCommands() {
	a.addWorks(savedChats, map[string]workWithFlags{
		"chats": &listFlags{}, "chats list": &listFlags{}, "chats search": &searchFlags{}, "chats show": &showFlags{},
		"chats export": &exportFlags{}, "chats stats": &statsFlags{}, "chats merge": &mergeFlags{},
	})
	pin := func(s *history.Store, path vault.Path, on bool) (vault.Path, error) { return path, s.Pin(path, on) }
	for name, do := range map[string]work{
		"recover": listUnsaved, "recover list": listUnsaved, "recover open": recoverReply(false), "recover drop": recoverReply(true),
		"trash": listTrash, "restore": restore, "rename": onChat(rename), "delete": onChat(moveToTrash), "tag": onChat(changeTags),
		"pin": keepChat("pinned", true, pin), "archive": keepChat("archived", true, (*history.Store).Archive),
		"unpin": keepChat("pinned", false, pin), "unarchive": keepChat("archived", false, (*history.Store).Archive),
	} {
		a.add("chats "+name, a.on(savedChats, do))
	}
}

// addProviderCommands adds what a person does with providers and their models.
func (a commands) addProviderCommands() {
	for name, do := range map[string]work{
		"models": listModels, "models pull": pullModel, "models refresh": listModels,
		"provider": listProviders, "provider list": listProviders, "provider test": testProvider, "provider remove": removeProvider,
	} {
		a.add(name, a.on(noVault, do))
	}
	a.addWorks(noVault, map[string]workWithFlags{"provider add": &providerFlags{}})
}

// addConfigCommands adds what a person does with the configuration.
func (a commands) addConfigCommands() {
	t := settingTools{a.app}
	a.add("config", func(c *cobra.Command, args []string) error {
		all, err := t.having(c.Context(), strings.Join(args, " "))
		for _, s := range all {
			t.printRow(s, settingLine(s))
		}
		return err
	})
	a.add("config path", func(*cobra.Command, []string) error {
		path := t.configPath()
		return t.report(rowJSON{"path": path, "there": fileExists(path)}, path, nil)
	})
	a.add("config get", func(_ *cobra.Command, args []string) error {
		s, err := t.configFile().Find(args[0])
		if err != nil {
			return err
		}
		return t.report(t.row(&s), s.Value, nil)
	})
	a.add("config set", func(_ *cobra.Command, args []string) error {
		value := strings.Join(args[1:], " ")
		row, said, err := t.set(args[0], &value)
		return t.report(row, said, err)
	})
	a.add("config unset", func(_ *cobra.Command, args []string) error {
		row, said, err := t.set(args[0], nil)
		return t.report(row, said, err)
	})
}

// tool runs the tool that is named, or lists those that there are.
func (a commands) tool(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return a.on(noVault, listTools)(c, args)
	}
	return a.on(readNotes, runTool)(c, args)
}
