package mdview

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMath is how deep groups of a formula may nest, and maxFormula how long it may
// be; beyond that it is shown as it is written.
const (
	maxMath    = 40
	maxFormula = 4 << 10
)

// mathText is a formula of TeX in characters: commands that stand for a sign become
// that sign, and exponents and indices are set high and low where every character
// has such a form. Commands that are not known stay as they are written.
func mathText(tex string) string {
	if len(tex) > maxFormula {
		return tex
	}
	m := math{rest: tex}
	s := m.row("")
	if m.failed {
		return tex
	}
	return s
}

// math reads a formula.
type math struct {
	rest   string
	depth  int
	failed bool // groups nest too deep
}

// row reads up to end, which is taken, or to the end of the formula.
func (m *math) row(end string) string {
	var b strings.Builder
	for m.rest != "" {
		if end != "" && strings.HasPrefix(m.rest, end) {
			m.rest = m.rest[len(end):]
			break
		}
		switch c := m.rest[0]; c {
		case '^', '_':
			m.rest = m.rest[1:]
			b.WriteString(shiftSigns(c, m.group()))
		case '&', '~':
			m.rest = m.rest[1:]
			b.WriteString(" ")
		default:
			b.WriteString(m.atom())
		}
	}
	return b.String()
}

// group reads what a command or a shift applies to: what stands in braces, else one
// character or command.
func (m *math) group() string {
	m.rest = strings.TrimLeft(m.rest, " ")
	if m.rest == "" {
		return ""
	}
	return m.atom()
}

// atom reads a character, a command or what stands in braces.
func (m *math) atom() string {
	switch c := m.rest[0]; {
	case c == '{':
		if m.depth++; m.depth > maxMath {
			m.failed, m.rest = true, ""
			return ""
		}
		m.rest = m.rest[1:]
		s := m.row("}")
		m.depth--
		return s
	case c == '}': // closes nothing
		m.rest = m.rest[1:]
		return "}"
	case c == '\\':
		return m.command()
	}
	_, n := utf8.DecodeRuneInString(m.rest)
	s := m.rest[:n]
	m.rest = m.rest[n:]
	return s
}

// command reads a command and what it applies to.
func (m *math) command() string {
	name := m.name()
	if sign, ok := mathCommand("sign", name); ok {
		if words := sign != "" && unicode.IsLetter(rune(sign[0])); !words {
			m.tight()
		}
		return sign
	}
	if mark, ok := mathCommand("accent", name); ok {
		s := m.group()
		if utf8.RuneCountInString(s) != 1 {
			return s
		}
		return s + mark
	}
	switch name {
	case "frac", "dfrac", "tfrac", "cfrac":
		over := m.group()
		return parenthesize(over) + "/" + factor(m.group())
	case "binom":
		n := m.group()
		return "C(" + n + ", " + m.group() + ")"
	case "sqrt":
		return m.root()
	case "mathbb":
		s := m.group()
		if double, ok := mathCommand("double", s); ok {
			return double
		}
		return s
	case "begin", "end":
		rows := m.group()
		if name == "begin" && rows == "array" {
			m.group() // how its columns are set
		}
		around, _ := mathCommand("row", name+" "+rows)
		return around
	}
	if _, ok := mathCommand("plain", name); ok {
		return m.group()
	}
	return `\` + name
}

// name reads the name of a command: letters, or one other character.
func (m *math) name() string {
	m.rest = m.rest[1:]
	n := strings.IndexFunc(m.rest, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	switch {
	case n < 0:
		n = len(m.rest)
	case n == 0:
		_, n = utf8.DecodeRuneInString(m.rest)
	}
	name := m.rest[:n]
	m.rest = m.rest[n:]
	return name
}

// tight takes the space away that only ended the name of a command, in front of what
// stands close to its sign.
func (m *math) tight() {
	if len(m.rest) > 1 && m.rest[0] == ' ' && strings.IndexByte("^_{", m.rest[1]) >= 0 {
		m.rest = m.rest[1:]
	}
}

// root reads what stands below the sign of a root, and which one it is.
func (m *math) root() string {
	index := ""
	if rest, ok := strings.CutPrefix(m.rest, "["); ok {
		m.rest = rest
		index = m.row("]")
		high := shiftSigns('^', index)
		if index = high; high != "" && high[0] == '^' {
			index = high[1:]
		}
	}
	return index + "√" + factor(m.group())
}

// parenthesize is a part of a formula that stands next to another, in parentheses if it
// has parts itself, but for those that are in parentheses.
func parenthesize(s string) string {
	depth, parts := 0, false
	for _, r := range s {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && r != '.' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r):
			parts = true
		}
		parts = parts || depth < 0
	}
	if utf8.RuneCountInString(s) < 2 || !parts {
		return s
	}
	return "(" + s + ")"
}

// factor is a part of a formula that a sign before it applies to, in parentheses unless
// it is a number, or one character with what stands high and low at it.
func factor(s string) string {
	bases, digits := 0, true
	for _, r := range s {
		if !unicode.In(r, unicode.M, unicode.Lm, unicode.No) {
			bases++
		}
		digits = digits && (r == '.' || r >= '0' && r <= '9')
	}
	if digits || bases < 2 {
		return s
	}
	return "(" + s + ")"
}

// shiftSigns is an exponent, behind '^', or an index, behind '_'.
func shiftSigns(sign byte, s string) string {
	kind := "high"
	if sign == '_' {
		kind = "low"
	}
	var b strings.Builder
	for _, r := range s {
		to, ok := mathCommand(kind, string(r))
		if !ok {
			if r == '′' && utf8.RuneCountInString(s) == 1 {
				return s
			}
			if sign == '_' { // a word reads well
				return "_" + parenthesize(s)
			}
			return "^" + factor(s)
		}
		b.WriteString(to)
	}
	return b.String()
}
