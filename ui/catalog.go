package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/keys"
	"ibid/ui/page"
)

// newCatalog is what the lists show, before anything was read.
func newCatalog(o *Options, env page.Env) *browse.Catalog {
	c := &browse.Catalog{
		Env: env, Vault: o.Vault, Store: o.Store, Finder: finder{o.Desk}, Commands: commandsOf(env.Keys),
		Recent: o.Input.Recent, Edits: len(o.Editor) > 0, Opener: o.Opener,
	}
	for i := range o.Themes.All {
		c.Themes = append(c.Themes, o.Themes.All[i].Name)
	}
	return c
}

// finder is the desk, as lists search with it.
type finder struct{ *desk.Place }

func (f finder) Indexing(ctx context.Context) browse.Indexing {
	return browse.Indexing(f.Desk.Indexing(ctx))
}

// commandsOf are the commands of the desk, and those of the screen alone.
func commandsOf(table *keys.Table) (all []browse.Command) {
	for _, c := range desk.Commands() {
		all = append(all, browse.Command{
			Group: c.Group, Name: c.Name, Args: c.Args, Help: c.Help, Words: c.Words, Names: c.Names, Aliases: c.Aliases, Choices: c.Choices(),
		})
	}
	for i := range table.All {
		b := &table.All[i]
		if b.Command == "" || commandNamed(all, b.Command) != nil {
			continue
		}
		c := browse.Command{Group: "Look", Name: b.Command, Args: b.Args, Help: b.Name, Screen: true}
		if b.Args == "[NAME]" {
			c.Names = b.Command
		}
		all = append(all, c)
	}
	return all
}

// commandNamed is the command of a name, nil if there is none.
func commandNamed(all []browse.Command, name string) *browse.Command {
	return page.Find(all, func(c *browse.Command) bool { return c.Name == name })
}

// currentChat is what lists show of the chat on the screen.
func (k *screenState) currentChat() browse.Chat {
	s, e := &k.Desk, &k.Estimate
	c := browse.Chat{
		Path: s.Chat.Path, Note: s.Note.Path, Follows: s.Active != desk.Off, Pins: s.Pins, Attached: s.Attached,
		Prompts: make([]browse.Prompt, len(s.Prompts)), Tools: s.Tools, NoBlocks: s.NoBlocks, NoMemory: s.NoMemory, Request: e.Env, Prices: e.Prices,
	}
	for i := range s.Prompts {
		p := &s.Prompts[i]
		c.Prompts[i] = browse.Prompt{Path: p.Path, Name: p.Name, Command: p.Command(), Model: p.Model, Hidden: p.Hidden, Private: p.Private}
	}
	return c
}

// listOpen is what lists show of the chats that are open.
func (k *screenState) listOpen() []browse.OpenChat {
	all := k.all()
	open := make([]browse.OpenChat, len(all))
	for i, c := range all {
		sign, words := c.State(&k.Theme.Glyphs)
		open[i] = browse.OpenChat{Path: c.Desk.Chat.Path, Running: c.Turn.Running(), Current: c == k.Chat, Sign: sign, State: words}
	}
	return open
}

// takeList acts on what a list asks for.
func (m *Model) takeList(msg any) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case browse.ListChats:
		return m.k.listChats(""), true
	case browse.OpenSaved:
		return m.k.openSaved(msg), true
	case browse.Weigh:
		return m.k.Do(m.k.Weigh(msg.Refs)), true
	case browse.LookAtPrompts:
		return m.k.Do(lookAtPrompts(m.k.Desk.Prompts, m.k.Vault)), true
	case browse.UsePrompt:
		if msg.Typed {
			m.composer.Accept("", "")
		}
		return m.k.Do(usePrompt(msg.Name)), true
	case browse.Choose:
		return chooseCommand(m, msg.Command), true
	case browse.Used:
		return m.k.usedAction(msg.ID), true
	case browse.RunTyped:
		return m.submit(), true
	case browse.WriteAgain:
		m.composer.Take() // what stood there is the newest of the earlier prompts
		return m.k.setDraft(msg.Draft), true
	case browse.GoBack:
		return m.k.Do(goBack(msg)), true
	case browse.ReadQuery:
		return m.k.Do(readQuery(msg.ID)), true
	case browse.Propose:
		return m.k.Do(proposeReply(msg)), true
	}
	return nil, false
}
