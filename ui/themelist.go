package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme/colors"
)

// useTheme draws the screen in the colours of a palette. With keep it is chosen for
// good.
type useTheme struct {
	palette *colors.Palette
	kind    string // "dark" or "light"; "" is as the terminal's background
	keep    bool
}

// name is what the configuration calls it.
func (u useTheme) name() string {
	switch {
	case u.palette.Name != colors.Own:
		return strings.TrimSpace(u.palette.Name + " " + u.kind)
	case u.kind == "":
		return "auto"
	}
	return u.kind
}

// themeNow is how the screen is drawn.
func themeNow(k *known) useTheme {
	u := useTheme{palette: k.Theme.Options.Palette}
	if u.palette == nil {
		u.palette = &colors.Palette{Name: colors.Own}
	}
	switch {
	case !k.opt.Themes.Fixed:
	case k.Theme.Options.Dark:
		u.kind = "dark"
	default:
		u.kind = "light"
	}
	return u
}

// themeNamed is what a name stands for.
func themeNamed(k *known, name string) page.Request {
	palette, kind, ok := colors.Find(k.opt.Themes.All, name)
	if !ok {
		var names []string
		for i := range k.opt.Themes.All {
			names = append(names, k.opt.Themes.All[i].Name)
		}
		return page.Complain("there is no theme " + name + "; there are " + strings.Join(names, ", ") + ", each also with dark or light behind it")
	}
	return useTheme{palette, kind, true}
}

func (u useTheme) carryOut(m *Model) tea.Cmd {
	o := m.k.Theme.Options
	o.Palette, m.k.opt.Themes.Fixed = u.palette, u.kind != ""
	ask := tea.RequestBackgroundColor
	if u.kind != "" {
		o.Dark, ask = u.kind == "dark", nil
	}
	m.setTheme(o)
	if !u.keep || m.k.opt.Themes.Keep == nil {
		return ask
	}
	keep := m.k.opt.Themes.Keep
	return tea.Batch(ask, m.tasks.Start(func(context.Context) tea.Msg {
		if err := keep(u.name()); err != nil {
			return page.Complain(err.Error())
		}
		return page.Toast{Text: "theme: " + u.name()}
	}))
}

// themeList lists the palettes. The screen shows the one that the cursor is on.
type themeList struct {
	k   *known
	was useTheme // before the list was opened
	now useTheme
}

func newThemeList(k *known) *themeList {
	now := themeNow(k)
	return &themeList{k: k, was: now, now: now}
}

func (l *themeList) Options() picker.Options {
	return picker.Options{
		Title: "Themes", Filter: true, Placeholder: "part of a name", Page: true, Choose: "keep it", Empty: "no theme is called that" + page.BackspaceShows,
		Note: "own ones stand in the configuration, as [screen.themes.NAME]",
	}
}

func (l *themeList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "keep it", func(page.Row) page.Request {
			u := l.now
			u.keep = true
			return page.Steps{page.Close{}, u}
		}),
		page.On("tab", "dark, light, auto", func(page.Row) page.Request {
			switch l.now.kind {
			case "":
				l.now.kind = "dark"
			case "dark":
				l.now.kind = "light"
			default:
				l.now.kind = ""
			}
			return l.now
		}),
		{Key: keys.Bind("esc", "close"), Free: true, Does: func(page.Row) page.Request { return page.Steps{page.Close{}, l.was} }},
	}
}

func (l *themeList) Rows(query string) page.Listing {
	var shown page.Listing
	all := l.k.opt.Themes.All
	shown.Total = len(all)
	for i := range all {
		if !page.Matches(all[i].Name, query) {
			continue
		}
		it := picker.Item{ID: all[i].Name, Label: all[i].Name}
		if it.ID == l.now.palette.Name {
			it.State = l.now.kind
			if it.State == "" {
				it.State, it.Detail = "auto", "as the terminal's background"
			}
		}
		if it.ID == l.was.palette.Name {
			it.Glyph = l.k.Theme.Glyphs.Check
		}
		shown.Items = append(shown.Items, it)
	}
	return shown
}

// at shows what the cursor is on.
func (l *themeList) At(id string) page.Request {
	palette, _, ok := colors.Find(l.k.opt.Themes.All, id)
	if !ok || palette.Name == l.now.palette.Name {
		return nil
	}
	l.now.palette = palette
	return l.now
}
