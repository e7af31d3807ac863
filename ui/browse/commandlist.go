package browse

import (
	"slices"
	"strings"

	"ibid/ui/page"
	"ibid/ui/picker"
)

// commandList lists the slash commands that match the text in the prompt, followed by saved prompts.
type commandList struct{ promptList }

func (c *commandList) Options() picker.Options {
	return picker.Options{Title: "commands", Popup: true, Empty: "no command is called that; / alone lists all"}
}

func (c *commandList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "run", func(r page.Row) page.Request {
			if name, ok := strings.CutPrefix(r.ID, promptRow); ok {
				return page.CloseThen(post(UsePrompt{name, true}))
			}
			return page.CloseThen(post(Choose{r.ID}))
		}),
	}
}

func (c *commandList) Rows(query string) page.Listing {
	query = strings.ToLower(query)
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), query) }
	var all []entry
	for _, cmd := range c.Commands {
		it, fit := c.row(&cmd), 2
		switch {
		case query != "" && (cmd.Name == query || slices.Contains(cmd.Aliases, query)):
			fit = 0
		case begins(cmd.Name):
			fit = 1
		case !slices.ContainsFunc(cmd.Aliases, begins) && !strings.Contains(cmd.Name, query):
			continue
		}
		all = append(all, entry{it, fit})
	}
	prompts := c.Current.Desk.Prompts
	for i := range prompts {
		p := &prompts[i]
		if _, ok := subsequence(p.Command(), "/"+query); !ok || p.Hidden {
			continue
		}
		it, fit := c.item(p), 2
		if begins(strings.TrimPrefix(p.Command(), "/")) {
			fit = 1
		}
		it.ID, it.Label, it.Detail, it.State = promptRow+p.Name, p.Command(), "", "prompt"
		all = append(all, entry{it, fit})
	}
	return page.Listing{Rows: picker.Rows{Items: ordered(all, nil, false)}}
}

func (c *commandList) row(cmd *Command) picker.Item {
	it := picker.Item{ID: cmd.Name, Label: cmd.Usage(), Detail: cmd.Help}
	if b := c.Keys.Command(cmd.Name); b != nil {
		it.Meta = b.Key.Help().Key
	}
	return it
}

// promptRow begins the ids of rows of saved prompts.
const promptRow = "prompt:"
