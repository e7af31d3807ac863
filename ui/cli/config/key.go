package config

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Key names a setting: the tables that it is in, and its name there.
type Key []string

// ParseKey reads a key as TOML writes it. What is no such key is one name.
func ParseKey(text string) Key {
	all := statements(text + " = 0")
	if len(all) != 1 || all[0].header {
		return Key{text}
	}
	return all[0].key
}

// String is the key as TOML writes it, with names in quotes only where that is needed.
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

// in is the key of a name in the table k.
func (k Key) in(name ...string) Key { return append(k[:len(k):len(k)], name...) }

// Quote is a text as TOML writes it.
func Quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b) // whose escapes are those of TOML
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // to memory
	return strings.TrimSuffix(b.String(), "\n")
}

// NearestName asks whether one of the known names was meant, "" if none looks like it.
func NearestName(name string, known []string) string {
	name = strings.ToLower(name)
	for _, k := range known {
		if low := strings.ToLower(k); strings.HasPrefix(low, name) || levenshtein.ComputeDistance(low, name) <= 2 {
			return "; did you mean \"" + k + "\"?"
		}
	}
	return ""
}

// statement is a header of a table, or a key with its value, in a text of TOML.
type statement struct {
	from, to int // its bytes; of a header, those of a name in it
	header   bool
	table    Key // that it begins, or in which it stands
	key      Key // with its table
	name     Key // as it is written
}

// statements are those of a text, up to the first that is no TOML.
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
			s.key = Key{"chats", "folder"} // which may be written alone
		}
		all = append(all, s)
	}
	return all
}
