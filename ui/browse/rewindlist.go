package browse

import (
	"slices"
	"strconv"
	"strings"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
)

// rewindList lists the user's messages of this chat, to go back to one.
type rewindList struct {
	texts []string // the last one first
}

// OpenRewind opens the list of the user's messages; texts has the first one first.
func (c *Catalog) OpenRewind(texts []string) page.Request {
	texts = slices.Clone(texts)
	slices.Reverse(texts)
	return c.showList(rewindList{texts}, "")
}

func (l rewindList) Options() picker.Options {
	return picker.Options{
		Title: "Go back to", Placeholder: "words in it",
		Note: "the last one is undone, /redo brings it back; an earlier one goes on in a chat of its own",
	}
}

func (l rewindList) Actions() []page.Action {
	return []page.Action{page.On("enter", "edit and send again", func(r page.Row) page.Request {
		i := r.Index()
		return page.CloseThen(post(chatview.GoBack(len(l.texts)-1-i, l.texts[i], i == 0)))
	})}
}

func (l rewindList) Rows(query string) page.Listing {
	var shown page.Listing
	for i, text := range l.texts {
		if !page.Matches(text, query) {
			continue
		}
		line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
		it := picker.Item{ID: strconv.Itoa(i), Label: line, Detail: "turn " + strconv.Itoa(len(l.texts)-i)}
		if rest != "" {
			it.Meta = theme.Plural(strings.Count(rest, "\n")+2, "line")
		}
		shown.Items = append(shown.Items, it)
	}
	return shown
}
