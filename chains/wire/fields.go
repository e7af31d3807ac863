package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Fields are those of an object of which servers disagree about the fields.
type Fields map[string]any

// parseFields is the object that raw holds, nil if it holds none.
func parseFields(raw []byte) (o Fields) {
	_ = json.Unmarshal(raw, &o)
	return o
}

// at is the value of a field, nil if there is none. A dot goes into another object.
func (o Fields) at(name string) any {
	outer, inner, deeper := strings.Cut(name, ".")
	if !deeper {
		return o[name]
	}
	in, _ := o[outer].(map[string]any)
	return Fields(in).at(inner)
}

// Count is the first of the fields that holds a number of tokens, -1 if none does.
func (o Fields) Count(names ...string) int {
	for _, name := range names {
		if n := o.Number(name).Count(); n >= 0 {
			return n
		}
	}
	return -1
}

// Number is a field that is a number, or one in a string.
func (o Fields) Number(name string) (n Number) {
	switch v := o.at(name).(type) {
	case float64:
		n = Number{v, true}
	case string:
		n = parseNumber(v)
	}
	return n
}

// Text is the first of the fields that is a text with something in it.
func (o Fields) Text(names ...string) string {
	for _, name := range names {
		if s, _ := o.at(name).(string); s != "" {
			return s
		}
	}
	return ""
}

// raw is a field as JSON, in lower case.
func (o Fields) raw(name string) string {
	doc, _ := json.Marshal(o.at(name)) // it was decoded
	return strings.ToLower(string(doc))
}

// Number is a JSON number, or one in a string. It never fails to decode.
type Number struct {
	Value float64
	Set   bool
}

// UnmarshalJSON never fails; what is no number leaves n unset.
func (n *Number) UnmarshalJSON(b []byte) error {
	*n = parseNumber(string(bytes.Trim(b, `"`)))
	return nil
}

// parseNumber is the number that a text is.
func parseNumber(s string) Number {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return Number{Value: v, Set: err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)}
}

// Count is n as a number of tokens, -1 if it is none.
func (n Number) Count() int {
	const most = 1 << 40
	if !n.Set || n.Value < 0 {
		return -1
	}
	return int(min(n.Value, most))
}
