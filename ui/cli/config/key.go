package config

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Key is the path of a setting: its tables, and its name in the last one.
type Key []string

// ParseKey parses a key in TOML. A text that is no key counts as one name, for errors that show it.
func ParseKey(text string) Key {
	all := statements(text + " = 0")
	if len(all) != 1 || all[0].header {
		return Key{text}
	}
	return all[0].key
}

// String returns the key in TOML, with quotes only where they are needed.
func (k Key) String() string {
	names := make([]string, len(k))
	for i, name := range k {
		if names[i] = name; !bareName.MatchString(name) {
			names[i] = Quote(name)
		}
	}
	return strings.Join(names, ".")
}

var bareName = regexp.MustCompile(`^[\w-]+$`)

// in returns the key of a name in the table k.
func (k Key) in(name ...string) Key { return append(k[:len(k):len(k)], name...) }

// Quote returns a text as a string in TOML.
func Quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b) // JSON has the same escapes
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // to memory
	return strings.TrimSuffix(b.String(), "\n")
}

// NearestName returns "; did you mean …?" with a similar name, "" if there is none.
func NearestName(name string, known []string) string {
	const longest = 100 // bytes of a name that may be a slip of one that is known
	if len(name) > longest {
		return ""
	}
	name = strings.ToLower(name)
	for _, k := range known {
		if low := strings.ToLower(k); strings.HasPrefix(low, name) || levenshtein.ComputeDistance(low, name) <= 2 {
			return "; did you mean \"" + k + "\"?"
		}
	}
	return ""
}

// statement is a header of a table, or a key with its value, and its place in a text.
type statement struct {
	from, to int // in bytes; for a header, one of its names
	header   bool
	table    Key // the one that it begins, or stands in
	key      Key // with its table
	name     Key // as it is written, relative to the table
}

// statements returns the statements of a text, up to the first error.
func statements(text string) (all []statement) {
	var p unstable.Parser
	var table Key
	for p.Reset([]byte(text)); p.NextExpression(); {
		e := p.Expression()
		s := statement{header: e.Kind != unstable.KeyValue}
		raw := e.Raw
		for names := e.Key(); names.Next(); {
			s.name = append(s.name, string(names.Node().Data))
			if s.header {
				raw = names.Node().Raw
			}
		}
		if s.from, s.to, s.key = int(raw.Offset), int(raw.Offset+raw.Length), table.in(s.name...); s.header {
			table, s.key = s.name, s.name
		}
		if s.table = table; !s.header && slices.Equal(s.key, Key{"chats"}) && e.Value().Kind == unstable.String {
			s.key = Key{"chats", "folder"} // a text for chats is its folder
		}
		all = append(all, s)
	}
	return all
}
