package browse

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// promptList lists the saved prompts. Their texts and prices are computed in the background.
type promptList struct {
	*Catalog
	looks chatview.PromptLooks
}

func (l *promptList) Options() picker.Options {
	return picker.Options{
		Title: "Saved prompts", Placeholder: "letters of its name",
		Note: "the price is that of what the prompt names; its {} stands for the text behind its name",
	}
}

func (l *promptList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "put it into the prompt", func(r page.Row) page.Request {
			return page.CloseThen(post(UsePrompt{Name: r.ID}))
		}),
		page.On("ctrl+o", "open in $EDITOR", func(r page.Row) page.Request {
			return page.CloseThen(page.Run{Line: `/prompt edit "` + r.ID + `"`})
		}),
	}
}

func (l *promptList) Rows(query string) page.Listing {
	empty := "no saved prompt is called that" + page.BackspaceShows
	prompts := l.Current.Desk.Prompts
	if len(prompts) == 0 {
		empty = "no prompts yet: /prompt new NAME saves your last message as one"
	}
	shown := page.Listing{Rows: picker.Rows{Empty: empty, Total: len(prompts)}}
	for i := range prompts {
		p := &prompts[i]
		if match, ok := subsequence(p.Name, query); ok {
			it := l.item(p)
			it.Match = match
			shown.Items = append(shown.Items, it)
		}
	}
	return shown
}

// item returns the row of a prompt.
func (l *promptList) item(p *chatview.Prompt) picker.Item {
	it := picker.Item{ID: p.Name, Label: p.Name, Detail: p.Command()}
	if p.Private {
		it.Detail, it.Disabled = "", "private: it stays on this machine"
	}
	if look, ok := l.looks[p.Path]; ok {
		it.Meta = priceOf(look)
	}
	return it
}

// priceOf returns the price of a prompt as text, "" if it cannot be filled in.
func priceOf(l chatview.PromptLook) string {
	switch {
	case l.Err != nil:
		return ""
	case l.Rough:
		return "≈ " + theme.ShortCount(l.Costs)
	}
	return "+" + theme.ShortCount(l.Costs)
}

// Preview shows the text of a prompt and the references in it.
func (l *promptList) Preview(id string) picker.Preview {
	p := page.Find(l.Current.Desk.Prompts, func(p *chatview.Prompt) bool { return p.Name == id })
	if p == nil {
		return picker.Preview{}
	}
	look, ok := l.looks[p.Path]
	shown := picker.Preview{Title: p.Name, Meta: priceOf(look)}
	add := func(s string) { shown.Lines = append(shown.Lines, picker.Line{Text: s}) }
	switch {
	case !ok:
		return shown
	case look.Err != nil:
		add(look.Err.Error())
		return shown
	}
	for line := range strings.SplitSeq(look.Text, "\n") {
		add(line)
	}
	add("")
	for _, r := range look.Refs {
		add(l.Theme.Glyphs.Context.Added + " " + r.Label())
	}
	for _, s := range look.Says {
		add(s)
	}
	if p.Model != "" {
		add("asks for the model " + p.Model)
	}
	return shown
}

// Receive asks once for the texts of the prompts.
func (l *promptList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case page.RefreshMsg, page.QueryMsg:
		if l.looks == nil && len(l.Current.Desk.Prompts) > 0 {
			l.looks = chatview.PromptLooks{}
			return post(chatview.LookAtPrompts(l.Current.Desk.Prompts, l.Vault)), false
		}
	case chatview.PromptLooks:
		l.looks = msg
		return nil, true
	}
	return nil, false
}

// firstLine returns the first line of a prompt's text.
func (l *promptList) firstLine(p *chatview.Prompt) string {
	line, _, _ := strings.Cut(l.looks[p.Path].Text, "\n")
	return line
}

// subsequence reports whether the letters of a query occur in a name in this order, ignoring case and
// blanks, and returns the indexes of the runes.
func subsequence(name, query string) (at []int, ok bool) {
	want := []rune(strings.ToLower(strings.Join(strings.Fields(query), "")))
	for i, r := range []rune(name) {
		if len(at) < len(want) && unicode.ToLower(r) == want[len(at)] {
			at = append(at, i)
		}
	}
	return at, len(at) == len(want)
}
