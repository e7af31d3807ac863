package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// decode parses a text. A text for chats becomes its folder.
func decode(text string) (says map[string]any, err error) {
	says = map[string]any{}
	if err = toml.Unmarshal([]byte(text), &says); err != nil {
		return nil, err // nothing of a broken file counts
	}
	if folder, ok := says["chats"].(string); ok {
		says["chats"] = map[string]any{"folder": folder}
	}
	return says, nil
}

// parse parses and checks a text. also adds a setting, see read.
func (f File[T]) parse(text string, also Key) (c T, all []Setting, err error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	r := reader{path: f.Path, text: text, also: also}
	if line := r.lineBeyond(maxStatements); line > 0 {
		return c, nil, mistakef("%s, line %d: there are more than %d keys and tables before it", f.Path, line, maxStatements)
	}
	says, err := decode(text)
	r.read(reflect.ValueOf(&c).Elem(), says, nil, "")
	if parse := (*toml.DecodeError)(nil); errors.As(err, &parse) {
		line, _ := parse.Position()
		return c, nil, mistakef("%s, line %d: %s", f.Path, line, strings.TrimPrefix(parse.Error(), "toml: "))
	}
	if key := r.firstUnknown(); key != nil {
		r.fail(key, "unknown key %q%s", key.String(), nearestKey(key, r.all))
	}
	wrong := func(key Key, format string, args ...any) error {
		r.fail(key, "%s"+format, append([]any{key}, args...)...)
		return r.err
	}
	for i := range r.all {
		s := &r.all[i]
		if s.resolve(f.Env, f.Flag); s.misuse() != "" {
			_ = wrong(s.Key, "%s", s.misuse())
		}
	}
	if r.err == nil && f.Check != nil {
		r.err = f.Check(&c, wrong)
	}
	return c, r.all, r.err
}

// maxStatements limits the keys and tables of a file: the TOML library takes a time that grows with their square.
const maxStatements = 10_000

// lineBeyond returns the line of the first statement beyond so many, 0 if there are no more.
func (r *reader) lineBeyond(most int) int {
	all := statements(r.text)
	if len(all) <= most {
		return 0
	}
	return strings.Count(r.text[:all[most].from], "\n") + 1
}

// reader puts a parsed text into the fields of a struct, and collects the settings and the first mistake.
type reader struct {
	path, text string
	also       Key
	all        []Setting
	unknown    []Key
	lines      map[string]int // of keys and tables, see lineOf
	line       int            // of err
	err        error
}

// fail records a mistake, unless there was one on an earlier line.
func (r *reader) fail(key Key, format string, args ...any) {
	line := r.lineOf(key)
	if r.err == nil || line < r.line {
		r.line, r.err = line, mistakef("%s, line %d: "+format, append([]any{r.path, line}, args...)...)
	}
}

// firstUnknown returns the unknown key that stands first in the text, nil for none.
func (r *reader) firstUnknown() (first Key) {
	line := math.MaxInt
	for _, key := range r.unknown {
		n := r.lineOf(key)
		if n < line {
			first = key
			line = n
		}
	}
	return first
}

// lineOf returns the line of a key, else of its table, else the first one.
func (r *reader) lineOf(key Key) int {
	if r.lines == nil {
		r.lines = map[string]int{}
		line, at := 1, 0
		for _, s := range statements(r.text) {
			line += strings.Count(r.text[min(at, s.from):s.from], "\n")
			at = max(at, s.from)
			r.lines[s.key.String()] = line
		}
	}
	for n := len(key); n > 0; n-- {
		line, ok := r.lines[key[:n].String()]
		if ok {
			return line
		}
	}
	return 1
}

