package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ibid/chains/desk"
	"ibid/ui/picker"
	"ibid/vault"
	"ibid/vault/state"
)

// linkList lists the notes that a message links to.
type linkList struct {
	k     *known
	links []string
}

func (l linkList) options() picker.Options {
	return picker.Options{Title: "Links of this message", Page: true, Choose: "attach"}
}

func (l linkList) rows(string) listing {
	items := make([]picker.Item, len(l.links))
	for i, link := range l.links {
		items[i] = picker.Item{ID: link, Label: link}
	}
	return listing{Rows: picker.Rows{Items: items}}
}

func (l linkList) actions() []action {
	acts := []action{{key: bind("enter +", "attach"), does: func(r row) intent {
		return steps{doClosePage, doFocusPrompt, atDesk{command{"/add [[" + r.id + "]]"}}}
	}}}
	if len(l.k.opt.Editor) > 0 {
		acts = append(acts, action{key: bind("o ctrl+o", "open in $EDITOR"), does: func(r row) intent {
			return atDesk{followLink{l.k.opt.Vault, r.id}}
		}})
	}
	return append(acts, action{key: bind("y ctrl+y", "copy"), does: func(r row) intent {
		return copyText{"[[" + r.id + "]]", "[[" + r.id + "]]"}
	}})
}

// followLink finds the note that a link leads to, and the line of the section that
// it names, to be edited.
type followLink struct {
	vault  *vault.Vault
	target string
}

func (j followLink) run(context.Context, *desk.Desk) (tea.Msg, error) {
	found := j.vault.Resolve(j.target, "")
	if found.Path == "" {
		found = j.vault.Find(j.target)
	}
	if found.Path == "" {
		return nil, fmt.Errorf("[[%s]]: there is no such note", j.target)
	}
	line := 0
	if found.Subpath != "" {
		if text, err := j.vault.Read(found.Path); err == nil {
			line, _, _ = text.Section(found.Subpath)
		}
	}
	return editFile{found.Path, line, state.Wikilink}, nil
}
