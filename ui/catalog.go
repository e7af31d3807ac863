package ui

import (
	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/chatview"
	"ibid/ui/keys"
	"ibid/ui/page"
)

// newCatalog returns the data of the lists before anything was read.
func newCatalog(o *Options, setup *chatview.Setup) *browse.Catalog {
	c := &browse.Catalog{
		Setup: setup, Finder: o.Desk, Commands: commandsOf(setup.Keys),
		Recent: o.Input.Recent, Edits: len(o.Editor) > 0, Opener: o.Opener,
	}
	for i := range o.Themes.All {
		c.Themes = append(c.Themes, o.Themes.All[i].Name)
	}
	return c
}

// commandsOf returns the commands of the desk, followed by those that only the screen has.
func commandsOf(table *keys.Table) (all []browse.Command) {
	for _, c := range desk.Commands() {
		all = append(all, browse.Command{
			Group: c.Group, Name: c.Name, Args: c.Args, Help: c.Help, Words: c.Words, Names: c.Names,
			Aliases: c.Aliases, Choices: c.Choices(),
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

// commandNamed returns the command with the given name, or nil.
func commandNamed(all []browse.Command, name string) *browse.Command {
	return page.Find(all, func(c *browse.Command) bool { return c.Name == name })
}

// takePart handles the messages of lists and of the parts of the screen, and reports whether msg was one.
func (m *Model) takePart(msg any) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case browse.ListChats:
		return m.listChats(""), true
	case browse.OpenSaved:
		return m.openSaved(msg), true
	case browse.UsePrompt:
		if msg.Typed {
			m.Composer.Accept("", "")
		}
		return m.Do(usePrompt(msg.Name)), true
	case browse.Choose:
		return chooseCommand(m, msg.Command), true
	case browse.Used:
		return m.usedAction(msg.ID), true
	case browse.RunTyped:
		return m.submit(), true
	case browse.WriteAgain:
		m.Composer.Take() // the text that was there becomes the newest earlier prompt
		return m.setDraft(msg.Draft), true
	case browse.Propose:
		return m.Do(proposeReply(msg)), true
	case chatview.DraftEvent:
		return m.drafts.Take(msg), true
	case toastExpired:
		m.toast.expire(msg)
		return nil, true
	case pullMsg:
		return m.pull.begin(msg), true
	case pullTick:
		return m.pull.showProgress(msg), true
	case pulledMsg:
		return m.pull.showResult(msg), true
	}
	return nil, false
}
