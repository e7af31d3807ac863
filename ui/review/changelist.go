package review

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"ibid/chains"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/vault/edit"
	"ibid/vault/undo"
)

// ListWrites asks for the list of changes.
type ListWrites struct{}

// NewList returns the list of the recorded changes of notes, the last one first.
func NewList(env page.Env, all []undo.Entry) page.Page {
	return page.NewList(env, &changeList{env, all}, "")
}

// changeList lists the recorded changes of notes, to be shown and taken back.
type changeList struct {
	page.Env
	all []undo.Entry
}

func (l *changeList) Options() picker.Options {
	return picker.Options{Title: "Changes of notes", Fixed: true}
}

func (l *changeList) Rows(string) page.Listing {
	items := make([]picker.Item, len(l.all))
	for i := range l.all {
		items[i] = l.item(&l.all[i])
	}
	return page.Listing{Rows: picker.Rows{Items: items}}
}

// item returns a row: the note, the time, the chat and the state of a change.
func (l *changeList) item(e *undo.Entry) picker.Item {
	change := edit.Compare(e.Before, e.After)
	chat, _, _ := strings.Cut(path.Base(e.Chat), "@")
	if e.Chat == "" {
		chat = "no saved chat"
	}
	what := []string{formatCounts(l.Theme, &change), e.Tool, strings.TrimSuffix(chat, ".md")}
	switch {
	case e.Undone > 0:
		what = append(what, "taken back")
	case e.Undoes > 0:
		what = append(what, fmt.Sprintf("takes back %d", e.Undoes))
	case e.Unsure:
		what = append(what, "maybe not made")
	case e.New:
		what = append(what, "new note")
	}
	return picker.Item{
		ID: strconv.Itoa(e.ID), Label: fmt.Sprintf("%d  %s", e.ID, string(e.Path)),
		Meta:    page.FormatAge(l.Now().Sub(e.Time)),
		Snippet: l.Theme.Glyphs.Dotted(what...),
	}
}

func (l *changeList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "show it", func(r page.Row) page.Request {
			if e := l.entry(r.ID); e != nil {
				return page.Show{Page: newWritePage(l.Env, e)}
			}
			return nil
		}),
		page.On("u", "take it back", func(r page.Row) page.Request {
			if e := l.entry(r.ID); e != nil {
				return page.CloseThen(page.Run{Line: fmt.Sprint("/undo-write ", e.ID)})
			}
			return nil
		}),
	}
}

// entry returns the change of a row.
func (l *changeList) entry(id string) *undo.Entry {
	return page.Find(l.all, func(e *undo.Entry) bool { return strconv.Itoa(e.ID) == id })
}

// newWritePage returns the page that shows a past change; leaving it goes back to the list.
func newWritePage(env page.Env, e *undo.Entry) page.Page {
	change := edit.Compare(e.Before, e.After)
	return newChangePage(env, proposedChange{
		Proposal: &chains.Proposal{Path: string(e.Path), New: e.New, Change: change},
		title:    fmt.Sprintf("Change %d", e.ID),
		views:    []view{{e.Time.Format("2006-01-02 15:04") + ", by " + e.Tool, change}},
		decide:   func(chains.Decision) page.Request { return page.Post{Msg: ListWrites{}} },
	})
}
