package setup

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/picker"
)

// Vaults is the interface to the vaults for their page.
type Vaults interface {
	// List returns the known vaults; wrong has an error for each list of them that cannot be read.
	List(ctx context.Context) (all []Place, wrong []string)
	// Named returns the folder at a typed path.
	Named(ctx context.Context, typed string) (Place, error)
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

// placesMsg lists the vaults.
type placesMsg struct {
	all   []Place
	wrong []string
}

// vaultList lists the known vaults; a typed path is another one.
type vaultList struct {
	page.Env
	from     Vaults
	first    string // file that keeps the choice, if no vault is open yet; "" on the screen
	all      []Place
	problems []string
	listed   bool
}

// OpenVaults opens the page.
func OpenVaults(env page.Env, from Vaults, query string) page.Request {
	if from == nil {
		return page.Toast{Text: "the vault cannot be changed here: leave, and start ibid with another folder"}
	}
	return page.Steps{page.Show{Page: page.NewList(env, &vaultList{Env: env, from: from}, query)}, listPlaces(from)}
}

// listPlaces reads the list of known vaults.
func listPlaces(from Vaults) page.Do {
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		all, wrong := from.List(ctx)
		return placesMsg{all, wrong}
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
	keep := l.first != ""
	return []page.Action{page.On("enter", "open", func(r page.Row) page.Request {
		p := page.Find(l.all, func(p *Place) bool { return p.Dir == r.ID })
		if p != nil {
			return l.open(*p, keep)
		}
		return page.Do{Work: func(ctx context.Context) tea.Msg {
			named, err := l.from.Named(ctx, r.ID)
			if err != nil {
				return page.Complain(err.Error())
			}
			return l.open(named, keep)
		}}
	})}
}

func (l *vaultList) open(p Place, keep bool) page.Request {
	switch {
	case p.Now:
		return page.Toast{Text: p.Shown + " is open"}
	case p.Warning != "":
		return page.Show{Page: askVault(l.Env, p, keep)}
	}
	return page.Post{Msg: OpenVault{p.Dir, keep}}
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
	if isPath(query) {
		shown.Total, shown.Items = 0, []picker.Item{{ID: query, Label: query, Group: "Folder"}}
		return shown
	}
	for _, p := range l.all {
		if page.Matches(p.Shown+" "+p.Group, query) {
			it := picker.Item{ID: p.Dir, Label: filepath.Base(p.Dir), Detail: p.Shown, Meta: p.About, Group: p.Group}
			if p.Now {
				it.Glyph, it.State = l.Theme.Glyphs.Check, "open"
			}
			shown.Items = append(shown.Items, it)
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

// Receive stores the list of vaults.
func (l *vaultList) Receive(msg tea.Msg) (page.Request, bool) {
	places, ok := msg.(placesMsg)
	if ok {
		l.all, l.problems, l.listed = places.all, places.wrong, true
	}
	return nil, ok
}

// OpenVault opens another vault; keep makes it the default.
type OpenVault struct {
	Dir  string
	keep bool
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
