package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"ibid/chains/connect"
	"ibid/vault/ownfile"
)

// setting is one key of the configuration. The tags of its field in [Config] say what
// is known of it: help what it means, values what it can be, default what counts
// without it, flag and env what wins over it, unless the variable that makes it false,
// and private that its value is not shown.
type setting struct {
	key   toml.Key
	tag   reflect.StructTag
	value reflect.Value // as the file has it
}

// settingsOf lists the keys of a configuration, those of its named tables too, in the
// order in which they are declared.
func settingsOf(c *Config) []setting { return settingsIn(reflect.ValueOf(c).Elem(), nil) }

func settingsIn(v reflect.Value, table toml.Key) (all []setting) {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		key := append(slices.Clone(table), f.Tag.Get("toml"))
		if f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct {
			if value = value.Elem(); !value.IsValid() {
				value = reflect.Zero(f.Type.Elem())
			}
		}
		switch {
		case value.Kind() == reflect.Struct:
			all = append(all, settingsIn(value, key)...)
		case value.Kind() == reflect.Map && f.Type.Elem().Kind() == reflect.Struct:
			for _, name := range namesIn(value) {
				all = append(all, settingsIn(value.MapIndex(name), append(slices.Clone(key), name.String()))...)
			}
		case value.Kind() == reflect.Map && f.Type.Elem().Kind() == reflect.Slice && value.Len() > 0:
			for _, name := range namesIn(value) {
				all = append(all, setting{append(slices.Clone(key), name.String()), f.Tag, value.MapIndex(name)})
			}
		default:
			all = append(all, setting{key, f.Tag, value})
		}
	}
	return all
}

// namesIn are the keys of a map, in order.
func namesIn(m reflect.Value) []reflect.Value {
	names := m.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	return names
}

// kind is the type of the values.
func (s *setting) kind() reflect.Type {
	if t := s.value.Type(); t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return s.value.Type()
}

// values are what it can be, nil if that cannot be listed.
func (s *setting) values(c *Config) []string {
	switch name := s.key.String(); {
	case s.kind().Kind() == reflect.Bool:
		return []string{"true", "false"}
	case name == "chain":
		return chainNames()
	case name == "screen.theme":
		return append([]string{"auto", "dark", "light"}, themeNames(c.palettes())...)
	}
	return s.listed()
}

// listed are the values that its tag lists, nil if it lists none.
func (s *setting) listed() []string {
	if list := s.tag.Get("values"); list != "" {
		return strings.Split(list, "|")
	}
	return nil
}

// misuse is what is wrong with the value that the file has, as far as its type and its
// tag tell; "" is nothing.
func (s *setting) misuse() string {
	v := reflect.Indirect(s.value)
	switch list := s.listed(); {
	case !v.IsValid():
	case list != nil && !v.IsZero() && !slices.Contains(list, v.String()):
		return fmt.Sprintf("is %q; it can be %s", v, oneOf(list))
	case v.CanInt() && v.Int() < 0, v.CanFloat() && v.Float() < 0:
		return "cannot be negative"
	}
	return ""
}

// text is the value that the file has, in words; "" if it has none.
func (s *setting) text() string {
	v := s.value
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch v := v.Interface().(type) {
	case connect.Duration:
		if v == 0 {
			return ""
		}
		return time.Duration(v).String()
	case []string:
		return strings.Join(v, ", ")
	case keyList:
		return cmp.Or(strings.Join(v, ", "), "no keys")
	}
	return fmt.Sprint(v.Interface())
}

// literal is a value that a user wrote, as TOML writes it.
func (s *setting) literal(text string) (string, error) {
	wrong := func(want string) error { return usagef("%s cannot be %q; it can be %s", s.key, text, want) }
	typ := s.kind()
	if typ == reflect.TypeFor[connect.Duration]() {
		var d connect.Duration
		if d.UnmarshalText([]byte(text)) != nil {
			return "", wrong(`a time such as "10m" or "1h30m"`)
		}
		return quoted(text), nil
	}
	switch typ.Kind() {
	case reflect.Bool:
		switch strings.ToLower(text) {
		case "true", "on", "yes":
			return "true", nil
		case "false", "off", "no":
			return "false", nil
		}
		return "", wrong("true or false")
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(strings.ReplaceAll(strings.ReplaceAll(text, "_", ""), ",", ""), 10, 64)
		if err != nil {
			return "", wrong("a whole number")
		}
		return strconv.FormatInt(n, 10), nil
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n-n != 0 { // not a number, or without end
			return "", wrong("a number")
		}
		text := strconv.FormatFloat(n, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text, nil
	case reflect.Slice:
		return listOf(text)
	case reflect.String:
		return quoted(text), nil
	}
	return "", usagef("%s is a table: write it into the file", s.key)
}

// listOf is a list as TOML writes it: of words between commas, or one that is written
// like that already.
func listOf(text string) (string, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		var file struct{ V []string }
		if _, err := toml.Decode("v = "+text, &file); err != nil || strings.Contains(text, "\n") {
			return "", usagef("%q is no list of texts, such as [\"a\", \"b\"]", text)
		}
		return strings.TrimSpace(text), nil
	}
	var words []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, quoted(word))
		}
	}
	return "[" + strings.Join(words, ", ") + "]", nil
}

// settingTools shows and changes the settings of the configuration file.
type settingTools struct{ *app }

// current is a setting with what counts, and where that is from.
type current struct {
	setting
	shown  string
	from   string // default, config, a flag or a variable
	inFile bool
}

