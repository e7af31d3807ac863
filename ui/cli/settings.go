package cli

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ibid/chains/connect"
	"ibid/ui/cli/config"
	"ibid/ui/page"
	"ibid/ui/theme/colors"
)

// settingTools shows and changes the configuration file. It implements setup.Settings and connect.Tables.
type settingTools struct{ *app }

// listSettings prints the settings whose name, help or value contains a text.
func listSettings(ctx context.Context, p *parts, words []string) error {
	all, err := settingTools{p.app}.having(ctx, strings.Join(words, " "))
	for _, s := range all {
		p.printRow(s, settingLine(s))
	}
	return err
}

func printConfigPath(_ context.Context, p *parts, _ []string) error {
	path := p.configPath()
	return p.report(rowJSON{"path": path, "there": fileExists(path)}, path, nil)
}

func printSetting(_ context.Context, p *parts, words []string) error {
	s, err := p.configFile().Find(words[0])
	if err != nil {
		return err
	}
	return p.report(settingTools{p.app}.row(&s), s.Value, nil)
}

// setSetting runs ibid config set and, without a value, ibid config unset.
func setSetting(_ context.Context, p *parts, words []string) error {
	var value *string
	if len(words) > 1 {
		text := strings.Join(words[1:], " ")
		value = &text
	}
	row, said, err := settingTools{p.app}.set(words[0], value)
	return p.report(row, said, err)
}

func tableOf(provider string) config.Key { return config.Key{"providers", provider} }

// AddProvider adds the table of a provider. It holds no key.
func (t settingTools) AddProvider(name string, c *connect.Settings) error {
	return t.configFile().AddTable(tableOf(name), [][2]string{
		{"kind", c.Kind},
		{"base_url", c.BaseURL},
		{"key_env", c.KeyEnv},
		{"key_command", c.KeyCommand},
		{"model", c.Model},
	})
}

// RemoveProvider removes the table of a provider.
func (t settingTools) RemoveProvider(name string) error {
	return t.configFile().RemoveTable(tableOf(name))
}

// Place returns the place of the table of a provider, for messages.
func (t settingTools) Place(name string) string {
	return "[" + tableOf(name).String() + "] in " + t.folder.tilde(t.configPath())
}

// names completes the name of a setting, or after a name its value.
func (t settingTools) names(words []string) (names []string) {
	_, all, _ := t.configFile().Read() // a shell cannot show the error
	for _, s := range all {
		switch {
		case len(words) == 0:
			names = append(names, s.Key.String()+"\t"+s.Tag.Get("help"))
		case strings.EqualFold(s.Key.String(), words[0]):
			return t.valuesOf(&s)
		}
	}
	return names
}

// valuesOf returns the possible values of a setting, nil if it can be anything.
func (t settingTools) valuesOf(s *config.Setting) []string {
	switch s.Key.String() {
	case "chain":
		return chainNames()
	case "screen.theme":
		c, _, _ := t.configFile().Read() // on error without the themes of the file
		return append([]string{"auto", "dark", "light"}, colors.ThemeNames(c.Screen.palettes())...)
	}
	return s.Values()
}

// settingLine formats a setting for lists.
func settingLine(s page.Setting) string {
	return oneLine(fmt.Sprintf("%-22s %-28s (%s)", s.Key, s.Value, s.From)) + "\n"
}

// having returns the settings whose name, help or value contains a text, and an error if there are none.
func (t settingTools) having(ctx context.Context, text string) ([]page.Setting, error) {
	all, err := t.List(ctx)
	all = slices.DeleteFunc(all, func(s page.Setting) bool {
		return !strings.Contains(strings.ToLower(s.Key+" "+s.Help+" "+s.Value), strings.ToLower(text))
	})
	if len(all) == 0 && err == nil {
		err = usagef("no setting holds %q; `ibid config` lists all", text)
	}
	return all, err
}

// slash implements desk.Setup.Config, for /config in line mode.
func (t settingTools) slash(ctx context.Context, arg string) (string, error) {
	if key, value, _ := strings.Cut(arg, " "); strings.TrimSpace(value) != "" {
		_, said, err := t.Set(ctx, key, strings.TrimSpace(value))
		return said + "; it counts from the next start", err
	}
	all, err := t.having(ctx, arg)
	list := ""
	for _, s := range all {
		list += settingLine(s)
	}
	return list + "/config KEY VALUE sets one, /config KEY default takes it out of the file; both count from the next start", err
}

// set writes a value into the file, or with nil removes the setting from it. It returns the setting as it counts then,
// which a flag or variable may decide, and a text for people.
func (t settingTools) set(name string, value *string) (row page.Setting, said string, err error) {
	switch {
	case value != nil && strings.HasSuffix(strings.ToLower(name), "key_env") && !variable.MatchString(*value):
		return row, "", usagef(
			"%s is the name of a variable, such as OPENAI_API_KEY, and never a key: /provider takes keys", name)
	case value != nil && strings.EqualFold(name, "vault") && !isFolder(t.path(*value)):
		return row, "", usagef("vault cannot be %q: there is no such folder", *value)
	}
	s, err := t.configFile().Set(name, value)
	if err != nil {
		return row, "", err
	}
	row = t.row(&s)
	said = row.Key + " = " + cmp.Or(s.Value, "nothing")
	switch s.From {
	case "config":
		said += ", in " + t.folder.tilde(t.configPath())
	case "default":
		said += ", the default"
	default:
		said += ": " + s.From + " wins over the file"
	}
	return row, said, nil
}

// List returns all settings.
func (t settingTools) List(context.Context) (list []page.Setting, err error) {
	_, all, err := t.configFile().Read()
	for _, s := range all {
		list = append(list, t.row(&s))
	}
	return list, err
}

// row converts a setting for the page, with the reason if it cannot be changed there.
func (t settingTools) row(s *config.Setting) page.Setting {
	row := page.Setting{
		Key: s.Key.String(), Help: s.Tag.Get("help"), Value: s.Value, From: s.From, Values: t.valuesOf(s),
		Words: s.Tag.Get("words"), AtOnce: s.Tag.Get("now") != "",
	}
	switch {
	case s.Tag.Get("private") != "":
		row.Fixed = "it may hold a secret: write it into " + t.folder.tilde(t.configPath())
	case row.Key == "keys":
		row.Fixed = "one action at a time: /config keys.retry ctrl+y; `ibid keys` names the actions"
	case s.IsTable():
		row.Fixed = "it is a table: write it into " + t.folder.tilde(t.configPath())
	}
	return row
}

// Set changes a setting. The value "default" removes it from the file.
func (t settingTools) Set(_ context.Context, key, value string) (page.Setting, string, error) {
	given := &value
	if value == "default" {
		given = nil
	}
	return t.set(key, given)
}

// variable matches the name of a variable. Keys of providers have small letters, so that it refuses them.
var variable = regexp.MustCompile(`^[A-Z0-9_]*$`)
