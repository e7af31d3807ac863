package browse

import (
	"slices"
	"strings"

	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/vault/md"
)

// palette lists all actions with their keys, the most recent first.
type palette struct{ *Catalog }

// MaxRecent limits the recent actions that come first.
const MaxRecent = 5

// Beginnings of the ids of rows: commands, actions of keys.
const (
	runRow    = "run:"
	actionRow = "key:"
)

func (p *palette) Options() picker.Options {
	return picker.Options{Title: "Everything", Placeholder: "what to do"}
}

func (p *palette) Actions() []page.Action {
	return []page.Action{page.On("enter", "do it", func(r page.Row) page.Request {
		if name, ok := strings.CutPrefix(r.ID, runRow); ok {
			return page.CloseThen(post(Used{r.ID}), post(Choose{name}))
		}
		if name, ok := strings.CutPrefix(r.ID, promptRow); ok {
			return page.CloseThen(post(Used{r.ID}), post(UsePrompt{Name: name}))
		}
		b := p.Keys.First(func(b *keys.Binding) bool { return b.Listed() && actionRow+b.ID == r.ID })
		return page.CloseThen(post(Used{r.ID}), page.Act(b.Does()))
	})}
}

// entry is a row of the palette, and how well it matches the query, 0 for best.
type entry struct {
	picker.Item
	fit int
}

// Rows lists the keys, commands and saved prompts that contain every word of the query: matches of names come
// before matches of related words.
func (p *palette) Rows(query string) page.Listing {
	var all []entry
	add := func(it picker.Item, names, words string) {
		if fit, ok := wordFit(names, words, query); ok {
			all = append(all, entry{it, fit})
		}
	}
	for i := range p.Keys.All {
		b := &p.Keys.All[i]
		if !b.Listed() {
			continue
		}
		it := picker.Item{ID: actionRow + b.ID, Label: b.Name, Meta: b.Key.Help().Key, Group: "Keys"}
		if b.Leader != "" {
			it.State = p.Keys.Lead.Help().Key + " " + b.Leader
		}
		names := b.Name + " " + b.Key.Help().Desc
		if c, ok := p.command(b.Command); ok {
			names += " " + strings.Join(c.Aliases, " ")
		}
		if b.Command != "" {
			it.Detail = "/" + b.Command
			names += " " + b.Command
		}
		add(it, names, b.Words)
	}
	for i := range p.Commands {
		if c := &p.Commands[i]; p.Keys.Command(c.Name) == nil {
			add(picker.Item{ID: runRow + c.Name, Label: md.Capital(c.Help), Detail: "/" + c.Name, Group: c.Group},
				c.Name+" "+strings.Join(c.Aliases, " "), c.Help+" "+c.Words)
		}
	}
	prompts := p.Current.Desk.Prompts
	for i := range prompts {
		if s := &prompts[i]; !s.Hidden {
			add(picker.Item{ID: promptRow + s.Name, Label: s.Name, Detail: s.Command(), Group: "Saved prompts"},
				s.Name+" "+s.Command(), "")
		}
	}
	return page.Listing{Rows: picker.Rows{Items: ordered(all, p.Recent, query == "")}}
}

// ordered returns the rows in their order: the best match first, of equals the most recent. whole keeps
// the groups.
func ordered(all []entry, recent []string, whole bool) []picker.Item {
	last := func(e *entry) int {
		if i := slices.Index(recent, e.ID); i >= 0 {
			return i
		}
		return MaxRecent
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		if d := a.fit - b.fit; d != 0 {
			return d
		}
		return last(&a) - last(&b)
	})
	items := make([]picker.Item, len(all))
	for i := range all {
		items[i] = all[i].Item
		switch {
		case !whole:
			items[i].Group = ""
		case last(&all[i]) < MaxRecent:
			items[i].Group = "Done last"
		}
	}
	return items
}

// wordFit reports whether every word of a query is in name or among related words. worst is the fit of the
// worst word, from 0 for a word of the name to 3 for a part of a word.
func wordFit(name, words, query string) (worst int, ok bool) {
	name, words = strings.ToLower(name), strings.ToLower(words)
	whole := func(text, w string) bool { return slices.Contains(strings.FieldsFunc(text, betweenWords), w) }
	begins := func(text, w string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(text, betweenWords), func(s string) bool {
			return strings.HasPrefix(s, w)
		})
	}
	for w := range strings.FieldsSeq(strings.ToLower(query)) {
		w = strings.TrimPrefix(w, "/")
		switch {
		case whole(name, w):
		case begins(name, w), whole(words, w):
			worst = max(worst, 1)
		case begins(words, w):
			worst = max(worst, 2)
		case strings.Contains(name, w), strings.Contains(words, w):
			worst = 3
		default:
			return 0, false
		}
	}
	return worst, true
}

func betweenWords(r rune) bool { return strings.ContainsRune(" :;,/.$-", r) }
