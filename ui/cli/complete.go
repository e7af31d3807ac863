package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ibid/ui/cli/config"
	"ibid/vault"
)

// completeFlags lets a shell complete the values of flags, and what commands take.
func (a commands) completeFlags() {
	root := a.all[""]
	must(root.RegisterFlagCompletionFunc("provider", completion(a.providerNames)))
	must(root.RegisterFlagCompletionFunc("model", completion(a.modelNames)))
	must(root.RegisterFlagCompletionFunc("vault", func(*cobra.Command, []string, string) (dirs []string, d cobra.ShellCompDirective) {
		places, _ := a.places()
		for _, p := range places {
			dirs = append(dirs, p.Dir)
		}
		return dirs, cobra.ShellCompDirectiveDefault // other folders
	}))
	completes(root, "chain", chainNames()...)
	for _, name := range []string{"chats", "record"} {
		must(root.MarkPersistentFlagDirname(name))
	}
	list := func(n needs, names func(ctx context.Context, p *parts) []string, also ...string) cobra.CompletionFunc {
		return completion(func(ctx context.Context, _ []string) []string { return append(a.namesIn(ctx, n, names), also...) })
	}
	notes := func(ctx context.Context, p *parts) []string { return p.namesOf(ctx, "note") }
	chats := list(savedChats, func(ctx context.Context, p *parts) []string { return p.namesOf(ctx, "chat") })
	must(root.RegisterFlagCompletionFunc("note", list(readNotes, notes)))
	must(root.RegisterFlagCompletionFunc("active", list(readNotes, notes, "off", "follow")))
	must(root.RegisterFlagCompletionFunc("project", list(readNotes, projectNames, "off")))
	must(root.RegisterFlagCompletionFunc("chat", chats))
	must(a.all["ask"].RegisterFlagCompletionFunc("prompt", list(readNotes, promptNames)))
	of := a.all["notes"]
	must(of.RegisterFlagCompletionFunc("tag", list(readNotes, tagNames)))
	must(of.RegisterFlagCompletionFunc("in", list(readNotes, func(_ context.Context, p *parts) []string { return vaultPaths(p.vault.Folders()) })))
	for _, name := range strings.Fields("near show resolve from links backlinks") {
		must(of.RegisterFlagCompletionFunc(name, list(readNotes, notes)))
	}
	for _, name := range []string{"append", "active"} {
		a.all[name].ValidArgsFunction = list(readNotes, notes)
	}
	for _, name := range strings.Fields("show export rename delete tag pin unpin archive unarchive merge") {
		a.all["chats "+name].ValidArgsFunction = chats
	}
}

// namesIn are names of things of the vault, each once, for a shell, which has no use for an
// error.
func (a *app) namesIn(ctx context.Context, n needs, names func(ctx context.Context, p *parts) []string) (all []string) {
	_ = a.with(ctx, "", n|lookOnly, func(ctx context.Context, p *parts) error {
		all = names(ctx, p)
		return nil
	})
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), isBlank)
}

// tagNames are the tags of notes.
func tagNames(_ context.Context, p *parts) (names []string) {
	for _, t := range vault.CountTags(p.vault.Notes(), func(n *vault.Note) []string { return n.Tags }) {
		names = append(names, t.Tag)
	}
	return names
}

// projectNames are the folders with a note of their name, or project.md, in them.
func projectNames(_ context.Context, p *parts) (names []string) {
	for _, dir := range p.vault.Folders() {
		_, named := p.vault.Note(dir + "/" + vault.Path(dir.Base()) + ".md")
		if _, is := p.vault.Note(dir + "/project.md"); is || named {
			names = append(names, string(dir))
		}
	}
	return names
}

func vaultPaths(all []vault.Path) (texts []string) {
	for _, p := range all {
		texts = append(texts, string(p))
	}
	return texts
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