// read puts the value x, nil if the text has none, into v. A field with no names below it is a setting.
func (r *reader) read(v reflect.Value, x any, key Key, tag reflect.StructTag) {
	if v.Kind() == reflect.Pointer {
		to := reflect.New(v.Type().Elem())
		if x != nil {
			v.Set(to)
		}
		v = to.Elem()
	}
	says, isTable := x.(map[string]any)
	names := slices.Sorted(maps.Keys(says))
	if n := len(key); v.Kind() == reflect.Map && len(r.also) > n && slices.Equal(r.also[:n], key) &&
		says[r.also[n]] == nil {
		names = append(names, r.also[n])
	}
	switch {
	case v.Kind() == reflect.Struct && (isTable || x == nil):
		for _, f := range reflect.VisibleFields(v.Type()) {
			if name := f.Tag.Get("toml"); name != "" {
				r.read(v.FieldByIndex(f.Index), says[name], key.in(name), f.Tag)
				names = slices.DeleteFunc(names, func(s string) bool { return s == name })
			}
		}
		for _, name := range names {
			r.unknown = append(r.unknown, key.in(name))
		}
	case v.Kind() == reflect.Map && (isTable || x == nil) && (v.Type().Elem().Kind() == reflect.Struct ||
		v.Type().Elem().Kind() == reflect.Slice && len(names) > 0):
		v.Set(reflect.MakeMap(v.Type()))
		for _, name := range names {
			e := reflect.New(v.Type().Elem()).Elem()
			if r.read(e, says[name], key.in(name), tag); says[name] != nil {
				v.SetMapIndex(reflect.ValueOf(name), e)
			}
		}
	default:
		if tag.Get("unused") == "" {
			r.all = append(r.all, Setting{Key: key, Tag: tag, InFile: x != nil, field: v})
		}
		if text, ok := x.(string); ok && tag.Get("alone") != "" {
			x = []string{text}
		}
		if x != nil {
			r.assign(v, x, key)
		} else if tag.Get("default") == "true" && v.Kind() == reflect.Bool {
			v.SetBool(true)
		}
	}
}

// assign puts a value into a setting. JSON converts it, and rejects values of other types.
func (r *reader) assign(v reflect.Value, x any, key Key) {
	switch to := v.Addr().Interface().(type) {
	case *time.Duration:
		d, err := time.ParseDuration(fmt.Sprint(x))
		if *to = d; err != nil {
			r.fail(key, "%q is no duration: write it like \"10m\" or \"1h30m\"", fmt.Sprint(x))
		}
	case *map[string]any:
		*to, _ = x.(map[string]any)
	default:
		data, err := json.Marshal(x)
		if err == nil {
			err = json.Unmarshal(data, to)
		}
		if err != nil {
			want := typeName(v)
			if key.String() == "chats" {
				want = "a text in quotes"
			}
			is := typeName(reflect.ValueOf(x))
			if is == want { // the types of its elements differ
				want = map[string]string{
					"a number": "a whole number", "a list": "a list of texts", "a table": "a table of texts",
				}[want]
			}
			r.fail(key, "%s is %s; it must be %s", key, is, want)
		}
	}
}

// typeName describes the type of a value for messages.
func typeName(v reflect.Value) string {
	switch _, date := v.Interface().(fmt.Stringer); {
	case v.CanInt(), v.CanFloat():
		return "a number"
	case v.Kind() == reflect.String:
		return "a text in quotes"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.Kind() == reflect.Slice:
		return "a list"
	case date:
		return "a date"
	}
	return "a table"
}

// nearestKey returns a suggestion for an unknown key, and for keys of providers the place for them.
func nearestKey(key Key, all []Setting) string {
	known := []string{"chats"}
	name := foldName(key.String())
	for _, s := range all {
		k := s.Key.String()
		if known = append(known, k); strings.HasSuffix(k, "."+name) {
			return fmt.Sprintf("; did you mean %q?", k)
		}
	}
	if strings.HasSuffix(name, "key") {
		return "; keys are not kept in this file: set a variable such as OPENAI_API_KEY, or name one in key_env"
	}
	return NearestName(name, known)
}
