package setup

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/picker"
)

// Vaults is the interface to the vaults for their page.
type Vaults interface {
	// List returns the known vaults; wrong has an error for each list of them that cannot be read.
	List(ctx context.Context) (all []Place, wrong []string)
	// Folders returns the folders that a typed path names or may be completed to.
	Folders(ctx context.Context, typed string) []Place
	// Keep makes a folder the default vault.
	Keep(ctx context.Context, dir string) (said string, err error)
	// Open opens a folder after the screen has ended.
	Open(dir string)
}

// Place is a folder that can be opened as a vault.
type Place struct {
	Dir     string // absolute
	Shown   string // as a user writes it: ~/notes
	Group   string // where it was found
	About   string // further facts about it
	Warning string // why the user is asked before it is read, "" for no reason
	Now     bool   // it is open
}

// completes reports whether p completes a typed path.
func (p Place) completes(typed string) bool {
	begins := func(path string) bool { return strings.HasPrefix(strings.ToLower(path), strings.ToLower(typed)) }
	return begins(p.Shown) || begins(p.Dir)
}

// PlacesMsg lists the vaults; FoldersMsg completes a path.
type (
	PlacesMsg struct {
		all   []Place
		wrong []string
	}
	FoldersMsg struct {
		typed string
		all   []Place
	}
)

// vaultList lists the known vaults, and the folders that complete a typed path.
type vaultList struct {
	page.Env
	from     Vaults
	first    string // file that keeps the choice, if no vault is open yet; "" on the screen
	all      []Place
	problems []string
	folders  FoldersMsg
	listed   bool
}

// OpenVaults opens the page.
func OpenVaults(env page.Env, from Vaults, query string) page.Request {
	if from == nil {
		return page.Toast{Text: "the vault cannot be changed here: leave, and start ibid with another folder"}
	}
	l := &vaultList{Env: env, from: from}
	return page.Steps{page.Show{Page: page.NewList(env, l, query)}, listPlaces(from), l.complete(query)}
}

// listPlaces reads the list of known vaults.
func listPlaces(from Vaults) page.Do {
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		all, wrong := from.List(ctx)
		return PlacesMsg{all, wrong}
	}}
}

func (l *vaultList) Options() picker.Options {
	o := picker.Options{
		Title: "Vaults", Placeholder: "a name, or ~/a/path",
		Empty: "looking" + l.Theme.Glyphs.Ellipsis,
	}
	o.Note = "the chat is saved, and the screen begins anew there"
	if l.first != "" {
		o.Title, o.Note = "Which vault?", "enter opens it, and keeps it as vault in "+l.first
	}
	return o
}

func (l *vaultList) Actions() []page.Action {
	acts := []page.Action{
		page.On("enter", "open", func(r page.Row) page.Request { return l.open(r, l.first != "") }),
		page.On("tab", "complete", func(r page.Row) page.Request {
			if p := l.find(r.ID); p != nil {
				return page.Type{
					Text: strings.TrimSuffix(p.Shown, string(filepath.Separator)) + string(filepath.Separator),
				}
			}
			return nil
		}),
	}
	if l.first != "" {
		return append(acts, page.On("ctrl+o", "open once", func(r page.Row) page.Request { return l.open(r, false) }))
	}
	return append(acts, page.On("ctrl+s", "start with it", func(r page.Row) page.Request {
		return l.keepVault(r.ID)
	}))
}

func (l *vaultList) open(r page.Row, keep bool) page.Request {
	p := l.find(r.ID)
	switch {
	case p == nil:
		return nil
	case p.Now:
		return page.Toast{Text: p.Shown + " is open"}
	case p.Warning != "":
		return page.Show{Page: askVault(l.Env, *p, keep)}
	}
	return page.Post{Msg: OpenVault{p.Dir, keep}}
}

func (l *vaultList) find(dir string) *Place {
	return page.Find(slices.Concat(l.folders.all, l.all), func(p *Place) bool { return p.Dir == dir })
}

// isPath reports whether a query is a path, not part of a name.
func isPath(query string) bool {
	return strings.ContainsAny(query, `/\`) || strings.HasPrefix(query, "~") || strings.HasPrefix(query, ".")
}

func (l *vaultList) Rows(query string) page.Listing {
	shown := page.Listing{Rows: picker.Rows{Total: len(l.all)}}
	if len(l.problems) > 0 {
		shown.Notice, shown.Alert = l.problems[0], true
	}
	query = strings.TrimSpace(query)
	add := func(p Place, group string) {
		it := picker.Item{ID: p.Dir, Label: filepath.Base(p.Dir), Detail: p.Shown, Meta: p.About, Group: group}
		if p.Now {
			it.Glyph, it.State = l.Theme.Glyphs.Check, "open"
		}
		shown.Items = append(shown.Items, it)
	}
	if isPath(query) {
		shown.Total = 0
		for _, p := range l.folders.all {
			if l.folders.typed == query || p.completes(query) {
				add(p, "Folders")
			}
		}
		if shown.Empty = "there is no such folder"; l.folders.typed != query {
			shown.Empty = "looking" + l.Theme.Glyphs.Ellipsis
		}
		return shown
	}
	for _, p := range l.all {
		if page.Matches(p.Shown+" "+p.Group, query) {
			add(p, p.Group)
		}
	}
	switch {
	case l.listed && query == "":
		shown.Empty = "no vault known yet: type its path"
	case l.listed:
		shown.Empty = "no vault of that name is known; type a path, such as ~/notes"
	}
	return shown
}

// Receive stores answers, and completes typed paths.
func (l *vaultList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case PlacesMsg:
		l.all, l.problems, l.listed = msg.all, msg.wrong, true
		return nil, true
	case FoldersMsg:
		l.folders = msg
		return nil, true
	case page.QueryMsg:
		return l.complete(msg.Query), false
	}
	return nil, false
}

// complete completes a typed path, in the background.
func (l *vaultList) complete(query string) page.Request {
	if query = strings.TrimSpace(query); !isPath(query) {
		return nil
	}
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		return FoldersMsg{query, l.from.Folders(ctx, query)}
	}, Latest: true}
}

// OpenVault opens another vault; keep makes it the default.
type OpenVault struct {
	Dir  string
	keep bool
}

// keepVault makes a vault the default.
func (l *vaultList) keepVault(dir string) page.Request {
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		said, err := l.from.Keep(ctx, dir)
		if err != nil {
			return page.Complain(err.Error())
		}
		return page.Toast{Text: said}
	}}
}

// askVault returns the question whether to read a folder that does not look like a vault.
func askVault(env page.Env, p Place, keep bool) *page.Question {
	return &page.Question{
		Env: env, Title: "Read all notes in " + p.Shown + "?",
		Rows: [][2]string{{"it is " + p.Warning +
			": every markdown file in it and in the folders below would be read", ""}},
		Answers: []page.Answer{
			page.Reply("y", "read it", page.Post{Msg: OpenVault{p.Dir, keep}}),
			page.Reply("esc", "choose another", page.Open{ID: page.Vaults}),
		},
	}
}
