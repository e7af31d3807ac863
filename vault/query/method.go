package query

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
)

// baseRow is a file as bases see it: its properties, and the objects file, note and formula.
type baseRow struct{ page *page }

func (b baseRow) keys() []string { return b.page.keys() }

func (b baseRow) get(key string) any {
	switch key {
	case "file":
		return fileOf(b)
	case "note":
		return b.page.fields()
	case "formula":
		return formulasOf(b)
	}
	return b.page.fields()[key]
}

// maxFormulas limits the formulas that are in evaluation at the same time, since one refers to the next.
const maxFormulas = 256

// openFormula is a formula of a row that is in evaluation.
type openFormula struct {
	page *page
	name string
}

// formulasOf is the object formula of one row.
type formulasOf struct{ page *page }

func (formulasOf) keys() []string { return nil }

func (f formulasOf) get(name string) any {
	r := f.page.run
	e, ok := r.formulas[name]
	if !ok {
		return r.fail(unsupportedError("formula."+name, "the base has no such formula"))
	}
	this := openFormula{f.page, name}
	switch {
	case slices.Contains(r.open, this):
		return r.fail(unsupportedError("formula."+name, "formulas refer to each other in a circle"))
	case len(r.open) == maxFormulas:
		return r.fail(unsupportedError("formula."+name, fmt.Sprintf("more than %d formulas refer to each other", maxFormulas)))
	}
	r.open = append(r.open, this)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	return r.eval(e, baseRow(f))
}

// fileLink returns a link to a value that represents a file, without display text; other values are returned as
// they are.
func fileLink(v any) any {
	switch v := v.(type) {
	case fileOf:
		return v.page.link()
	case *page:
		return v.link()
	case baseRow:
		return v.page.link()
	case link:
		v.display, v.embed = "", false
		return v
	}
	return v
}

// baseFunctions are the functions of bases.
var baseFunctions = sync.OnceValue(func() map[string]any {
	return withQuery("link date min max number", map[string]any{
		"now":   func(r *run) time.Time { return r.now },
		"today": func(r *run) time.Time { return dates.Midnight(r.now) },
		"list": func(items ...any) []any {
			if len(items) == 1 && items[0] == nil {
				return []any{}
			}
			return slices.Clone(spreadOut(items))
		},
		"duration": func(s string) any {
			if d, ok := baseDuration(s); ok {
				return d
			}
			return kindError(s)
		},
	})
})

// withQuery adds some functions of queries to functions. Names in bases may have capital letters.
func withQuery(names string, functions map[string]any) map[string]any {
	for name := range strings.FieldsSeq(names) {
		functions[name] = queryFunctions()[strings.ToLower(name)]
	}
	return functions
}

// methods are the methods of bases; the first parameter is the value that they are called on.
var methods = sync.OnceValue(func() map[string]any {
	return withQuery(
		"ceil flat floor join lower replace reverse round sort filter map split unique upper startsWith endsWith",
		map[string]any{
			"abs":         math.Abs,
			"trim":        strings.TrimSpace,
			"date":        dates.Midnight,
			"isEmpty":     func(of any) bool { return !isTruthy(of) && of != false && of != 0.0 },
			"toString":    func(of any) string { return text(fileLink(of)) },
			"contains":    (*run).containsSome,
			"containsAny": (*run).containsSome,
			"containsAll": (*run).containsAll,
			"asFile":      (*run).asFile,
			"asLink":      func(f fileOf) link { return f.page.link() },
			"hasLink":     (*run).hasLink,
			"linksTo":     (*run).linksTo,
			"hasProperty": func(f fileOf, names ...any) any {
				return someText(names, func(name string) bool { _, has := f.page.fields()[name]; return has })
			},
			"hasTag": func(f fileOf, tags ...any) any {
				return someText(tags, func(tag string) bool { return f.page.hasTag(strings.TrimPrefix(tag, "#")) })
			},
			"inFolder": func(f fileOf, folders ...any) any {
				return someText(folders, func(name string) bool { return inFolder(f.page.path, name) })
			},
		})
})

