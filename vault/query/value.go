package query

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ibid/vault"
)

// The values of expressions are nil, bool, float64, string, time.Time, duration, link, []any, object and
// lambda.

// object is a value with fields: a note, the file of a note, a task, a group.
type object interface {
	get(key string) any
	keys() []string
}

// fields is an object made of its fields.
type fields map[string]any

func (f fields) get(key string) any { return f[key] }

func (f fields) keys() []string { return slices.Sorted(maps.Keys(f)) }

// overlay is an object with one more field.
type overlay struct {
	object
	name  string
	value any
}

func (o overlay) get(key string) any {
	if key == o.name {
		return o.value
	}
	return o.object.get(key)
}

func (o overlay) keys() []string {
	names := o.object.keys()
	if !slices.Contains(names, o.name) {
		names = append(slices.Clip(names), o.name)
	}
	return names
}

// lambda is a function written in the query.
type lambda func(args ...any) any

// link is a link to a file. Its path is that of the file if it was found and may be named, else the text of the
// link.
type link struct {
	path    vault.Path
	found   bool
	sub     string // heading or ^block
	display string
	embed   bool
}

// duration is a length of time. Months have no fixed length, so they are counted separately.
type duration struct{ months, ms float64 }

// Lengths of time in milliseconds.
const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// total returns the length of d in milliseconds, with 365 days per year and 30 per month.
func (d duration) total() float64 {
	years := math.Trunc(d.months / 12)
	return (years*365+(d.months-years*12)*30)*day + d.ms
}

// kindOf returns the name of the type of v, as typeof does.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case time.Time:
		return "date"
	case duration:
		return "duration"
	case link:
		return "link"
	case []any:
		return "array"
	case lambda:
		return "function"
	}
	return "object"
}

// isTruthy reports whether v counts as true: it is not null and not empty.
func isTruthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return v != ""
	case time.Time:
		return v.UnixMilli() != 0
	case duration:
		return v.total() != 0
	case link:
		return v.path != ""
	case []any:
		return len(v) > 0
	case object:
		return len(v.keys()) > 0
	}
	return true
}

// compare orders all values: null comes first, values of different types are ordered by the names of the types.
func compare(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(btoi(a != nil), btoi(b != nil))
	}
	if c := cmp.Compare(kindOf(a), kindOf(b)); c != 0 {
		return c
	}
	switch x := a.(type) {
	case float64:
		return cmp.Compare(x, b.(float64))
	case string:
		return compareText(x, b.(string))
	case bool:
		return cmp.Compare(btoi(x), btoi(b.(bool)))
	case time.Time:
		return x.Compare(b.(time.Time))
	case duration:
		return cmp.Compare(x.total(), b.(duration).total())
	case link:
		y := b.(link)
		return cmp.Or(comparePaths(x.path, y.path), compareText(x.sub, y.sub))
	case []any:
		return slices.CompareFunc(x, b.([]any), compare)
	case object:
		return compareObjects(x, b.(object))
	}
	return 0
}

// compareObjects orders files by path, items by line, and other objects by their fields.
func compareObjects(a, b object) int {
	x, line := placeOf(a)
	y, other := placeOf(b)
	if x != "" && y != "" {
		return cmp.Or(comparePaths(x, y), cmp.Compare(line, other))
	}
	if x, y := a.keys(), b.keys(); !slices.Equal(x, y) {
		return slices.Compare(x, y)
	}
	for _, name := range a.keys() {
		if c := compare(a.get(name), b.get(name)); c != 0 {
			return c
		}
	}
	return 0
}

// placeOf returns the path of the file that an object represents, and its line if it is an item of a list; ""
// for other objects.
func placeOf(o object) (vault.Path, int) {
	switch o := fileLink(o).(type) {
	case link:
		return o.path, 0
	case *item:
		return o.page.path, o.line
	case taskRow:
		return o.page.path, o.line
	}
	return "", 0
}

