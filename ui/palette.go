package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/picker"
)

// commandItems lists the slash commands that fit what was typed.
func (m *Model) commandItems(query string) []picker.Item {
	var begin, inside []picker.Item
	query = strings.ToLower(query)
	for _, c := range desk.Commands() {
		it := picker.Item{ID: c.Name, Label: strings.TrimSpace("/" + c.Name + " " + c.Args), Detail: c.Help}
		if b := m.keys.slash(c.Name); b != nil {
			it.Meta = b.key.Help().Key
		}
		switch {
		case strings.HasPrefix(c.Name, query):
			for i := range query {
				it.Match = append(it.Match, 1+i) // behind the slash
			}
			begin = append(begin, it)
		case anyPrefix(c.Aliases, query), strings.Contains(c.Name, query):
			inside = append(inside, it)
		}
	}
	return append(begin, inside...)
}

func anyPrefix(names []string, prefix string) bool {
	for _, n := range names {
		if strings.HasPrefix(n, prefix) {
			return true
		}
	}
	return false
}

// slash is the binding that is the same as a command, nil if there is none.
func (k *keyMap) slash(name string) *binding {
	for i := range k.all {
		if k.all[i].slash == name {
			return &k.all[i]
		}
	}
	return nil
}

// commandAction acts on the list behind a /. A command that needs something to
// work on is put into the prompt, any other one runs.
func (m *Model) commandAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.composer.Dismiss()
		m.closeSheet()
	case picker.Chosen:
		m.closeSheet()
		return m.chooseCommand(a.ID)
	}
	return nil
}

// chooseCommand runs a command from a list, or writes it into the prompt.
func (m *Model) chooseCommand(name string) tea.Cmd {
	c, err := desk.Find(name)
	if err != nil {
		return m.complain(err.Error())
	}
	if c.Args == "" || strings.HasPrefix(c.Args, "[") {
		m.composer.Reset()
		return m.runLine("/" + name)
	}
	if _, _, ok := m.composer.Trigger(); ok {
		m.composer.Accept("/" + name + " ")
	} else {
		m.composer.SetValue("/" + name + " ")
	}
	m.focusComposer()
	return nil
}

// openPalette lists everything that can be done, with its keys.
func (m *Model) openPalette() tea.Cmd {
	m.open(paletteSheet, picker.Options{Title: "Everything", Filter: true, Page: true, Placeholder: "what to do", Choose: "do it"})
	m.sheet.list.SetItems(m.paletteItems(""))
	return nil
}

// paletteItems lists keys and commands that hold every word of the query.
func (m *Model) paletteItems(query string) []picker.Item {
	words := strings.Fields(strings.ToLower(query))
	var items []picker.Item
	add := func(id, label, slash, leader, keys, group string) {
		text := strings.ToLower(label + " " + slash)
		for _, w := range words {
			if !strings.Contains(text, w) {
				return
			}
		}
		if leader != "" {
			leader = m.keys.lead.Help().Key + " " + leader
		}
		if slash != "" {
			slash = "/" + slash
		}
		items = append(items, picker.Item{ID: id, Label: label, Detail: slash, State: leader, Meta: keys, Group: group})
	}
	for i := range m.keys.all {
		b := &m.keys.all[i]
		if b.where == anywhere {
			add("key:"+b.name, b.name, b.slash, b.leader, b.key.Help().Key, "Keys")
		}
	}
	for _, c := range desk.Commands() {
		if m.keys.slash(c.Name) == nil {
			add("run:"+c.Name, capital(c.Help), c.Name, "", "", c.Group)
		}
	}
	return items
}

func (m *Model) paletteAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.closeSheet()
	case picker.Queried:
		m.sheet.list.SetItems(m.paletteItems(a.Query))
	case picker.Chosen:
		m.closeSheet()
		if name, ok := strings.CutPrefix(a.ID, "run:"); ok {
			return m.chooseCommand(name)
		}
		for i := range m.keys.all {
			if b := &m.keys.all[i]; b.where == anywhere && "key:"+b.name == a.ID {
				return b.run(m)
			}
		}
	}
	return nil
}

// modelsMsg lists the models that can be chosen.
type modelsMsg struct {
	names []string
	err   error
}

// openModels lists the models.
func (m *Model) openModels() tea.Cmd {
	m.open(modelsSheet, picker.Options{
		Title: "Models", Filter: true, Page: true, Placeholder: "part of a name", Choose: "use it from the next turn on",
		Empty: "asking the server…", Note: "another model reads the whole prompt once: its cache is empty",
	})
	if list := m.opt.Models; list != nil {
		return m.crew.begin(func(ctx context.Context) tea.Msg {
			names, err := list(ctx)
			return modelsMsg{names, err}
		})
	}
	return m.errand(func(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
		names, err := d.Models(ctx)
		return modelsMsg{names, err}, nil
	})
}

// listModels shows what the server has.
func (m *Model) listModels(msg modelsMsg) tea.Cmd {
	if m.sheet.kind != modelsSheet {
		return nil
	}
	if msg.err != nil {
		m.closeSheet()
		return m.complain(msg.err.Error())
	}
	if len(msg.names) == 0 {
		m.closeSheet()
		return m.say("the offline model answers; `ibid doctor` says how to connect one")
	}
	m.offers.models = msg.names
	m.sheet.list.SetCount(len(msg.names), "")
	m.sheet.list.SetItems(m.modelItems(m.sheet.list.Query()))
	m.sheet.list.Select(m.desk.state.chat.Model)
	return nil
}

func (m *Model) modelItems(query string) []picker.Item {
	var items []picker.Item
	for _, name := range m.offers.models {
		if !strings.Contains(strings.ToLower(name), strings.ToLower(query)) {
			continue
		}
		it := picker.Item{ID: name, Label: name}
		if name == m.desk.state.chat.Model {
			it.Glyph, it.State = m.theme.Glyphs.Check, "answers now"
		}
		items = append(items, it)
	}
	return items
}

func (m *Model) modelsAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.closeSheet()
	case picker.Queried:
		m.sheet.list.SetItems(m.modelItems(a.Query))
	case picker.Chosen:
		m.closeSheet()
		return m.errand(command("/model " + a.ID))
	}
	return nil
}

// openLinks lists the notes that the chosen message links to.
func (m *Model) openLinks() tea.Cmd {
	msg, ok := m.transcript.Selected()
	if !ok {
		return nil
	}
	links := wikilinks(msg.Text)
	if len(links) == 0 {
		return m.say("this message links to no note")
	}
	list := m.open(linksSheet, picker.Options{
		Title: "Links of this message", Page: true, Choose: "attach",
		Keys: append(m.editorKeys(), bind("y ctrl+y", "copy")),
	})
	items := make([]picker.Item, len(links))
	for i, l := range links {
		items[i] = picker.Item{ID: l, Label: l}
	}
	list.SetItems(items)
	return nil
}

func (m *Model) linksAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.closeSheet()
	case picker.Chosen:
		m.closeSheet()
		m.focusComposer()
		return m.errand(command("/add [[" + a.ID + "]]"))
	case picker.Pressed:
		if a.Key == "o" {
			return m.openLink(a.ID)
		}
		return tea.Batch(tea.SetClipboard("[["+a.ID+"]]"), m.say("copied: [["+a.ID+"]]"))
	}
	return nil
}
