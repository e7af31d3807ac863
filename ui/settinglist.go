package ui

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/composer"
	"ibid/ui/keys"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/term"
)

// Settings is what the page about the configuration works with.
type Settings interface {
	// List is all settings with what counts now.
	List(ctx context.Context) ([]Setting, error)
	// Set gives a setting another value; "default" takes it out of the file. It
	// returns the setting as it is then, and what to say.
	Set(ctx context.Context, key, value string) (now Setting, said string, err error)
}

// Setting is one key of the configuration.
type Setting struct {
	Key, Help string
	Value     string   // what counts now
	From      string   // default, config, a flag or a variable
	Values    []string // what it can be, nil if that cannot be listed
	List      []string // what counts now of a list of texts that the file has
	Fixed     string   // why it cannot be set here, "" if it can
	Words     string   // other words that people look for
	AtOnce    bool     // the screen follows it before the next start
}

// settingsMsg lists the settings; settingMsg is one that was set.
type (
	settingsMsg struct {
		all []Setting
		err error
	}
	settingMsg struct {
		now  Setting
		said string
		err  error
	}
)

// settingList lists the settings by group.
type settingList struct {
	k   *known
	all []Setting
	at  string // the row to begin at
	bad string // why there are none
}

// openSettings opens the page at a setting or a query.
func openSettings(m *Model, query, at string) tea.Cmd {
	from := m.k.opt.Service.Settings
	if from == nil {
		return m.say("settings cannot be changed here")
	}
	return tea.Batch(m.setPage(page.NewList(m.k.Env, &settingList{k: &m.k, at: at}, query)), m.tasks.Start(listSettings(from)))
}

func listSettings(from Settings) term.Work {
	return func(ctx context.Context) tea.Msg {
		all, err := from.List(ctx)
		return settingsMsg{all, err}
	}
}

func (l *settingList) Options() picker.Options {
	return picker.Options{
		Title: "Settings", Filter: true, Page: true, Placeholder: "part of a name, or what it is about", Choose: "change", Empty: "reading the configuration",
		Note: settingsNote,
	}
}

func (l *settingList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "change", func(r page.Row) page.Request {
			s, ok := l.find(r.ID)
			switch {
			case !ok:
				return nil
			case s.Fixed != "":
				return page.Complain(s.Fixed)
			case isSwitch(&s):
				return setSetting{s.Key, strconv.FormatBool(s.Value != "true")}
			}
			return openSetting{s}
		}),
		page.On("ctrl+d", "default", func(r page.Row) page.Request {
			if s, ok := l.find(r.ID); !ok || s.From != "config" {
				return page.Toast{Text: "it is not in the configuration"}
			}
			return setSetting{r.ID, "default"}
		}),
	}
}

// isSwitch reports whether a setting is on or off, and says which.
func isSwitch(s *Setting) bool {
	return slices.Equal(s.Values, []string{"true", "false"}) && slices.Contains(s.Values, s.Value)
}

