package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/index"
)

// pick is something that was chosen from the list: the text that stands in the
// prompt for it, and what that names.
type pick struct {
	ref  prompt.Ref
	text string
}

// attach is the list behind @ and [[, and what was chosen from it.
type attach struct {
	finder *index.Finder
	note   *vault.Note // whose headings are listed, nil for names
	picked []pick

	recalled recalled // what a list of earlier prompts offers
}

// forget drops what no longer stands in the text; it reports whether anything did.
func (a *attach) forget(text string) (dropped bool) {
	n := len(a.picked)
	a.picked = slices.DeleteFunc(a.picked, func(p pick) bool { return !strings.Contains(text, p.text) })
	return len(a.picked) < n
}

// rows is how many rows a list is given; nobody reads further than this.
const rows = 60

// followTrigger opens, renews or closes the list that belongs to where the
// cursor stands. It runs after each key that the prompt took.
func (m *Model) followTrigger() {
	kind, query, ok := m.composer.Trigger()
	switch {
	case !ok && m.sheet.popup():
		m.closeSheet()
	case !ok:
	case kind == composer.Command:
		if m.sheet.kind != commandSheet {
			m.open(commandSheet, picker.Options{Title: "commands", Choose: "run", Empty: "no such command"})
		}
		m.sheet.list.SetItems(m.commandItems(query))
		m.place()
	default:
		if m.sheet.kind != attachSheet {
			m.openAttach()
		}
		m.listMatches(query)
	}
}

func (m *Model) openAttach() {
	m.attach.finder, m.attach.note = m.newFinder(), nil
	m.open(attachSheet, picker.Options{
		Title: "notes", Choose: "attach", Refine: "heading", Empty: m.noNotes(),
		Note: "excluded notes are not offered; private ones never leave this machine",
	})
}

func (m *Model) newFinder() *index.Finder {
	if m.notes.names == nil {
		return nil
	}
	return index.NewFinder(m.notes.names, index.Context{Near: m.near(), Used: m.used()})
}

// noNotes is what an empty list says.
func (m *Model) noNotes() string {
	if m.notes.names == nil {
		return "the vault is being read…"
	}
	return "no note, tag or folder matches"
}

// used counts what this chat has referred to.
func (m *Model) used() map[string]int {
	if m.estimate.env == nil {
		return nil
	}
	used := make(map[string]int, len(m.estimate.env.Library))
	for _, it := range m.estimate.env.Library {
		used[it.Ref.ID] = it.Times
	}
	return used
}

// refreshAttach renews an open list after the vault has changed.
func (m *Model) refreshAttach() {
	switch m.sheet.kind {
	case attachSheet:
		_, query, _ := m.composer.Trigger()
		m.attach.finder = m.newFinder()
		m.listMatches(query)
	case switchSheet:
		m.attach.finder = m.newFinder()
		m.listMatches(m.sheet.list.Query())
	}
}

// listMatches lists what fits the query: names, or headings behind a #.
func (m *Model) listMatches(query string) {
	list := m.sheet.list
	if m.attach.finder == nil {
		list.SetItems(nil)
		m.place()
		return
	}
	if i := strings.LastIndexByte(query, '#'); i > 0 {
		if n := m.noteNamed(query[:i]); n != nil {
			m.attach.note = n
			list.SetTitle("headings of " + n.Title)
			list.SetCount(len(n.Headings), "")
			list.SetItems(headingItems(n, query[i+1:]))
			m.place()
			return
		}
	}
	m.attach.note = nil
	found := m.attach.finder.Find(query, rows)
	items := make([]picker.Item, len(found))
	for i, f := range found {
		items[i] = m.matchItem(f)
	}
	list.SetTitle("notes")
	list.SetMatches(m.attach.finder.Total(), m.notes.names.Len())
	list.SetItems(items)
	m.previewNote()
	m.place()
}

// noteNamed is the note whose headings are asked for.
func (m *Model) noteNamed(name string) *vault.Note {
	if n := m.attach.note; n != nil && name == string(n.Path) {
		return n
	}
	for _, f := range m.attach.finder.Find(name, 3) {
		if f.Kind == index.Note {
			return f.Note
		}
	}
	return nil
}

