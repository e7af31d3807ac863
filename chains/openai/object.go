package openai

import (
	"encoding/json"
	"strings"
)

// object is an object of which servers disagree about the fields.
type object map[string]any

// decode is the object that raw holds, nil if it holds none.
func decode(raw []byte) (o object) {
	_ = json.Unmarshal(raw, &o)
	return o
}

// at is the value of a field, nil if there is none. A dot goes into another object.
func (o object) at(name string) any {
	outer, inner, deeper := strings.Cut(name, ".")
	if !deeper {
		return o[name]
	}
	in, _ := o[outer].(map[string]any)
	return object(in).at(inner)
}

// count is the first of the fields that holds a number of tokens, -1 if none does.
func (o object) count(names ...string) int {
	for _, name := range names {
		if n := o.number(name).count(); n >= 0 {
			return n
		}
	}
	return -1
}

// number is a field that is a number, or one in a string.
func (o object) number(name string) (n number) {
	switch v := o.at(name).(type) {
	case float64:
		n = number{v, true}
	case string:
		n = numberOf(v)
	}
	return n
}

// text is the first of the fields that is a text with something in it.
func (o object) text(names ...string) string {
	for _, name := range names {
		if s, _ := o.at(name).(string); s != "" {
			return s
		}
	}
	return ""
}

// raw is a field as JSON, in lower case.
func (o object) raw(name string) string {
	doc, _ := json.Marshal(o.at(name)) // it was decoded
	return strings.ToLower(string(doc))
}