// baseDuration parses a duration as bases write it: "7d", "1 week", "2M" for months.
func baseDuration(s string) (duration, bool) {
	s = strings.TrimSpace(s)
	if n := numberLen(s); n > 0 {
		switch strings.TrimSpace(s[n:]) {
		case "M":
			s = s[:n] + "months"
		case "y":
			s = s[:n] + "years"
		}
	}
	return readDuration(s)
}

// containsSome reports whether a text, a list or a link contains one of the arguments.
func (r *run) containsSome(of any, args ...any) any {
	for _, want := range spreadOut(args) {
		found := false
		switch v := of.(type) {
		case nil:
		case string:
			s, ok := want.(string)
			found = ok && strings.Contains(v, s)
		case []any:
			found = slices.ContainsFunc(v, func(item any) bool {
				return r.equalValues(item, want) || isTag(item, want)
			})
		case link:
			s, ok := want.(string)
			found = ok && strings.Contains(string(v.path), s) || r.equalValues(v, want)
		default:
			return kindError(of)
		}
		if found {
			return true
		}
	}
	return false
}

// linksTo reports whether a link leads to the file that another value represents.
func (r *run) linksTo(of, to any) any {
	p := r.pageOf(of)
	return p != nil && p == r.pageOf(to)
}

// containsAll reports whether a text, a list or a link contains all arguments.
func (r *run) containsAll(of any, args ...any) any {
	for _, v := range args {
		if found := r.containsSome(of, v); found != true {
			return found
		}
	}
	return true
}

// isTag reports whether tag is the tag called name.
func isTag(tag, name any) bool {
	t, _ := tag.(string)
	n, ok := name.(string)
	return ok && t == "#"+n
}

// pageOf returns the page that a value represents, nil if there is none.
func (r *run) pageOf(v any) *page {
	switch v := v.(type) {
	case string:
		return r.pages[r.resolve(innerLink(v), r.origin).path]
	default:
		if l, ok := fileLink(v).(link); ok && l.found {
			return r.pages[l.path]
		}
	}
	return nil
}

func (r *run) hasLink(f fileOf, what any) bool {
	to := r.pageOf(what)
	return to != nil && slices.ContainsFunc(r.outlinks(f.page), func(v any) bool {
		return v.(link).found && v.(link).path == to.path
	})
}

// someText reports whether one of the arguments fits. Arguments that are no text are an error.
func someText(args []any, fits func(s string) bool) any {
	for _, v := range spreadOut(args) {
		s, ok := v.(string)
		if !ok {
			return kindError(v)
		}
		if fits(s) {
			return true
		}
	}
	return false
}

// inFolder reports whether a file is in the folder called name, "" for the vault.
func inFolder(p vault.Path, name string) bool {
	folder := vault.Path(strings.Trim(name, "/"))
	return folder == "" || p.In(folder)
}

func (r *run) asFile(of any) any {
	if p := r.pageOf(of); p != nil {
		return fileOf{p}
	}
	return nil
}

// baseNumber returns the number in a text, since bases calculate with such texts; other values are returned as
// they are.
func baseNumber(v any) any {
	if s, ok := v.(string); ok && numberLen(s) == len(s) {
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n
		}
	}
	return v
}

// baseSum returns a op b for dates in bases, where durations are texts and the difference of dates is a number
// of milliseconds. ok is false for other operands.
func baseSum(op string, a, b any) (any, bool) {
	if t, ok := a.(time.Time); ok && (op == "+" || op == "-") {
		switch y := b.(type) {
		case string:
			if d, ok := baseDuration(y); ok {
				if op == "-" {
					d = d.times(-1)
				}
				return addDuration(t, d, 1), true
			}
		case time.Time:
			if op == "-" {
				return math.Trunc(timeBetween(t, y).ms), true
			}
		}
	}
	return nil, false
}