// matchItem is one row of the list.
func (m *Model) matchItem(f index.Match) picker.Item {
	g := m.theme.Glyphs
	it := picker.Item{ID: f.ID, Label: f.Title, Glyph: g.Context.Added, State: "new"}
	if f.Field == index.InTitle && f.Text == f.Title {
		it.Match = f.Runes
	}
	if d := f.Path.Dir(); d != "" {
		it.Detail = string(d) + "/"
	}
	if f.Field == index.InAlias {
		it.Why = "alias " + f.Text
	}
	switch f.Distance {
	case 0:
		it.Why = "active note"
	case 1, 2:
		it.Why = fmt.Sprintf("linked %s%d", g.Dot, f.Distance)
	}
	switch f.Kind {
	case index.Attachment:
		it.Glyph, it.State = g.Image, "file"
		it.Disabled = "goes along with the note that embeds it"
	case index.Tag:
		it.Detail = "tag " + g.Dot + " " + theme.Plural(f.Count, "note")
	case index.Folder:
		it.Detail = "folder " + g.Dot + " " + theme.Plural(f.Count, "note")
	default:
		m.priceItem(&it, f.Note)
	}
	return it
}

// priceItem says what attaching a note costs.
func (m *Model) priceItem(it *picker.Item, n *vault.Note) {
	g := m.theme.Glyphs
	it.Meta = "+" + theme.Short(int(n.Size+3)/4)
	if n.Private {
		it.Disabled = "private: it stays on this machine"
	}
	if m.estimate.env == nil {
		return
	}
	for _, l := range m.estimate.env.Library {
		if l.Ref.ID != string(n.Path) || l.State == "new" && !m.estimate.sent {
			continue
		}
		it.Glyph, it.State, it.Meta = g.Context.Library, "in library", "0 new"
		if l.State == "changed" {
			it.Glyph, it.State, it.Meta = g.Context.Drifted, "drifted", "+ diff"
		}
	}
}

// previewNote shows the chosen note beside the list: its outline, from what is
// known without reading it.
func (m *Model) previewNote() {
	it, ok := m.sheet.list.Selected()
	if !ok {
		m.sheet.list.SetPreview(picker.Preview{})
		return
	}
	e, ok := m.notes.names.Entry(it.ID)
	if !ok || e.Kind != index.Note {
		m.sheet.list.SetPreview(picker.Preview{})
		return
	}
	n := e.Note
	p := picker.Preview{Title: n.Title, Meta: "≈ " + theme.Short(int(n.Size+3)/4) + " tok " + m.theme.Glyphs.Dot + " " + ago(m.opt.now().Sub(n.ModTime))}
	for _, h := range n.Headings {
		p.Lines = append(p.Lines, strings.Repeat("#", h.Level)+" "+h.Text)
	}
	if len(n.Headings) == 0 {
		p.Lines = append(p.Lines, "no headings")
	}
	p.Lines = append(p.Lines, "")
	if len(n.Aliases) > 0 {
		p.Lines = append(p.Lines, "aliases  "+strings.Join(n.Aliases, " "+m.theme.Glyphs.Dot+" "))
	}
	if len(n.Tags) > 0 {
		p.Lines = append(p.Lines, "tags     #"+strings.Join(n.Tags, " #"))
	}
	p.Lines = append(p.Lines, theme.Plural(len(n.Links), "link")+" out")
	m.sheet.list.SetPreview(p)
}

// headingItems lists the headings of a note that hold the query, and the lines
// that it names.
func headingItems(n *vault.Note, query string) []picker.Item {
	var items []picker.Item
	if isLines(query) {
		items = append(items, picker.Item{ID: query, Label: "lines " + strings.TrimPrefix(query, "L")})
	}
	want := strings.ToLower(query)
	for _, h := range n.Headings {
		if strings.Contains(strings.ToLower(h.Text), want) {
			items = append(items, picker.Item{
				ID: headingRef(h.Text), Label: strings.Repeat("  ", max(h.Level-1, 0)) + h.Text, Meta: fmt.Sprintf("line %d", h.Line),
			})
		}
	}
	return items
}

// headingRef is a heading as a link names it. Links compare headings without
// punctuation, so what would end the link can go.
func headingRef(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || strings.ContainsRune("[]|#^", r) }), " ")
}

