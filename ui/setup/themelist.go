package setup

import (
	"strings"

	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme/colors"
)

// UseTheme switches the screen to a palette. Keep saves the choice.
type UseTheme struct {
	Palette *colors.Palette
	Kind    string // "dark" or "light"; "" follows the terminal's background
	Keep    bool
}

// Name returns the name of the choice in the configuration.
func (u UseTheme) Name() string {
	switch {
	case u.Palette.Name != colors.OwnName:
		return strings.TrimSpace(u.Palette.Name + " " + u.Kind)
	case u.Kind == "":
		return "auto"
	}
	return u.Kind
}

// currentTheme returns the current theme.
func currentTheme(env page.Env, fixed bool) UseTheme {
	u := UseTheme{Palette: env.Theme.Options.Palette}
	if u.Palette == nil {
		u.Palette = &colors.Palette{Name: colors.OwnName}
	}
	switch {
	case !fixed:
	case env.Theme.Options.Dark:
		u.Kind = "dark"
	default:
		u.Kind = "light"
	}
	return u
}

// themeList lists the palettes. The screen shows the one under the cursor.
type themeList struct {
	page.Env
	all      []colors.Palette
	previous UseTheme // theme before the list was opened
	current  UseTheme
}

// OpenThemes opens the list. fixed reports that the theme sets whether the screen is dark.
func OpenThemes(env page.Env, all []colors.Palette, fixed bool) page.Request {
	now := currentTheme(env, fixed)
	return page.Show{Page: page.NewList(env, &themeList{Env: env, all: all, previous: now, current: now}, "")}
}

func (l *themeList) Options() picker.Options {
	return picker.Options{
		Title: "Themes", Placeholder: "part of a name", Empty: "no theme is called that" + page.BackspaceShows,
		Note: "own ones stand in the configuration, as [screen.themes.NAME]",
	}
}

func (l *themeList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "keep it", func(page.Row) page.Request {
			u := l.current
			u.Keep = true
			return page.CloseThen(page.Post{Msg: u})
		}),
		page.On("tab", "dark, light, auto", func(page.Row) page.Request {
			l.current.Kind = map[string]string{"": "dark", "dark": "light"}[l.current.Kind] // and then "" again
			return page.Post{Msg: l.current}
		}),
		page.Always("esc", "close", page.CloseThen(page.Post{Msg: l.previous})),
	}
}

func (l *themeList) Rows(query string) page.Listing {
	var shown page.Listing
	shown.Total = len(l.all)
	for i := range l.all {
		if !page.Matches(l.all[i].Name, query) {
			continue
		}
		it := picker.Item{ID: l.all[i].Name, Label: l.all[i].Name}
		if it.ID == l.current.Palette.Name {
			it.State = l.current.Kind
			if it.State == "" {
				it.State, it.Detail = "auto", "as the terminal's background"
			}
		}
		if it.ID == l.previous.Palette.Name {
			it.Glyph = l.Theme.Glyphs.Check
		}
		shown.Items = append(shown.Items, it)
	}
	return shown
}

// At shows the palette under the cursor.
func (l *themeList) At(id string) page.Request {
	palette, _, err := colors.Find(l.all, id)
	if err != nil || palette.Name == l.current.Palette.Name {
		return nil
	}
	l.current.Palette = palette
	return page.Post{Msg: l.current}
}

// Lists returns empty lists of this package, for their keys; the list of themes is the last.
func Lists(env page.Env) []page.Source {
	none := func() AnsweringModel { return AnsweringModel{} }
	return []page.Source{
		&modelList{Env: env, now: none}, &providerList{Env: env}, &settingList{Env: env},
		&vaultList{Env: env}, &themeList{Env: env},
	}
}
