package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/setup"
)

// commandList lists the slash commands that fit what was typed in the prompt.
// Saved prompts stand behind them.
type commandList struct{ promptList }

func (c *commandList) Options() picker.Options {
	return picker.Options{Title: "commands", Choose: "run", Empty: "no command is called that; / alone lists all"}
}

func (c *commandList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "run", func(r page.Row) page.Request {
			if name, ok := strings.CutPrefix(r.ID, promptRow); ok {
				return page.Steps{page.Close{}, page.Post{Msg: usePrompt{name, true}}}
			}
			return page.Steps{page.Close{}, page.Post{Msg: chooseCommand{r.ID}}}
		}),
		page.DismissKey(),
	}
}

func (c *commandList) Rows(query string) page.Listing {
	var begin, inside []picker.Item
	query = strings.ToLower(query)
	for _, cmd := range c.commands() {
		it := picker.Item{ID: cmd.Name, Label: strings.TrimSpace("/" + cmd.Name + " " + cmd.Args), Detail: cmd.Help}
		if b := c.k.Keys.Command(cmd.Name); b != nil {
			it.Meta = b.Key.Help().Key
		}
		alias := slices.ContainsFunc(cmd.Aliases, func(a string) bool { return strings.HasPrefix(a, query) })
		switch {
		case query != "" && slices.Contains(cmd.Aliases, query): // as if it were its name
			begin = slices.Insert(begin, 0, it)
		case strings.HasPrefix(cmd.Name, query):
			for i := range query {
				it.Match = append(it.Match, 1+i) // behind the slash
			}
			at := len(begin)
			if cmd.Name == query {
				at = 0
			}
			begin = slices.Insert(begin, at, it)
		case alias, strings.Contains(cmd.Name, query):
			inside = append(inside, it)
		}
	}
	for i := range c.k.Desk.Prompts {
		p := &c.k.Desk.Prompts[i]
		if p.Hidden {
			continue
		}
		it := c.item(p)
		it.ID, it.Label, it.Detail, it.State = promptRow+p.Name, p.Command(), c.firstLine(p), "prompt"
		word, _ := strings.CutPrefix(it.Label, "/")
		switch match, ok := subsequence(word, query); {
		case !ok:
			continue
		case strings.HasPrefix(strings.ToLower(word), query):
			for i := range utf8.RuneCountInString(query) {
				it.Match = append(it.Match, 1+i)
			}
			begin = append(begin, it)
		default:
			for _, i := range match {
				it.Match = append(it.Match, 1+i)
			}
			inside = append(inside, it)
		}
	}
	items := append(begin, inside...)
	if len(items) == 0 {
		items = c.related(query)
	}
	return page.Listing{Rows: picker.Rows{Items: items}, Hints: keys.Hints("enter", "run", "esc", "close")}
}

// related are the commands that a word is about, where none is called that: those
// that hold it whole first.
func (c *commandList) related(query string) []picker.Item {
	var whole, part []picker.Item
	for _, cmd := range c.commands() {
		words := cmd.Words
		b := c.k.Keys.Command(cmd.Name)
		if b != nil {
			words += " " + b.Words
		}
		fit, ok := fits("", words, query)
		if !ok || fit > 2 {
			continue
		}
		it := picker.Item{ID: cmd.Name, Label: strings.TrimSpace("/" + cmd.Name + " " + cmd.Args), Detail: cmd.Help}
		if b != nil {
			it.Meta = b.Key.Help().Key
		}
		if fit == 1 {
			whole = append(whole, it)
		} else {
			part = append(part, it)
		}
	}
	return append(whole, part...)
}

// commands are those of the desk, and those of the screen alone.
func (c *commandList) commands() []desk.Command {
	all := desk.Commands()
	for i := range c.k.Keys.All {
		if b := &c.k.Keys.All[i]; screenOnly(b) {
			all = append(all, desk.Command{Group: "Look", Name: b.Command, Args: b.Args, Help: b.Name})
		}
	}
	return all
}

// screenOnly reports whether a binding is a command that only a screen has.
func screenOnly(b *keys.Binding) bool {
	return b.Command != "" && !slices.ContainsFunc(desk.Commands(), func(c desk.Command) bool { return c.Name == b.Command })
}

// promptRow begins the ids of rows that are saved prompts.
const promptRow = "prompt:"

// preview shows what a saved prompt says.
func (c *commandList) Preview(id string) picker.Preview {
	name, ok := strings.CutPrefix(id, promptRow)
	if !ok {
		return picker.Preview{}
	}
	return c.promptList.Preview(name)
}

// carryOut runs a command from a list, or writes it into the prompt if it
// needs something to work on.
func (i chooseCommand) carryOut(m *Model) tea.Cmd {
	name := i.name
	c, err := desk.Find(name)
	if b := m.k.Keys.Command(name); b != nil && screenOnly(b) {
		c, err = desk.Command{Args: b.Args}, nil
	}
	if err != nil {
		return m.complain(err.Error())
	}
	_, _, typed := m.composer.Trigger() // else it comes from the palette
	switch runs := c.Args == "" || strings.HasPrefix(c.Args, "["); {
	case runs && typed:
		m.composer.Accept("", "")
		return m.runLine("/" + name)
	case runs:
		return m.runLine("/" + name)
	case typed:
		m.composer.Accept("/"+name+" ", "")
	default:
		m.composer.Take() // what stood there is the newest of the earlier prompts
		m.composer.SetValue("/" + name + " ")
	}
	m.composer.Focus()
	return nil
}

// runLine runs a line that is a command: by the screen if it has something
// better to show, else at the desk.
func (m *Model) runLine(line string, spans ...chains.Span) tea.Cmd {
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	arg = strings.TrimSpace(arg)
	if c, err := desk.Find(name); err == nil && !m.k.Desk.HasPrompt(name) {
		name = c.Name
	}
	if b := m.k.Keys.Command(name); b != nil && arg == "" {
		return m.carryOut(page.Act(b.Does()))
	}
	switch name {
	case "chats":
		return m.carryOut(page.Open{ID: page.Chats, Arg: arg})
	case "search":
		return m.carryOut(page.Open{ID: page.Notes, Arg: arg})
	case "config":
		if key, value, sets := strings.Cut(arg, " "); sets {
			return m.carryOut(setup.SetSetting(m.k.opt.Service.Settings, key, strings.TrimSpace(value)))
		}
		return m.carryOut(page.Open{ID: page.Settings, Arg: arg})
	case "vault":
		return m.carryOut(page.Open{ID: page.Vaults, Arg: arg})
	case "theme":
		return useTheme(m, arg, true)
	case "find":
		m.k.Find.Look(arg)
		m.place()
		return nil
	case "copy":
		return m.carryOut(m.k.Copy(strings.ToLower(arg)))
	case "retry":
		return m.k.Retry()
	case "add":
		if link, ok := sourceAt(m.k.Transcript, arg); ok {
			return m.work(command{line: addLink(link)})
		}
	case "undo-write":
		if strings.EqualFold(arg, "list") {
			return m.work(listWrites{})
		}
	case "merge":
		if arg == "" {
			return m.work(planMerge{})
		}
	case "export":
		return m.work(exportChat{strings.TrimSpace(line)})
	}
	if b := m.k.Keys.Command(name); b != nil && screenOnly(b) {
		return m.complain("/" + name + " takes nothing behind it")
	}
	return m.work(command{line: m.k.Choice.Command(name, arg, line), spans: spans})
}
