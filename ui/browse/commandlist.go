package browse

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/picker"
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
				return page.Steps{page.Close{}, post(UsePrompt{name, true})}
			}
			return page.Steps{page.Close{}, post(Choose{r.ID})}
		}),
		page.DismissKey(),
	}
}

func (c *commandList) Rows(query string) page.Listing {
	var begin, inside []picker.Item
	query = strings.ToLower(query)
	for _, cmd := range c.Commands {
		it := c.row(&cmd)
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
	prompts := c.Current().Prompts
	for i := range prompts {
		p := &prompts[i]
		if p.Hidden {
			continue
		}
		it := c.item(p)
		it.ID, it.Label, it.Detail, it.State = promptRow+p.Name, p.Command, c.firstLine(p), "prompt"
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

// row is the row of a command, with its key.
func (c *commandList) row(cmd *Command) picker.Item {
	it := picker.Item{ID: cmd.Name, Label: cmd.Usage(), Detail: cmd.Help}
	if b := c.Keys.Command(cmd.Name); b != nil {
		it.Meta = b.Key.Help().Key
	}
	return it
}

// related are the commands that a word is about, where none is called that: those
// that hold it whole first.
func (c *commandList) related(query string) []picker.Item {
	var whole, part []picker.Item
	for _, cmd := range c.Commands {
		words := cmd.Words
		if b := c.Keys.Command(cmd.Name); b != nil {
			words += " " + b.Words
		}
		fit, ok := fits("", words, query)
		if !ok || fit > 2 {
			continue
		}
		it := c.row(&cmd)
		if fit == 1 {
			whole = append(whole, it)
		} else {
			part = append(part, it)
		}
	}
	return append(whole, part...)
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