// tooLarge reports whether v contains more than maxList values; a value that occurs several times counts each
// time.
func tooLarge(v any) bool {
	n := 0
	var count func(v any) bool
	count = func(v any) bool {
		if n++; n > maxList {
			return true
		}
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, count)
		case fields:
			for _, part := range v {
				if count(part) {
					return true
				}
			}
		}
		return false
	}
	return count(v)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// text converts v to a text, as in "a" + v. The text ends soon after maxText bytes.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	writeText(&b, v, 0)
	return b.String()
}

func writeText(b *strings.Builder, v any, depth int) {
	if b.Len() > maxText {
		return
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("-")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case float64:
		b.WriteString(numberText(v))
	case string:
		b.WriteString(v)
	case time.Time:
		b.WriteString(dateText(v))
	case duration:
		b.WriteString(v.String())
	case link:
		b.WriteString(v.String())
	case []any:
		writeList(b, v, depth)
	case lambda:
		b.WriteString("<function>")
	case object:
		writeObject(b, v, depth)
	}
}

func numberText(n float64) string {
	if n == 0 { // also -0
		return "0"
	}
	return strings.TrimPrefix(strings.Replace(strconv.FormatFloat(n, 'f', -1, 64), "Inf", "Infinity", 1), "+")
}

func writeList(b *strings.Builder, list []any, depth int) {
	if depth > 0 {
		b.WriteByte('[')
	}
	for i, v := range list {
		if b.Len() > maxText {
			return
		}
		if i > 0 {
			b.WriteString(", ")
		}
		writeText(b, v, depth+1)
	}
	if depth > 0 {
		b.WriteByte(']')
	}
}

func writeObject(b *strings.Builder, o object, depth int) {
	switch o := fileLink(o).(type) {
	case link:
		b.WriteString(o.String())
		return
	case *item:
		b.WriteString(o.listText())
		return
	case taskRow:
		b.WriteString(o.listText())
		return
	case overlay:
		writeObject(b, o.object, depth)
		return
	}
	b.WriteString("{ ")
	for i, name := range o.keys() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + ": ")
		writeText(b, o.get(name), depth+1)
	}
	b.WriteString(" }")
}

// dateText formats a day, with the time of day if it has one.
func dateText(t time.Time) string {
	switch {
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format("2006-01-02")
	case t.Second() == 0:
		return t.Format("2006-01-02 15:04")
	}
	return t.Format("2006-01-02 15:04:05")
}

// String returns d in words: "1 year, 2 months, 3 days".
func (d duration) String() string {
	var parts []string
	add := func(n float64, unit string) {
		if n == 0 {
			return
		}
		if n != 1 {
			unit += "s"
		}
		parts = append(parts, strconv.FormatFloat(n, 'f', -1, 64)+" "+unit)
	}
	years := math.Trunc(d.months / 12)
	add(years, "year")
	add(d.months-years*12, "month")
	rest := d.ms
	for i, length := range []float64{day, hour, minute} {
		n := math.Trunc(rest / length)
		add(n, []string{"day", "hour", "minute"}[i])
		rest -= n * length
	}
	add(rest/second, "second")
	if parts == nil {
		return "0 seconds"
	}
	return strings.Join(parts, ", ")
}

// name returns the name of the link's file without .md.
func (l link) name() string {
	if l.path.IsNote() {
		return l.path.Base()
	}
	return l.path.Name()
}

// String returns l as it is written in a note.
func (l link) String() string {
	var b strings.Builder
	if l.embed {
		b.WriteByte('!')
	}
	b.WriteString("[[" + strings.TrimSuffix(string(l.path), ".md"))
	if l.sub != "" {
		b.WriteString("#" + l.sub)
	}
	if l.display != "" && l.display != l.name() {
		b.WriteString("|" + l.display)
	}
	b.WriteString("]]")
	return b.String()
}
