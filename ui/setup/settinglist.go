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
	// Set changes a setting; the value "default" removes it from the file. It returns a line for the user.
	Set(ctx context.Context, key, value string) (said string, err error)
}

// settingsMsg lists the settings.
type settingsMsg struct {
	all []page.Setting
	err error
}

// settingList lists the settings by group.
type settingList struct {
	page.Env
	from      Settings
	all       []page.Setting
	startRow  string // row to begin at
	readError string // error of reading the settings
}

// OpenSettings opens the page with a query, and with the cursor on the setting at.
func OpenSettings(env page.Env, from Settings, query, at string) page.Request {
	if from == nil {
		return noSettings()
	}
	return page.Steps{
		page.Show{Page: page.NewList(env, &settingList{Env: env, from: from, startRow: at}, query)},
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
			s := l.find(r.ID)
			switch {
			case s == nil:
				return nil
			case s.Fixed != "":
				return page.Complain(s.Fixed)
			case isSwitch(s):
				return SetSetting(l.from, s.Key, strconv.FormatBool(s.Value != "true"))
			}
			return openSetting(l.Env, l.from, *s)
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
	shown := page.Listing{At: l.startRow, Rows: picker.Rows{
		Total: len(l.all), Notice: l.readError,
		Alert: l.readError != "",
	}}
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

// Remark describes the setting under the cursor.
func (l *settingList) Remark(id string, _ bool) string {
	s := l.find(id)
	if s == nil {
		return settingsNote
	}
	help := s.Help
	if len(s.Values) > 2 && len(s.Values) < 7 {
		help += ": " + strings.Join(s.Values, ", ")
	}
	return help
}

// settingsNote is a remark about all settings.
const settingsNote = "changes count from the next start; keys of providers: /provider"

// Receive stores the settings.
func (l *settingList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case settingsMsg:
		l.all, l.readError = msg.all, ""
		if msg.err != nil {
			l.readError = msg.err.Error()
		}
		return nil, true
	case page.QueryMsg:
		l.startRow = ""
	}
	return nil, false
}

// SetSetting changes a setting in the background.
func SetSetting(from Settings, key, value string) page.Request {
	if from == nil {
		return noSettings()
	}
	return page.Do{Work: func(ctx context.Context) tea.Msg {
		said, err := from.Set(ctx, key, value)
		if err != nil {
			return page.Complain(err.Error())
		}
		return page.Steps{page.Toast{Text: said}, listSettings(from)}
	}}
}

// settingValue asks for the value of a setting: one of a list, or typed text.
type settingValue struct {
	page.Env
	from Settings
	page.Setting
}

// openSetting opens the list of values of a setting.
func openSetting(env page.Env, from Settings, s page.Setting) page.Request {
	typed := ""
	if s.Values == nil && s.From == "config" {
		typed = s.Value
	}
	return page.Show{Page: page.NewList(env, &settingValue{env, from, s}, typed)}
}

func (v *settingValue) Options() picker.Options {
	o := picker.Options{Title: v.Key, Note: v.Help, Placeholder: "type a value", Empty: "type a value"}
	if v.Values != nil {
		o.Placeholder = "part of a value"
	}
	return o
}

func (v *settingValue) Actions() []page.Action {
	back := OpenSettings(v.Env, v.from, "", v.Key)
	return []page.Action{
		page.On("enter", "keep it", func(r page.Row) page.Request {
			return page.Steps{back, SetSetting(v.from, v.Key, r.ID)}
		}),
		page.Always("esc", "back", back),
	}
}

func (v *settingValue) Rows(query string) page.Listing {
	var shown page.Listing
	for _, value := range v.Values {
		if !page.Matches(value, query) {
			continue
		}
		it := picker.Item{ID: value, Label: value}
		if value == v.Value {
			it.Glyph, it.State = v.Theme.Glyphs.Check, v.From
			if query == "" {
				shown.At = value
			}
		}
		shown.Items = append(shown.Items, it)
	}
	if text := strings.TrimSpace(query); v.Values == nil && text != "" {
		shown.Items = append(shown.Items, picker.Item{ID: text, Label: v.Key + " = " + text})
	}
	if v.From == "config" && query == "" {
		shown.Items = append(shown.Items, picker.Item{
			ID: "default", Label: "default",
			Detail: "take it out of the configuration",
		})
	}
	return shown
}
