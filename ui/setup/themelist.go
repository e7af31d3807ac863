package setup

import (
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme/colors"
)

// UseTheme switches the screen to the named theme. Keep saves the choice.
type UseTheme struct {
	Name string
	Keep bool
}

// themeList lists the palettes. The screen shows the one under the cursor.
type themeList struct {
	page.Env
	all     []string
	current string // palette before the list was opened
	kind    string // end of the names: " dark", " light", or "" to follow the terminal's background
}

// OpenThemes opens the list. fixed reports that the theme sets whether the screen is dark.
func OpenThemes(env page.Env, all []colors.Palette, fixed bool) page.Request {
	l := &themeList{Env: env, all: colors.ThemeNames(all), current: colors.OwnName}
	now := &env.Theme.Options
	if now.Palette != nil {
		l.current = now.Palette.Name
	}
	if fixed {
		l.kind = map[bool]string{true: " dark", false: " light"}[now.Dark]
	}
	return page.Show{Page: page.NewList(env, l, "")}
}

func (l *themeList) Options() picker.Options {
	return picker.Options{
		Title: "Themes", Placeholder: "part of a name", Empty: "no theme is called that" + page.BackspaceShows,
		Note: "own ones stand in the configuration, as [screen.themes.NAME]",
	}
}

func (l *themeList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "keep it", func(r page.Row) page.Request { return page.CloseThen(l.use(r.ID, true)) }),
		page.Always("esc", "close", page.CloseThen(l.use(l.current, false))),
	}
}

func (l *themeList) use(name string, keep bool) page.Request {
	return page.Post{Msg: UseTheme{name + l.kind, keep}}
}

func (l *themeList) Rows(query string) page.Listing {
	shown := page.Listing{Rows: picker.Rows{Total: len(l.all)}}
	for _, name := range l.all {
		it := picker.Item{ID: name, Label: name}
		if name == l.current {
			it.Glyph = l.Theme.Glyphs.Check
		}
		if page.Matches(name, query) {
			shown.Items = append(shown.Items, it)
		}
	}
	return shown
}

// At shows the palette under the cursor.
func (l *themeList) At(id string) page.Request { return l.use(id, false) }

// Lists returns empty lists of this package, for their keys; the list of themes is the last.
func Lists(env page.Env) []page.Source {
	none := func() AnsweringModel { return AnsweringModel{} }
	return []page.Source{
		&modelList{Env: env, now: none}, &providerList{Env: env}, &settingList{Env: env},
		&vaultList{Env: env}, &themeList{Env: env},
	}
}
