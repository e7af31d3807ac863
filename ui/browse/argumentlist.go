package browse

import (
	"slices"
	"strings"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// argumentList lists possible arguments of the command in the prompt. It uses only the data of the
// screen and reads nothing itself.
type argumentList struct {
	notes noteList
	cmd   Command
	typed string // the argument typed so far
	moved bool   // the user moved to a row
}

// OpenArguments returns the list for a line that begins with a command, nil if there is no list of its
// arguments.
func (c *Catalog) OpenArguments(line string) page.Page {
	name, _, _ := strings.Cut(line, " ")
	l := &argumentList{notes: noteList{Catalog: c}}
	called := c.Current.Desk.HasPrompt(name)
	if cmd, ok := c.command(strings.ToLower(name)); ok && (cmd.Screen || !called) {
		l.cmd = cmd
	}
	if l.cmd.Names == "" && len(l.cmd.Choices) == 0 {
		return nil
	}
	return page.NewList(c.Env, l, line)
}

func (l *argumentList) Options() picker.Options {
	return picker.Options{Title: "/" + l.cmd.Name, Popup: true}
}

func (l *argumentList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "run", func(r page.Row) page.Request {
			if !l.takesRow() {
				return page.Steps{page.Dismiss{}, post(RunTyped{})}
			}
			return page.Steps{page.Insert{Text: theme.OneLine(r.ID)}, page.Dismiss{}, post(RunTyped{})}
		}),
		page.On("tab", "complete", func(r page.Row) page.Request { return page.Insert{Text: theme.OneLine(r.ID)} }),
	}
}

// takesRow reports whether enter takes the row under the cursor instead of running the typed line. It does
// not if the command works without an argument, or with a name that is not in the list, unless the user
// moved to a row.
func (l *argumentList) takesRow() bool {
	if l.typed == "" {
		return l.moved || !strings.HasPrefix(l.cmd.Args, "[")
	}
	return l.moved || l.cmd.Names != "model"
}

// At records that the user moved to a row.
func (l *argumentList) At(string) page.Request {
	l.moved = true
	return nil
}

func (l *argumentList) Rows(line string) page.Listing {
	_, arg, _ := strings.Cut(line, " ")
	l.typed, l.moved = strings.TrimLeft(arg, " "), false
	shown := page.Listing{Rows: picker.Rows{Empty: "nothing matches"}}
	for _, word := range l.cmd.Choices {
		shown.Items = l.add(shown.Items, picker.Item{ID: word, Label: word})
	}
	for kind := range strings.FieldsSeq(l.cmd.Names) {
		shown.Items = l.addKind(shown.Items, kind)
	}
	return shown
}

// add adds an item that contains the typed text; items that begin with it come first, and push out others.
func (l *argumentList) add(items []picker.Item, it picker.Item) []picker.Item {
	label, typed := strings.ToLower(it.Label), strings.ToLower(strings.Trim(l.typed, `"`))
	switch {
	case slices.ContainsFunc(items, func(o picker.Item) bool { return o.ID == it.ID }):
	case strings.HasPrefix(label, typed):
		at := slices.IndexFunc(items, func(other picker.Item) bool {
			return !strings.HasPrefix(strings.ToLower(other.Label), typed)
		})
		if at < 0 {
			at = len(items)
		}
		items = slices.Insert(items, at, it)
		return items[:min(len(items), maxRows)]
	case len(items) < maxRows && page.Matches(it.Label, typed):
		return append(items, it)
	}
	return items
}

// addKind adds the matching items of a kind of argument.
func (l *argumentList) addKind(items []picker.Item, kind string) []picker.Item {
	c, chat := l.notes.Catalog, &l.notes.Current.Desk
	word := func(id, detail string) { items = l.add(items, picker.Item{ID: id, Label: id, Detail: detail}) }
	switch kind {
	case "note":
		return append(items, l.matchingNotes()...)
	case "chat":
		for i := range c.Chats.All {
			s := &c.Chats.All[i]
			items = l.add(items, picker.Item{ID: string(s.Path), Label: s.Title, Detail: string(s.Path)})
		}
	case "model":
		for _, m := range c.Models {
			word(m, "")
		}
		for i := range c.Chats.All {
			if m := c.Chats.All[i].Model; m != "" {
				word(m, "")
			}
		}
	case "chain":
		for _, c := range chains.Chains() {
			word(c.Name(), c.Sends)
		}
	case "project":
		if all := c.Notes.All; all != nil {
			for _, dir := range all.Projects {
				word(string(dir), "")
			}
		}
	case "theme":
		for _, name := range c.Themes {
			word(name, "")
		}
	case "prompt":
		for i := range chat.Prompts {
			if p := &chat.Prompts[i]; !p.Hidden {
				items = l.add(items, picker.Item{ID: quoted(p.Name), Label: p.Name})
			}
		}
	case "tool":
		for _, name := range chat.Tools {
			word("on "+name, "")
			word("off "+name, "")
		}
	case "attached", "library", "pinned":
		return l.addChatRefs(items, kind)
	case "command":
		for i := range c.Commands {
			if cmd := &c.Commands[i]; !cmd.Screen {
				word(cmd.Name, cmd.Help)
			}
		}
	}
	return items
}

// addChatRefs adds the references of the chat: attached, in its library or pinned.
func (l *argumentList) addChatRefs(items []picker.Item, kind string) []picker.Item {
	chat := l.notes.Current
	ref := func(id, title string) {
		items = l.add(items, picker.Item{ID: quoted(id), Label: title, Detail: id})
	}
	switch kind {
	case "attached":
		for _, r := range chat.Desk.Attached {
			ref(r.ID, r.Label())
		}
	case "library":
		if env := chat.Estimate.Env; env != nil {
			for _, it := range env.Library {
				ref(it.Ref.ID, it.Title)
			}
		}
	case "pinned":
		for _, p := range chat.Desk.Pins {
			ref(string(p.Path), p.Path.Base())
		}
	}
	return items
}

// quoted returns a name in quotes, as an argument of a command.
func quoted(name string) string { return `"` + name + `"` }

// matchingNotes returns the matching notes, like the list for @.
func (l *argumentList) matchingNotes() []picker.Item {
	query := strings.Trim(l.typed, `"`)
	if !l.notes.open() {
		return nil
	}
	var items []picker.Item
	found, _ := l.notes.finder.Find(query, maxRows)
	for _, f := range found {
		if kind, ok := kindOf(&f.Entry); ok && (kind.Kind == prompt.Note || l.cmd.Name == "add") {
			it := l.notes.item(f)
			it.ID, it.Glyph, it.State = quoted(f.ID), "", ""
			if named, ok := l.notes.choose(page.Row{ID: f.ID}).(page.Insert); ok && l.cmd.Name == "add" {
				it.ID = named.Text // it may be a tag or a folder
			}
			items = append(items, it)
		}
	}
	return items
}
