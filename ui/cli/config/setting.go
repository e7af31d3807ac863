package config

import (
	"cmp"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Setting is a setting with its value.
type Setting struct {
	Key    Key
	Tag    reflect.StructTag // of the field, see the package
	InFile bool
	Value  string // as it counts now, in words; private ones do not show it
	From   string // the origin of Value: default, config, a flag or a variable

	field reflect.Value // value of the file
}

// IsTable reports whether the setting is a table of free names, which Set cannot change.
func (s *Setting) IsTable() bool { return s.field.Kind() == reflect.Map }

// Values returns the possible values, nil if the tags do not list them.
func (s *Setting) Values() []string {
	if s.field.Kind() == reflect.Bool {
		return []string{"true", "false"}
	}
	if list := s.Tag.Get("values"); list != "" {
		return strings.Split(list, "|")
	}
	return nil
}

// OneOf joins values for a message.
func OneOf(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// misuse returns what is wrong with the value in the file according to the tags, "" if nothing is.
func (s *Setting) misuse() string {
	switch v, list := s.field, s.Values(); {
	case v.Kind() == reflect.String && list != nil && !v.IsZero() && !slices.Contains(list, v.String()):
		return fmt.Sprintf(" is %q; it can be %s", v, OneOf(list))
	case v.CanInt() && v.Int() < 0, v.CanFloat() && v.Float() < 0:
		return " cannot be negative"
	}
	return ""
}

// resolve sets Value and From: flags win over variables, these over the file, and the file over the default.
func (s *Setting) resolve(env, flag func(name string) string) {
	s.From, s.Value = "default", s.Tag.Get("default")
	if s.Value == "" && s.field.Kind() == reflect.Bool {
		s.Value = "false"
	}
	if s.InFile {
		s.From, s.Value = "config", s.words()
	}
	over := func(given func(string) string, name, from, value string) {
		if given != nil && given(name) != "" {
			s.From, s.Value = from, cmp.Or(value, given(name))
		}
	}
	over(env, s.Tag.Get("env"), s.Tag.Get("env"), "")
	over(env, s.Tag.Get("unless"), s.Tag.Get("unless"), "false")
	over(flag, s.Tag.Get("flag"), "--"+s.Tag.Get("flag"), "")
	switch u, err := url.Parse(s.Value); {
	case s.Tag.Get("private") != "" && s.InFile:
		s.Value = "is set; it is not shown"
	case s.Tag.Get("private") != "":
		s.Value = ""
	case err == nil && u.User != nil:
		s.Value = u.Redacted()
	}
}

// words describes the value in the file.
func (s *Setting) words() string {
	switch v := s.field.Interface().(type) {
	case []string:
		return cmp.Or(strings.Join(v, ", "), s.Tag.Get("empty"))
	case time.Duration:
		return strings.TrimPrefix(v.String(), "0s")
	}
	if s.IsTable() {
		return "is set"
	}
	return fmt.Sprint(s.field)
}

// literal converts a typed value to TOML, or returns an error that tells what it can be. Lists are words between
// commas, or already in TOML.
func (s *Setting) literal(text string) (string, error) {
	literal, want := Quote(text), typeName(s.field)
	switch s.field.Interface().(type) {
	case bool:
		literal = strings.ToLower(text)
		literal = cmp.Or(map[string]string{
			"on": "true", "yes": "true", "off": "false", "no": "false",
		}[literal], literal)
	case time.Duration:
		want = `a time such as "10m" or "1h30m"`
	case int, int64, float64:
		if literal = strings.NewReplacer("_", "", ",", "").Replace(text); s.field.CanInt() {
			want = "a whole number"
		}
	case []string:
		var words []string
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word != "" {
				words = append(words, Quote(word))
			}
		}
		if literal = strings.TrimSpace(text); !strings.HasPrefix(literal, "[") {
			literal = "[" + strings.Join(words, ", ") + "]"
		}
	}
	says, err := decode("v = " + literal)
	list, r := s.Values(), reader{}
	if list != nil {
		want = OneOf(list)
	}
	r.read(reflect.New(s.field.Type()).Elem(), says["v"], s.Key, "")
	switch {
	case s.IsTable():
		return "", mistakef("%s is a table: write it into the file", s.Key)
	case err != nil || r.err != nil || strings.Contains(literal, "\n") ||
		list != nil && !slices.Contains(list, fmt.Sprint(says["v"])):
		return "", mistakef("%s cannot be %q; it can be %s", s.Key, text, want)
	}
	return literal, nil
}