// isLines reports whether s names lines: L10 or L10-L20.
func isLines(s string) bool {
	from, to, _ := strings.Cut(s, "-")
	digits := func(s string) bool {
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return strings.HasPrefix(from, "L") && digits(from[1:]) && (to == "" && !strings.HasSuffix(s, "-") || digits(strings.TrimPrefix(to, "L")))
}

// attachAction acts on the list behind @ and [[.
func (m *Model) attachAction(a picker.Action) tea.Cmd {
	switch a.Kind {
	case picker.Closed:
		m.composer.Dismiss()
		m.closeSheet()
	case picker.Moved:
		if m.attach.note == nil {
			m.previewNote()
		}
	case picker.Refined:
		m.refine(a.ID)
	case picker.Chosen:
		return m.accept(a.ID)
	}
	return nil
}

// refine goes on to the headings of a note.
func (m *Model) refine(id string) {
	e, ok := m.notes.names.Entry(id)
	if m.attach.note != nil || !ok || e.Kind != index.Note {
		return
	}
	m.attach.note = e.Note
	open := "[["
	if kind, _, _ := m.composer.Trigger(); kind == composer.At {
		open = "@"
	}
	m.composer.Accept("")
	m.composer.Insert(open + string(e.Path) + "#")
	m.followTrigger()
}

// accept puts what was chosen into the prompt.
func (m *Model) accept(id string) tea.Cmd {
	var p pick
	if n := m.attach.note; n != nil {
		p = pick{prompt.Ref{Kind: prompt.Selection, ID: string(n.Path) + "#" + id}, m.linkTo(n.Path, id)}
	} else {
		e, ok := m.notes.names.Entry(id)
		if !ok {
			return nil
		}
		p = m.pickOf(e)
	}
	m.composer.Accept(p.text)
	m.composer.Insert(" ")
	m.attach.picked = append(m.attach.picked, p)
	m.closeSheet()
	m.estimate.counted = mentionsIn(m.composer.Value())
	m.refreshShelf()
	return m.reckon()
}

// pickOf is what choosing an entry means.
func (m *Model) pickOf(e index.Entry) pick {
	switch e.Kind {
	case index.Tag:
		return pick{prompt.Ref{Kind: prompt.Tag, ID: e.ID}, e.ID}
	case index.Folder:
		text := "@" + e.ID
		if strings.ContainsAny(e.ID, " \t,;:!?()[]'") {
			text = `@"` + e.ID + `"`
		}
		return pick{prompt.Ref{Kind: prompt.Folder, ID: e.ID}, text}
	}
	return pick{prompt.Ref{Kind: prompt.Note, ID: string(e.Path)}, m.linkTo(e.Path, "")}
}

// linkTo is the shortest text that names a note, or a part of it, and no other.
func (m *Model) linkTo(p vault.Path, sub string) string {
	name := p.Base()
	if m.notes.twins[strings.ToLower(name)] > 1 {
		name = strings.TrimSuffix(string(p), ".md")
	}
	if strings.ContainsAny(name, "[]|#^") {
		if sub != "" {
			return `@"` + string(p) + "#" + sub + `"`
		}
		return `@"` + string(p) + `"`
	}
	if sub != "" {
		name += "#" + sub
	}
	return "[[" + name + "]]"
}

// openSwitch opens the list of notes with a line of its own.
func (m *Model) openSwitch() tea.Cmd {
	m.attach.finder, m.attach.note = m.newFinder(), nil
	m.open(switchSheet, picker.Options{
		Title: "Notes", Filter: true, Page: true, Placeholder: "a name, an alias, #tag", Choose: "attach", Empty: m.noNotes(),
		Keys: []key.Binding{
			bind("ctrl+o", "open in $EDITOR"), bind("ctrl+y", "copy path"), bind("ctrl+a", "make it the active note"), bind("ctrl+t", "pin or unpin"),
		},
	})
	m.listMatches("")
	return nil
}

// switchAction acts on the list of notes.
func (m *Model) switchAction(a picker.Action) tea.Cmd {
	p := vault.Path(a.ID)
	switch a.Kind {
	case picker.Closed:
		m.closeSheet()
	case picker.Moved:
		m.previewNote()
	case picker.Queried:
		m.listMatches(a.Query)
	case picker.Chosen:
		return m.accept(a.ID)
	case picker.Pressed:
		if !p.IsNote() {
			return nil
		}
		switch a.Key {
		case "ctrl+o":
			return m.openInEditor(p)
		case "ctrl+y":
			return tea.Batch(tea.SetClipboard(a.ID), m.say("copied: "+a.ID))
		case "ctrl+a":
			m.closeSheet()
			return m.errand(setActive(a.ID))
		case "ctrl+t":
			return m.errand(m.togglePin(p))
		}
	}
	return nil
}

// togglePin is the errand that pins a note, or takes its pin away.
func (m *Model) togglePin(p vault.Path) errand {
	verb := "/pin"
	for _, pin := range m.desk.state.pins {
		if pin.Path == p {
			verb = "/unpin"
		}
	}
	return command(verb + ` "` + string(p) + `"`)
}

// bind is a binding of keys, divided by spaces; the first one stands in the help.
func bind(keys, does string) key.Binding {
	all := strings.Fields(keys)
	name := all[0]
	if len(name) > 1 && name[0] == 'f' && name[1] <= '9' {
		name = strings.ToUpper(name)
	}
	return key.NewBinding(key.WithKeys(all...), key.WithHelp(name, does))
}
