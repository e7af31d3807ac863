package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/theme"
	"ibid/ui/welcome"
)

// welcome returns the page of an empty chat, for w columns and h rows.
func (k *screenState) welcome(w, h int) *welcome.Page {
	p := &welcome.Page{Env: k.Env, W: w, H: h, Starters: k.starters(), Notices: k.opt.Notices}
	if k.firstRun() {
		p.Findings = k.findings()
	}
	return p
}

// chainHint describes what a turn sends.
func (k *screenState) chainHint() string {
	if k.ModelLooksUp() {
		return "the model may look up notes"
	}
	if k.Desk.Chat.Chain == (chains.Vault{}).Name() {
		return "sends what is found, too"
	}
	return "sends what you attach"
}

// findings returns the rows of the first run about vault, provider, model, chain and chats.
func (k *screenState) findings() []welcome.Finding {
	f, g := &k.opt.FirstRun, &k.Theme.Glyphs
	found, none := g.Check+" found", g.Alert+" none"
	counts := cmp.Or(k.Notes.State(), "being read")
	if all := k.Notes.All; all != nil {
		counts = g.Dotted(theme.Plural(all.Count, "note"), theme.Plural(all.Folders, "folder"))
	}
	presses := map[string]page.Request{
		"Vault": page.Open{ID: page.Vaults}, "Provider": page.Open{ID: page.Providers},
		"Model": page.Open{ID: page.Models}, "Chain": page.Run{Line: "/chain next"},
		"Chats in": page.Open{ID: page.Settings, Arg: "chats.folder"},
	}
	finding := func(name, what, detail, mark string, good bool) welcome.Finding {
		return welcome.Finding{Name: name, What: what, Detail: detail, Mark: mark, Good: good, Does: presses[name]}
	}
	name := k.Desk.Chat.Model
	provider := finding("Provider", f.Provider, "", found, true)
	model := finding("Model", name, f.Model, g.Check+" ready", true)
	switch {
	case name == "":
		provider.Detail, provider.Mark, provider.Good = "it names no model", g.Alert+" no model", false
		model = finding("Model", "none found", k.Keys.NameOf("model")+" chooses one", none, false)
	case k.Offline():
		provider.Detail, provider.Mark, provider.Good = "/provider adds one", none, false
		model.What, model.Detail = "offline", "quotes attached or found notes"
	}
	if f.Provider == "" {
		provider = finding("Provider", "none configured", "/provider adds one", none, false)
	}
	chain := finding("Chain", cmp.Or(k.Desk.Chat.Chain, "chat"), k.chainHint(), g.Check+" chosen", true)
	all := []welcome.Finding{finding("Vault", f.Vault, counts, found, true), provider}
	for i, server := range k.servers {
		also := finding("", server, "", g.Check+" answers", true)
		if i == 0 {
			also.Name = welcome.ServerName
		}
		all = append(all, also)
	}
	chats := finding("Chats in", f.Chats, "one markdown file a chat", g.Context.Added+" create", true)
	if f.Chats == "" {
		chats = finding("Chats", "are not kept in this session", "", g.Alert+" --no-save", false)
	}
	return append(all, model, chain, chats)
}

// starters returns the suggested messages of an empty chat: in the first run the questions of FirstRun,
// later questions about the active note and the last changed one, and the last chat.
func (k *screenState) starters() (all []welcome.Starter) {
	if k.Transcript.Len() > 0 {
		return nil
	}
	add := func(key, label, about, text string) {
		all = append(all, welcome.Starter{Key: key, Label: label, About: about, Text: text})
	}
	if k.firstRun() {
		for i, text := range k.opt.FirstRun.Questions {
			add(k.Keys.NameOf("suggestion-"+strconv.Itoa(i+1)), text, "", text)
		}
		return all
	}
	n := k.Notes.All
	if n == nil || n.Count == 0 {
		return nil
	}
	now, open := k.Now(), k.Desk.Note
	if open.Path != "" {
		about, text := "", "what does "+browse.LinkTo(n.Twins, open.Path, "")+" say?"
		if k.Desk.SendsNote {
			about, text = open.Path.Base(), "what does this note say?"
		}
		if open.Source != "" {
			about = strings.TrimSpace(about + "   open in " + open.Source)
		}
		add(k.Theme.Glyphs.Context.Active, text, about, text)
	}
	for _, note := range n.Recent {
		chat := k.Store != nil && note.Path.In(k.Store.Folder()) || string(note.Path) == k.Desk.Chat.Path
		prompt := slices.ContainsFunc(k.Desk.Prompts, func(p desk.Prompt) bool { return p.Path == note.Path })
		if note.Path != open.Path && !chat && !prompt {
			text := "what does " + browse.LinkTo(n.Twins, note.Path, "") + " say?"
			add("@", text, "changed "+page.FormatAge(now.Sub(note.ModTime)), text)
			break
		}
	}
	if last := &k.Chats.Last; last.Path != "" {
		add("/open", last.Title, "your last chat, "+page.FormatAge(now.Sub(last.Modified)), "/open "+string(last.Path))
	}
	return all
}

// chooseStarter puts the n-th starter into the prompt, unless that holds other text.
func (k *screenState) chooseStarter(n int) tea.Cmd {
	all := k.starters()
	isStarter := func(s welcome.Starter) bool { return s.Text == k.Composer.Value() }
	if n >= len(all) || !k.Composer.Empty() && !slices.ContainsFunc(all, isStarter) {
		return nil
	}
	return k.setDraft(composer.Draft{Text: all[n].Text})
}
