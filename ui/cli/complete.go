package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"ibid/ui/term"
	"ibid/vault"
)

// kinds maps the words that stand for names in tags and usage lines to the parts that listing the names needs.
var kinds = map[string]needs{
	"NOTE": readNotes, "FOLDER": readNotes, "TAG": readNotes, "PROJECT": readNotes, "PROMPT": readNotes,
	"CHAT": savedChats, "NAME": noVault, "MODEL": noVault, "CHAIN": noVault, "KEY": noVault, "VAULT": noVault,
}

// completion makes a completion of fixed words, where a word of kinds stands for all names of that kind.
func (a *app) completion(words ...string) cobra.CompletionFunc {
	return func(c *cobra.Command, before []string, _ string) (all []string, d cobra.ShellCompDirective) {
		d = cobra.ShellCompDirectiveNoFileComp
		for _, word := range words {
			switch needs, is := kinds[word]; {
			case word == "DIR":
				d = cobra.ShellCompDirectiveFilterDirs
			case !is:
				all = append(all, word)
			default: // without the error: a shell cannot show it
				_ = a.with(c.Context(), "", needs|lookOnly, func(ctx context.Context, p *parts) error {
					all = append(all, p.names(ctx, word, before)...)
					return nil
				})
			}
			if word == "VAULT" {
				d = cobra.ShellCompDirectiveDefault // any other folder can be a vault, too
			}
		}
		slices.Sort(all)
		return slices.DeleteFunc(slices.Compact(all), term.IsBlank), d
	}
}

// names lists the names of a kind. It leaves out private notes, whose names a shell might record. before holds the
// earlier arguments.
func (p *parts) names(ctx context.Context, kind string, before []string) (names []string) {
	switch kind {
	case "NAME":
		return p.servers.Names(ctx)
	case "MODEL":
		return p.servers.ListedModels(ctx)
	case "CHAIN":
		return chainNames()
	case "KEY":
		return settingTools{p.app}.names(before)
	case "VAULT":
		places, _ := p.places()
		for _, o := range places {
			names = append(names, o.Dir)
		}
	case "NOTE":
		for _, n := range p.vault.Notes() {
			switch {
			case n.Private:
			case p.vault.Lookup(n.Path.Base(), vault.ToWrite).Path == n.Path:
				names = append(names, n.Path.Base())
			default: // another note has the name, too
				names = append(names, string(n.Path))
			}
		}
	case "TAG":
		for _, t := range vault.CountTags(p.vault.Notes(), func(n *vault.Note) []string { return n.Tags }) {
			names = append(names, t.Tag)
		}
	case "FOLDER", "PROJECT":
		folders := p.vault.Folders()
		if kind == "PROJECT" {
			folders = vault.Projects(p.vault.Notes())
		}
		for _, dir := range folders {
			names = append(names, string(dir))
		}
	case "PROMPT":
		for _, saved := range p.desk.Prompts().List() {
			names = append(names, oneLine(saved.Name))
		}
	case "CHAT":
		list, _ := p.store.List(ctx)
		for i := range list {
			names = append(names, list[i].Title)
		}
	}
	return names
}
