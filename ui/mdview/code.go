package mdview

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"ibid/ui/theme"
)

// maxHighlight limits the bytes of code that is coloured: nobody reads more in a terminal, and
// highlighting it would delay a frame.
const maxHighlight = 32 << 10

// codePaint maps kinds or categories of tokens to styles.
type codePaint map[chroma.TokenType]theme.Ink

func newCodePaint(t theme.Theme) codePaint {
	fg := func(c theme.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }
	c, bare := t.Tokens.Code, t.Options.NoColor
	keyword, operator := theme.InkOf(fg(c.Keyword).Bold(bare)), theme.InkOf(fg(c.Operator))
	p := codePaint{
		chroma.Keyword: keyword, chroma.OperatorWord: keyword, chroma.Operator: operator, chroma.Punctuation: operator,
		chroma.LiteralString: theme.InkOf(fg(c.String)), chroma.LiteralNumber: theme.InkOf(fg(c.Number)),
		chroma.Comment:         theme.InkOf(fg(c.Comment).Italic(bare)),
		chroma.GenericInserted: t.Styles.Good, chroma.GenericDeleted: t.Styles.Bad,
	}
	for _, name := range []chroma.TokenType{
		chroma.NameFunction, chroma.NameClass, chroma.NameTag, chroma.NameBuiltin,
		chroma.NameDecorator, chroma.NameAttribute, chroma.GenericHeading, chroma.GenericSubheading,
	} {
		p[name] = theme.InkOf(fg(c.Name))
	}
	return p
}

// style returns the style of a token type, the zero Ink for plain text.
func (p codePaint) style(t chroma.TokenType) theme.Ink {
	for _, t := range [...]chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if ink, ok := p[t]; ok {
			return ink
		}
	}
	return theme.Ink{}
}

// lexer returns the lexer for a fence's language, nil if there is none. Results are cached, because a
// lookup matches the name against the patterns of every lexer.
func (r *Renderer) lexer(lang string) chroma.Lexer {
	if lang == "" {
		return nil
	}
	l, ok := r.lexers[lang]
	if !ok {
		if l = lexers.Get(lang); l != nil {
			l = chroma.Coalesce(l)
		}
		if len(r.lexers) > 256 {
			clear(r.lexers) // names come from replies, and must not fill the memory
		}
		r.lexers[lang] = l
	}
	return l
}

// highlight returns the lines of code, which must not contain tabs. They are styled if lang is known.
func (r *Renderer) highlight(code, lang string) []string {
	l := r.lexer(lang)
	if l == nil {
		return strings.Split(code, "\n")
	}
	it, err := l.Tokenise(nil, code)
	if err != nil {
		return strings.Split(code, "\n")
	}
	var lines []string
	var b strings.Builder
	for _, tok := range it.Tokens() {
		style := r.paint.style(tok.Type)
		for i, part := range strings.Split(tok.Value, "\n") {
			if i > 0 {
				lines = append(lines, b.String())
				b.Reset()
			}
			if part == "" {
				continue
			}
			if strings.TrimSpace(part) == "" {
				b.WriteString(part)
				continue
			}
			b.WriteString(style.Render(part))
		}
	}
	lines = append(lines, b.String())
	// lexers add a newline at the end of code
	for n := strings.Count(code, "\n") + 1; len(lines) > n && lines[len(lines)-1] == ""; {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// paintLines returns the lines of raw in a style.
func paintLines(style theme.Ink, raw string) []string {
	lines := strings.Split(strings.TrimRight(expandTabs(raw), "\n"), "\n")
	for i, l := range lines {
		lines[i] = style.Render(l)
	}
	return lines
}

// expandTabs replaces tabs by spaces.
func expandTabs(s string) string { return strings.ReplaceAll(s, "\t", "    ") }
