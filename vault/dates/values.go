package dates

import "strings"

// values are the tokens of one range, by kind.
type values map[byte]int

// has reports whether there is a value of one of the kinds.
func (v values) has(kinds string) bool {
	for kind := range v {
		if strings.IndexByte(kinds, kind) >= 0 {
			return true
		}
	}
	return false
}

func (v values) drop(kinds ...byte) {
	for _, kind := range kinds {
		delete(v, kind)
	}
}

// takeFrom copies a month or year from another range, if v has one of the kinds that need it and none of its own.
// It reports whether it did.
func (v values) takeFrom(kind byte, from values, needing string) bool {
	n, ok := from[kind]
	if ok = ok && v.has(needing) && !v.has("ru") && !v.has(string(kind)); ok {
		v[kind] = n
	}
	return ok
}

// valuesOf collects the tokens of one range. ok is false if a token refers to something else because of its
// position, or two have the same kind.
func (p parser) valuesOf(words []token) (v values, ok bool) {
	v = values{}
	duration := hasKind(words, "a") || hasKind(words, "rR") && !hasKind(words, "u") // of days
	for i, t := range words {
		var before, next token
		if i > 0 {
			before = words[i-1]
		}
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case t.isKind("tghv"), t.kind == ',' && (next.kind == 'y' || before.isKind("wW")):
			continue
		// May 3 in 2023, Monday in the morning
		case t.kind == 'i' && (next.kind == 'y' && before.kind != 'f' || hasKind(words[i:], "x")):
			continue
		// the relative word belongs to the words after it, not to those before it
		case t.kind == 'r' && before.isKind("mwsu") && !next.isKind("un") && !t.dense:
			return nil, false
		case t.kind == 'R':
			t.kind = 'r'
		case t.kind == 'j' && !duration:
			continue
		case t.kind == 'j':
			t.kind, t.n = 'u', day
		case t.kind == 'n' && (next.kind == 'j' && !duration || next.kind == 'g' && t.digits): // the 3 of
			t.kind = 'D'
		case t.kind == 'D' && !t.digits && hasKind(words, "w"): // the first Monday
			return nil, false
		case t.kind == 'N':
			t.kind = 'o'
		case t.kind == 'Y':
			t.kind, t.n = 'y', p.today.Year()+t.n
		case t.kind == 'W':
			if t.kind = 'w'; hasKind(words, "r") && !hasKind(words, "u") {
				v['u'] = week
			}
		}
		if v.has(string(t.kind)) {
			return nil, false
		}
		v[t.kind] = t.n
	}
	p.resolveRelative(v)
	return v, true
}

// resolveRelative converts relative units to year and month, where other values refer to them.
func (p parser) resolveRelative(v values) {
	if v.has("u") && (v.has("<") && v['r'] == -1 || v.has(">") && v['r'] == 1) { // the week before last, after next
		v.drop('<', '>')
		v['r'] *= 2
	}
	unit, is := v['u']
	switch {
	case !is:
	case unit == weekend && len(v) == 1: // the current or last one
		if v['r'] = 0; Weekday(p.today) < 5 {
			v['r'] = -1
		}
	case unit == year && v.has("y"), unit == month && v.has("m"): // the year 2023, the month of May
		v.drop('u')
	case unit == year && v.has("r") && v.has("mqsk"):
		v['y'] = p.today.Year() + v['r']
		v.drop('r', 'u')
	case unit == month && v.has("r") && v.has("D"):
		first := p.unit(month, v['r']).From
		v['y'], v['m'] = first.Year(), int(first.Month())
		v.drop('r', 'u')
	}
}
