package mdview

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMath limits the nesting of groups in a formula, and maxFormula its length in bytes; beyond that it
// is shown as source text.
const (
	maxMath    = 40
	maxFormula = 4 << 10
)

// mathText converts a formula of TeX to text: commands become signs, and exponents and indices become
// superscript and subscript if every character has such a form. Unknown commands stay as they are.
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

// math parses a formula.
type math struct {
	rest   string
	depth  int
	failed bool // groups nest too deep
}

// row reads up to end, which it consumes, or to the end of the formula.
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

// group reads the argument of a command or shift: a group in braces, else one character or command.
func (m *math) group() string {
	m.rest = strings.TrimLeft(m.rest, " ")
	if m.rest == "" {
		return ""
	}
	return m.atom()
}

// atom reads a character, a command or a group in braces.
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

// command reads a command with its arguments.
func (m *math) command() string {
	name := m.name()
	if sign, ok := mathCommand("sign", name); ok {
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
		return factor(over) + "/" + factor(m.group())
	case "binom":
		n := m.group()
		return "C(" + n + ", " + m.group() + ")"
	case "sqrt":
		return "√" + factor(m.group())
	case "mathbb":
		s := m.group()
		if double, ok := mathCommand("double", s); ok {
			return double
		}
		return s
	case "begin", "end":
		rows := m.group()
		if name == "begin" && rows == "array" {
			m.group() // format of its columns
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

// factor puts a part of a formula into parentheses, unless it is a number, or one character with its
// exponents and indices. It is for the operand of a sign.
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

// shiftSigns returns an exponent, for '^', or an index, for '_', in superscript or subscript
// characters. If one is missing, the text follows the sign.
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
			return string(sign) + factor(s)
		}
		b.WriteString(to)
	}
	return b.String()
}
