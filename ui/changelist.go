package ui

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/vault/edit"
	"ibid/vault/undo"
)

// listWrites looks up the changes of notes that are kept.
type listWrites struct{}

// writesMsg is those changes, the last one first.
type writesMsg []undo.Entry

func (msg writesMsg) carryOut(m *Model) tea.Cmd {
	return m.setPage(page.NewList(m.k.Env, &changeList{k: &m.k, all: msg}, ""))
}

func (listWrites) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	all, err := d.Writes()
	if err == nil && len(all) == 0 {
		return answerMsg{"no change of a note is kept"}, nil
	}
	return writesMsg(all), err
}

// changeList lists the changes of notes that are kept, to be looked at and taken back.
type changeList struct {
	k   *known
	all writesMsg
}

func (l *changeList) Options() picker.Options {
	return picker.Options{Title: "Changes of notes", Page: true, Choose: "show it"}
}

func (l *changeList) Rows(string) page.Listing {
	items := make([]picker.Item, len(l.all))
	for i := range l.all {
		items[i] = l.item(&l.all[i])
	}
	return page.Listing{Rows: picker.Rows{Items: items}}
}

// item is a row: what was changed, when, in which chat, and what became of it.
func (l *changeList) item(e *undo.Entry) picker.Item {
	change := edit.Compare(e.Before, e.After)
	added, removed := change.Count()
	chat, _, _ := strings.Cut(path.Base(e.Chat), "@")
	if e.Chat == "" {
		chat = "no saved chat"
	}
	what := []string{counts(l.k, added, removed), e.Tool, strings.TrimSuffix(chat, ".md")}
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
		Meta:    ago(l.k.Now().Sub(e.Time)),
		Snippet: l.k.Theme.Glyphs.Dotted(what...),
	}
}

func (l *changeList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "show it", func(r page.Row) page.Request {
			if e := l.entry(r.ID); e != nil {
				return page.Show{Page: writePage(l.k, e)}
			}
			return nil
		}),
		page.On("u", "take it back", func(r page.Row) page.Request {
			if e := l.entry(r.ID); e != nil {
				return page.Steps{page.Close{}, atDesk(undoWrite{e.ID})}
			}
			return nil
		}),
	}
}

// entry is the change that a row stands for.
func (l *changeList) entry(id string) *undo.Entry {
	for i := range l.all {
		if strconv.Itoa(l.all[i].ID) == id {
			return &l.all[i]
		}
	}
	return nil
}

// writePage shows what a change did; leaving it goes back to the list.
func writePage(k *known, e *undo.Entry) page.Page {
	change := edit.Compare(e.Before, e.After)
	p := newChangePage(k, proposed{
		Proposal: &chains.Proposal{Path: string(e.Path), New: e.New, Change: change}, title: fmt.Sprintf("Change %d", e.ID),
		views:  []view{{e.Time.Format("2006-01-02 15:04") + ", by " + e.Tool, change}},
		decide: func(chains.Decision) page.Request { return atDesk(listWrites{}) },
	})
	p.Accepts = true // it was asked for
	return p
}