func (l *settingList) find(key string) (Setting, bool) {
	i := slices.IndexFunc(l.all, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return l.all[i], true
}

func (l *settingList) Rows(query string) page.Listing {
	shown := page.Listing{At: l.at, Rows: picker.Rows{Total: len(l.all), Notice: l.bad, Alert: l.bad != ""}}
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

// remark says what the setting under the cursor means.
func (l *settingList) Remark(id string, _ bool) string {
	s, ok := l.find(id)
	if !ok {
		return settingsNote
	}
	help := s.Help
	if len(s.Values) > 2 && len(s.Values) < 7 {
		help += ": " + strings.Join(s.Values, ", ")
	}
	if s.Fixed == "" && !s.AtOnce {
		help = l.k.Theme.Glyphs.Dotted("from the next start", help)
	}
	return help
}

// settingsNote is what there is to say of all settings.
const settingsNote = "one line of the configuration changes; keys of providers: /provider"

// receive takes the settings over.
func (l *settingList) Receive(msg tea.Msg) (page.Request, bool) {
	switch msg := msg.(type) {
	case settingsMsg:
		l.all, l.bad = msg.all, ""
		if msg.err != nil {
			l.bad = msg.err.Error()
		}
		return nil, true
	case page.QueryMsg:
		l.at = ""
	}
	return nil, false
}

type (
	// setSetting gives a setting another value.
	setSetting struct{ key, value string }
	// openSetting asks which value a setting is to have; backToSettings opens the list
	// at one.
	openSetting    struct{ Setting }
	backToSettings struct{ key string }
)

func (i backToSettings) carryOut(m *Model) tea.Cmd { return openSettings(m, "", i.key) }

// carryOut sets the setting in the background.
func (s setSetting) carryOut(m *Model) tea.Cmd {
	from := m.k.opt.Service.Settings
	if from == nil {
		return m.say("settings cannot be changed here")
	}
	return m.tasks.Start(func(ctx context.Context) tea.Msg {
		now, said, err := from.Set(ctx, s.key, s.value)
		return settingMsg{now, said, err}
	})
}

// carryOut takes over what a setting is now: on the screen at once, if that can be.
func (msg settingMsg) carryOut(m *Model) tea.Cmd {
	if msg.err != nil {
		return m.complain(msg.err.Error())
	}
	if !msg.now.AtOnce {
		msg.said += "; it counts from the next start"
	}
	cmds := []tea.Cmd{applySetting(m, &msg.now), m.say(msg.said)}
	if l, ok := m.page.(*page.List); ok {
		if _, is := l.Source.(*settingList); is {
			cmds = append(cmds, m.tasks.Start(listSettings(m.k.opt.Service.Settings)))
		}
	}
	return tea.Batch(cmds...)
}

// applySetting makes the screen follow a setting, if it does so before the next start.
func applySetting(m *Model, s *Setting) tea.Cmd {
	on, o := s.Value == "true", m.k.Theme.Options
	if action, ok := strings.CutPrefix(s.Key, "keys."); ok {
		return giveKeys(m, action, s)
	}
	switch s.Key {
	case "screen.theme":
		if u, ok := themeNamed(&m.k, s.Value).(useTheme); ok {
			u.keep = false
			return u.carryOut(m)
		}
	case "screen.ascii":
		o.ASCII = on
		m.setTheme(o)
	case "screen.links":
		o.NoLinks = !on || m.k.opt.Terminal.NoLinks
		m.setTheme(o)
	case "screen.motion":
		o.Still = !on
		m.setTheme(o)
	case "screen.images":
		return drawImages(m, on)
	case "screen.mouse":
		m.stage.mouse = on
	case "screen.vim":
		m.k.opt.Input.Vim = on
		composer.VimIn(m.composer).Set(on)
	case "screen.notify":
		m.k.opt.Terminal.Notify = term.Notify(s.Value)
	case "screen.suggestions":
		return m.work(countUsage{on})
	}
	return nil
}

// giveKeys gives an action the keys of a setting, and says what they take from others.
func giveKeys(m *Model, action string, s *Setting) tea.Cmd {
	given := maps.Clone(m.k.opt.Input.Keys)
	if given == nil {
		given = map[string][]string{}
	}
	if given[action] = s.List; s.From != "config" {
		delete(given, action)
	}
	table, conflicts, err := keys.NewTable(given)
	if err != nil {
		return m.complain(err.Error())
	}
	m.k.opt.Input.Keys, *m.k.Keys = given, table
	for _, text := range conflicts {
		if strings.Contains(text, " "+action) {
			return m.say(text)
		}
	}
	return nil
}

// settingValue asks for the value of a setting: one of a list, or what is typed.
type settingValue struct {
	k *known
	Setting
}

func (s openSetting) carryOut(m *Model) tea.Cmd {
	typed := ""
	if s.Values == nil && s.From == "config" {
		typed = s.Value
	}
	return m.setPage(page.NewList(m.k.Env, &settingValue{&m.k, s.Setting}, typed))
}

func (v *settingValue) Options() picker.Options {
	o := picker.Options{Title: v.Key, Filter: true, Page: true, Choose: "keep it", Note: v.Help, Placeholder: "type a value", Empty: "type a value"}
	if v.Values != nil {
		o.Placeholder = "part of a value"
	}
	return o
}

func (v *settingValue) Actions() []page.Action {
	back := backToSettings{v.Key}
	return []page.Action{
		page.On("enter", "keep it", func(r page.Row) page.Request { return page.Steps{back, setSetting{v.Key, r.ID}} }),
		{Key: key.NewBinding(key.WithKeys("esc")), Free: true, Does: func(page.Row) page.Request { return back }},
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
			it.Glyph, it.State = v.k.Theme.Glyphs.Check, v.From
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
		shown.Items = append(shown.Items, picker.Item{ID: "default", Label: "default", Detail: "take it out of the configuration"})
	}
	return shown
}
