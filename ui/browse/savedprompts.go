package browse

import (
	"strings"
	"unicode"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
)

// promptList lists the saved prompts.
type promptList struct{ *Catalog }

func (l *promptList) Options() picker.Options {
	return picker.Options{
		Title: "Saved prompts", Placeholder: "letters of its name",
		Note: "its {} stands for the text behind its name",
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
	return it
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
