package browse

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// earlierList lists the earlier prompts that contain every word of the query.
type earlierList struct {
	*Catalog
	prompts composer.PromptHistory
	all     []earlierPrompt // as of the last RefreshMsg
}

// earlierPrompt is one earlier prompt.
type earlierPrompt struct {
	draft composer.Draft
	low   string // its text in lower case
	from  *history.AskedPrompt
}

func (l *earlierList) Options() picker.Options {
	return picker.Options{Title: "Earlier prompts", Placeholder: "words in it"}
}

func (l *earlierList) Actions() []page.Action {
	return []page.Action{page.On("enter", "write it again", func(r page.Row) page.Request {
		return page.CloseThen(post(WriteAgain{l.all[r.Index()].draft}))
	})}
}

// take stores the current earlier prompts.
func (l *earlierList) take() {
	from := make(map[string]*history.AskedPrompt, len(l.Asked.Known))
	for i := range l.Asked.Known {
		a := &l.Asked.Known[i]
		from[a.Text] = a
	}
	l.all = nil
	for _, d := range l.prompts.All() {
		l.all = append(l.all, earlierPrompt{d, strings.ToLower(d.Text), from[d.Text]})
	}
}

func (l *earlierList) Receive(msg tea.Msg) (page.Request, bool) {
	if _, ok := msg.(page.RefreshMsg); ok {
		l.take()
		return nil, true
	}
	return nil, false
}

func (l *earlierList) Rows(query string) page.Listing {
	shown := page.Listing{Rows: picker.Rows{Total: len(l.all)}}
	words := strings.Fields(strings.ToLower(query))
	for i := range l.all {
		p := &l.all[i]
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(p.low, w) }) {
			shown.Items = append(shown.Items, l.item(p, strconv.Itoa(i)))
		}
	}
	switch {
	case l.Asked.Reading:
		shown.Aside = "reading all chats"
	case len(l.all) == 0:
		shown.Empty = "nothing was written yet: what you send is listed here"
	case len(shown.Items) == 0:
		shown.Empty = "no earlier prompt holds that" + page.BackspaceShows
	}
	return shown
}

// item returns the row of a prompt: its first line, the number of lines, and the age.
func (l *earlierList) item(p *earlierPrompt, id string) picker.Item {
	line, rest, _ := strings.Cut(strings.TrimSpace(p.draft.Text), "\n")
	it := picker.Item{ID: id, Label: theme.OneLine(line)}
	if rest != "" {
		it.Detail = theme.Plural(strings.Count(rest, "\n")+2, "line")
	}
	if p.from != nil {
		it.Meta = page.FormatAge(l.Now().Sub(p.from.Time))
	}
	return it
}
