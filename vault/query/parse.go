package query

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/md"
)

// Limits of queries.
const (
	maxQuery = 100 << 10 // bytes
	maxDepth = 500       // nested parentheses
)

// parser parses expressions, sources and statements. The first error is kept in err; after it all methods
// return empty results.
type parser struct {
	text  string
	pos   int
	depth int
	base  bool // the expressions of bases
	funcs map[string]any
	err   error
}

func (p *parser) rest() string { return p.text[p.pos:] }

// fail stops the parser with an error at the next word.
func (p *parser) fail(reason string) {
	p.failAt(p.nextWord(), reason)
}

func (p *parser) failAt(word, reason string) {
	if p.err == nil {
		p.err = unsupportedError(word, reason)
	}
}

// nextWord returns the next word, for errors.
func (p *parser) nextWord() string {
	rest := strings.TrimLeft(p.rest(), " \t\r\n")
	if n := identLen(rest); n > 0 {
		return rest[:n]
	}
	if rest == "" {
		return "end of the query"
	}
	if end := strings.IndexAny(rest, " \t\r\n"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// skipSpace skips white space and, at the beginning of a line, comments.
func (p *parser) skipSpace() {
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case !p.base && strings.HasPrefix(p.rest(), "//") &&
			strings.TrimSpace(p.text[strings.LastIndexByte(p.text[:p.pos], '\n')+1:p.pos]) == "":
			end := strings.IndexByte(p.rest(), '\n')
			if end < 0 {
				end = len(p.rest())
			}
			p.pos += end
		default:
			return
		}
	}
}

// accept skips s if it is next, and reports whether it was.
func (p *parser) accept(s string) bool {
	if p.err != nil || !strings.HasPrefix(p.rest(), s) {
		return false
	}
	p.pos += len(s)
	return true
}

// expect skips white space and s, and fails if s is not next.
func (p *parser) expect(s string) {
	p.skipSpace()
	if !p.accept(s) {
		p.fail("expected " + s)
	}
}

// keyword reports whether the word w, in any case, is next.
func (p *parser) keyword(w string) bool {
	rest := p.rest()
	return p.err == nil && len(rest) >= len(w) && strings.EqualFold(rest[:len(w)], w) &&
		(len(rest) == len(w) || !isIdent(rest[len(w):]))
}

// takeKeyword skips words with white space around them, and reports whether they were next.
func (p *parser) takeKeyword(words ...string) bool {
	from := p.pos
	for _, w := range words {
		p.skipSpace()
		if !p.keyword(w) {
			p.pos = from
			return false
		}
		p.pos += len(w)
	}
	p.skipSpace()
	return true
}

// isIdent reports whether s begins with a character that may be inside of a name.
func isIdent(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || r == '-' || '0' <= r && r <= '9' || isLetter(r)
}

// isLetter reports whether a name may begin with r: a letter or an emoji.
func isLetter(r rune) bool {
	return unicode.IsLetter(r) || r == '_' ||
		r >= 0x200D && r != utf8.RuneError && (unicode.In(r, unicode.So, unicode.Sk, unicode.Mn) || r == 0x200D)
}

// identLen returns the length of the name at the beginning of s, 0 if there is none.
func identLen(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || !isLetter(r) {
		return 0
	}
	for n < len(s) && isIdent(s[n:]) {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
	}
	return n
}

// ident parses a name, "" if none is next.
func (p *parser) ident() string {
	n := identLen(p.rest())
	if p.base { // in bases a hyphen is a minus
		if dash := strings.IndexByte(p.rest()[:n], '-'); dash >= 0 {
			n = dash
		}
	}
	name := p.rest()[:n]
	p.pos += n
	return name
}

// quoted parses a text in quotes; the opening quote is next.
func (p *parser) quoted() string {
	quote := p.text[p.pos]
	var b strings.Builder
	for i := p.pos + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == quote:
			p.pos = i + 1
			return b.String()
		case c == '\\' && i+1 < len(p.text):
			i++
			if e := p.text[i]; e != quote && e != '\\' {
				if p.base && e == 'n' {
					b.WriteByte('\n')
					continue
				}
				b.WriteByte('\\')
			}
			b.WriteByte(p.text[i])
		default:
			b.WriteByte(c)
		}
	}
	p.fail("a text in quotes has no end")
	return ""
}

// wikilink parses a link; its brackets are next.
func (p *parser) wikilink() link {
	inner, n := md.Wikilink(p.rest())
	if strings.HasPrefix(p.rest(), "[[]]") || strings.HasPrefix(p.rest(), "[[#]]") {
		p.pos += strings.Index(p.rest(), "]]") + 2
		return link{}
	}
	if inner == "" {
		p.fail("a link has no end")
		return link{}
	}
	p.pos += n
	return innerLink(inner)
}

// innerLink returns the link with this text between its brackets.
func innerLink(inner string) link {
	target, display := md.Target(inner)
	path, sub, _ := strings.Cut(target, "#")
	return link{path: vault.Path(strings.TrimSpace(path)), sub: sub, display: display}
}

// number parses a number.
func (p *parser) number() expr {
	n := numberLen(p.rest())
	v, err := strconv.ParseFloat(p.rest()[:n], 64)
	if err != nil {
		p.fail("this is no number")
	}
	p.pos += n
	return literal{v}
}

// nested parses an expression inside of another one, and fails if there are too many levels.
func (p *parser) nested(read func() expr) expr {
	if p.depth++; p.depth > maxDepth {
		p.fail("this nests too deep")
	}
	defer func() { p.depth-- }()
	if p.err != nil {
		return literal{}
	}
	return read()
}