// read reads the file, and which keys it has.
func (t settingTools) read() (c Config, defined func(toml.Key) bool, err error) {
	path := t.configPath()
	data, err := ownfile.Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, nil, usagef("read the configuration: %w", err)
	}
	if c, err = parseConfig(path, data); err != nil {
		return c, nil, usageError{err}
	}
	meta, err := toml.Decode(string(data), &map[string]any{})
	return c, func(key toml.Key) bool {
		if key.String() == "chats.folder" && meta.Type("chats") == "String" {
			return true
		}
		return meta.IsDefined(key...)
	}, err
}

// list lists all settings with what counts now.
func (t settingTools) list() ([]current, error) {
	c, defined, err := t.read()
	if err != nil {
		return nil, err
	}
	var all []current
	for _, s := range settingsOf(&c) {
		all = append(all, t.now(s, defined(s.key)))
	}
	return all, nil
}

// now is what counts of a setting.
func (t settingTools) now(s setting, inFile bool) current {
	n := current{setting: s, inFile: inFile, from: "default", shown: s.tag.Get("default")}
	if n.shown == "" && s.kind().Kind() == reflect.Bool {
		n.shown = "false"
	}
	if inFile {
		n.from, n.shown = "config", s.text()
		if s.value.Kind() == reflect.Map {
			n.shown = "is set"
		}
	}
	if name := s.tag.Get("env"); name != "" && t.env.Getenv(name) != "" {
		n.from, n.shown = name, t.env.Getenv(name)
	}
	if name := s.tag.Get("unless"); name != "" && t.env.Getenv(name) != "" {
		n.from, n.shown = name, "false"
	}
	if name := s.tag.Get("flag"); name != "" {
		if value := t.flagged(name); value != "" {
			n.from, n.shown = "--"+name, value
		}
	}
	switch u, err := url.Parse(n.shown); {
	case s.tag.Get("private") != "" && n.shown != "":
		n.shown = ""
		if inFile {
			n.shown = "is set; it is not shown"
		}
	case err == nil && u.User != nil:
		n.shown = u.Redacted()
	}
	return n
}

// flagged is what a flag of the command line says, "" if it was not given.
func (t settingTools) flagged(name string) string {
	f := &t.flags
	if name == "offline" && f.offline {
		return "true"
	}
	return map[string]string{
		"vault": f.vault, "model": f.model, "base-url": f.baseURL, "provider": f.provider, "chain": f.chain,
		"active": f.active, "project": f.project, "chats": f.chats, "layout": f.layout,
	}[name]
}

// find finds the setting that a user names.
func (t settingTools) find(name string) (current, error) {
	c, defined, err := t.read()
	if err != nil {
		return current{}, err
	}
	if name = keyWritten(name); strings.EqualFold(name, "chats") {
		name = "chats.folder"
	}
	parts := strings.Split(name, ".")
	switch { // one that is to be
	case len(parts) > 2 && parts[0] == "providers" && c.Providers[parts[1]].BaseURL == "":
		c.Providers = map[string]connect.Settings{parts[1]: c.Providers[parts[1]]}
	case len(parts) == 2 && parts[0] == "keys" && c.Keys[parts[1]] == nil:
		c.Keys = map[string]keyList{parts[1]: nil}
	}
	same := func(a, b string) bool {
		return strings.EqualFold(strings.ReplaceAll(a, "-", "_"), strings.ReplaceAll(b, "-", "_"))
	}
	for _, s := range settingsOf(&c) {
		if same(s.key.String(), name) {
			return t.now(s, defined(s.key)), nil
		}
	}
	return current{}, usagef("there is no setting %q%s", name, knownNear(parts))
}

// set gives a setting another value, or with nil takes it out of the file so that its
// default counts. It returns what counts then.
func (t settingTools) set(name string, value *string) (current, error) {
	s, err := t.find(name)
	if err != nil {
		return s, err
	}
	file, key := configFile{t.configPath()}, s.key
	if s.tag.Get("private") != "" {
		return s, usagef("%s may hold a secret, and is not set here: write it into %s, or let `ibid provider add` do that", s.key, t.folder.tilde(file.path))
	}
	if key.String() == "chats.folder" && file.has("chats", "String") {
		key = toml.Key{"chats"}
	}
	if value == nil {
		if s.inFile {
			err = file.unset(key)
		}
	} else if err = t.check(&s, *value); err == nil {
		var literal string
		if literal, err = s.literal(*value); err == nil {
			err = file.set(key, literal)
		}
	}
	if err != nil {
		return s, err
	}
	return t.find(name)
}

// check refuses a value that the file could have, and that means nothing here.
func (t settingTools) check(s *current, value string) error {
	if s.key.String() == "vault" {
		if info, err := os.Stat(t.path(value)); err != nil || !info.IsDir() {
			return usagef("vault cannot be %q: there is no such folder", value)
		}
	}
	if s.key[len(s.key)-1] == "key_env" && strings.ContainsFunc(value, func(r rune) bool { return r != '_' && (r < '0' || r > 'Z' || r > '9' && r < 'A') }) {
		return usagef("%s is the name of a variable, such as OPENAI_API_KEY, and never a key: /provider takes keys", s.key)
	}
	if list := s.listed(); list != nil && !slices.Contains(list, value) {
		return usagef("%s cannot be %q; it can be %s", s.key, value, oneOf(list))
	}
	return nil
}

// said says what became of a setting.
func (t settingTools) said(s *current) string {
	if len(s.key) == 0 { // it was not found
		return ""
	}
	text := s.key.String() + " = " + cmp.Or(s.shown, "nothing")
	switch s.from {
	case "config":
		return text + ", in " + t.folder.tilde(t.configPath())
	case "default":
		return text + ", the default"
	}
	return text + ": " + s.from + " wins over the file"
}
