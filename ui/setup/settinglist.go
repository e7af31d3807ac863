package setup

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/picker"
)

// Settings is the interface to the configuration for its page.
type Settings interface {
	// List returns all settings with their current values.
	List(ctx context.Context) ([]page.Setting, error)
	// Set changes a setting; the value "default" removes it from the file. It returns the setting as it counts
	// then, and a line for the user.
	Set(ctx context.Context, key, value string) (now page.Setting, said string, err error)
}

// settingsMsg lists the settings.
type settingsMsg struct {
	all []page.Setting
	err error
}

// Changed is a setting that was changed, for the screen to follow it.
type Changed page.Setting

// settingList lists the settings by group, and behind the key of one its values.
type settingList struct {
	page.Env
	from      Settings
	all       []page.Setting
	readError string // error of reading the settings
}

// OpenSettings opens the page with a query.
func OpenSettings(env page.Env, from Settings, query string) page.Request {
	if from == nil {
		return noSettings()
	}
	return page.Steps{
		page.Show{Page: page.NewList(env, &settingList{Env: env, from: from}, query)},
		listSettings(from),
	}
}

// noSettings tells the user that there is no configuration.
func noSettings() page.Request { return page.Toast{Text: "settings cannot be changed here"} }

// listSettings reads all settings.
func listSettings(from Settings) page.Do {
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		all, err := from.List(ctx)
		return settingsMsg{all, err}
	}}
}

func (l *settingList) Options() picker.Options {
	return picker.Options{
		Title: "Settings", Placeholder: "part of a name, or what it is about", Empty: "reading the configuration",
		Note: settingsNote,
	}
}

func (l *settingList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "change", func(r page.Row) page.Request {
			key, value, chosen := strings.Cut(r.ID, " ")
			s := l.find(key)
			switch {
			case s == nil:
				return nil
			case chosen:
				return page.Steps{OpenSettings(l.Env, l.from, key), SetSetting(l.from, key, value)}
			case s.Fixed != "":
				return page.Complain(s.Fixed)
			case isSwitch(s):
				return SetSetting(l.from, s.Key, strconv.FormatBool(s.Value != "true"))
			}
			typed := key + " "
			if s.Values == nil && s.From == "config" {
				typed += s.Value
			}
			return OpenSettings(l.Env, l.from, typed)
		}),
		page.On("ctrl+d", "default", func(r page.Row) page.Request {
			if s := l.find(r.ID); s == nil || s.From != "config" {
				return page.Toast{Text: "it is not in the configuration"}
			}
			return SetSetting(l.from, r.ID, "default")
		}),
	}
}

// isSwitch reports whether a setting is a switch: true or false.
func isSwitch(s *page.Setting) bool {
	return slices.Equal(s.Values, []string{"true", "false"}) && slices.Contains(s.Values, s.Value)
}

func (l *settingList) find(key string) *page.Setting {
	return page.Find(l.all, func(s *page.Setting) bool { return s.Key == key })
}

func (l *settingList) Rows(query string) page.Listing {
	shown := page.Listing{Rows: picker.Rows{Total: len(l.all), Notice: l.readError, Alert: l.readError != ""}}
	if key, typed, behind := strings.Cut(query, " "); behind && l.find(key) != nil {
		shown.Total, shown.Empty, shown.Items = 0, "type a value", l.values(l.find(key), strings.TrimSpace(typed))
		return shown
	}
	for i := range l.all {
		s := &l.all[i]
		if !page.Matches(s.Key+" "+s.Help+" "+s.Value+" "+s.Words, query) {
			continue
		}
		table, name := "general", s.Key
		if at := strings.LastIndex(s.Key, "."); at >= 0 {
			table, name = s.Key[:at], s.Key[at+1:]
		}
		it := picker.Item{ID: s.Key, Label: name, Group: table, Detail: s.Value}
		if it.State = s.From; s.From == "default" {
			it.State = ""
		}
		shown.Items = append(shown.Items, it)
	}
	if len(l.all) > 0 {
		shown.Empty = "no setting holds that" + page.BackspaceShows
	}
	return shown
}

// values returns the values of a setting that match a typed text, or that text where they cannot be listed.
func (l *settingList) values(s *page.Setting, typed string) (items []picker.Item) {
	if s.Values == nil && typed != "" {
		return []picker.Item{{ID: s.Key + " " + typed, Label: s.Key + " = " + typed}}
	}
	for _, value := range s.Values {
		it := picker.Item{ID: s.Key + " " + value, Label: value}
		if value == s.Value {
			it.Glyph, it.State = l.Theme.Glyphs.Check, s.From
		}
		if page.Matches(value, typed) {
			items = append(items, it)
		}
	}
	return items
}

// Remark describes the setting under the cursor.
func (l *settingList) Remark(id string, _ bool) string {
	key, _, _ := strings.Cut(id, " ")
	s := l.find(key)
	if s == nil {
		return settingsNote
	}
	help := s.Help
	if len(s.Values) > 2 && len(s.Values) < 7 {
		help += ": " + strings.Join(s.Values, ", ")
	}
	if s.Fixed == "" && !s.AtOnce {
		help = l.Theme.Glyphs.Dotted(later, help)
	}
	return help
}

const (
	later        = "from the next start" // when most settings count
	settingsNote = "one line of the configuration changes; keys of providers: /provider"
)

// Receive stores the settings.
func (l *settingList) Receive(msg tea.Msg) (page.Request, bool) {
	read, ok := msg.(settingsMsg)
	if !ok {
		return nil, false
	}
	if l.all, l.readError = read.all, ""; read.err != nil {
		l.readError = read.err.Error()
	}
	return nil, true
}

// SetSetting changes a setting in the background.
func SetSetting(from Settings, key, value string) page.Request {
	if from == nil {
		return noSettings()
	}
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		now, said, err := from.Set(ctx, key, value)
		if err != nil {
			return page.Complain(err.Error())
		}
		if !now.AtOnce {
			said += "; it counts " + later
		}
		return page.Steps{page.Post{Msg: Changed(now)}, page.Toast{Text: said}, listSettings(from)}
	}}
}
