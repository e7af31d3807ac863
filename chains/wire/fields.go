package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Fields is a JSON object whose fields differ between servers.
type Fields map[string]any

// parseFields parses the object in raw, nil if there is none.
func parseFields(raw []byte) (o Fields) {
	_ = json.Unmarshal(raw, &o)
	return o
}

// at returns the value of a field, nil if there is none. A dot leads into an inner object.
func (o Fields) at(name string) any {
	outer, inner, deeper := strings.Cut(name, ".")
	if !deeper {
		return o[name]
	}
	in, _ := o[outer].(map[string]any)
	return Fields(in).at(inner)
}

// Count returns the first of the fields that is a number of tokens, -1 if none is.
func (o Fields) Count(names ...string) int {
	for _, name := range names {
		if n := o.Number(name).Count(); n >= 0 {
			return n
		}
	}
	return -1
}

// Number returns a field that is a number, or a string that holds one.
func (o Fields) Number(name string) (n Number) {
	switch v := o.at(name).(type) {
	case float64:
		n = Number{v, true}
	case string:
		n = parseNumber(v)
	}
	return n
}

// Text returns the first of the fields that is a string and not empty.
func (o Fields) Text(names ...string) string {
	for _, name := range names {
		if s, _ := o.at(name).(string); s != "" {
			return s
		}
	}
	return ""
}

// raw returns a field as JSON in lower case.
func (o Fields) raw(name string) string {
	doc, _ := json.Marshal(o.at(name)) // it was decoded from JSON
	return strings.ToLower(string(doc))
}

// Number is a JSON number, or a string that holds one. Decoding it never fails.
type Number struct {
	Value float64
	Set   bool
}

// UnmarshalJSON never fails; for anything that is no number n stays unset.
func (n *Number) UnmarshalJSON(b []byte) error {
	*n = parseNumber(string(bytes.Trim(b, `"`)))
	return nil
}

// parseNumber parses a number; the result is unset if s is none.
func parseNumber(s string) Number {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return Number{Value: v, Set: err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)}
}

// Count returns n as a number of tokens, -1 if it is unset or negative.
func (n Number) Count() int {
	const most = 1 << 40
	if !n.Set || n.Value < 0 {
		return -1
	}
	return int(min(n.Value, most))
}
