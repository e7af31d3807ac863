package browse

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ibid/history"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// earlierList lists the earlier prompts that contain every word of the query, with the chat and day of
// each.
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
			shown.Items = append(shown.Items, l.item(p, strconv.Itoa(i), words))
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

// item returns the row of a prompt: its first line, and as a snippet a further line with a word of the
// query that the first one lacks.
func (l *earlierList) item(p *earlierPrompt, id string, words []string) picker.Item {
	line, rest, _ := strings.Cut(strings.TrimSpace(p.draft.Text), "\n")
	it := picker.Item{ID: id, Label: theme.OneLine(line)}
	it.Match = marksIn(it.Label, words)
	var about []string
	if rest != "" {
		about = append(about, theme.Plural(strings.Count(rest, "\n")+2, "line"))
		low := strings.ToLower(it.Label)
		missing := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(low, w) })
		for other := range strings.SplitSeq(rest, "\n") {
			other = theme.OneLine(other)
			if at := marksIn(other, missing); len(at) > 0 {
				it.Snippet = aroundMark(other, at[0])
				it.Marked = marksIn(it.Snippet, words)
				break
			}
		}
	}
	if p.from != nil {
		// else the title is the prompt's beginning
		if title := theme.OneLine(p.from.Title); !strings.HasPrefix(it.Label, title) {
			about = append(about, title)
		}
		it.Meta = dayOf(p.from.Time, l.Now())
	}
	it.Detail = l.Theme.Glyphs.Dotted(about...)
	return it
}

// marksIn returns the indexes of the runes of text that are part of a word; words are in lower case.
func marksIn(text string, words []string) (at []int) {
	if len(words) == 0 {
		return nil
	}
	runes := []rune(text)
	for i, r := range runes {
		runes[i] = unicode.ToLower(r)
	}
	marked := make([]bool, len(runes))
	for _, w := range words {
		want := []rune(w)
		for i := 0; i+len(want) <= len(runes); i++ {
			if slices.Equal(runes[i:i+len(want)], want) {
				for j := range want {
					marked[i+j] = true
				}
			}
		}
	}
	for i, m := range marked {
		if m {
			at = append(at, i)
		}
	}
	return at
}

// aroundMark returns a part of a long line, from shortly before the rune at at.
func aroundMark(line string, at int) string {
	const before, most = 20, 200
	runes := []rune(line)
	from := 0
	if at > before*2 {
		from = at - before
	}
	return strings.TrimSpace(string(runes[from:min(from+most, len(runes))]))
}

// dayOf returns the day of a time, or the time of day for today.
func dayOf(t, now time.Time) string {
	t = t.In(now.Location())
	switch d := Day(t, now); {
	case d == "Yesterday":
		return "yesterday"
	case t.Year() != now.Year():
		return t.Format("2 Jan 2006")
	default:
		return clockInGroup(d, t)
	}
}
