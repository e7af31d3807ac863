package mdview

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ibid/ui/theme"
	"ibid/vault/md"
)

// spanKind is the kind of a span.
type spanKind int

const (
	formulaSpan  spanKind = iota // $…$, $$…$$, \(…\) or \[…\]
	commentSpan                  // %%…%%
	tagSpan                      // #tag
	footnoteSpan                 // [^1]
	linkSpan                     // the label of a link to a note, in HTML
)

// span is a part of running text with its own way of drawing.
type span struct {
	ownInline
	kind  spanKind
	value string // source, with its marks
}

// parseSpan reads a span.
func parseSpan(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	before := block.PrecendingCharacter()
	n, kind := 0, formulaSpan
	switch line[0] {
	case '$':
		if bytes.HasPrefix(line, []byte("$$")) {
			return spanBetween(block, "$$", formulaSpan)
		}
		if !unicode.IsLetter(before) && !unicode.IsNumber(before) {
			n = dollarFormulaLen(line)
		}
	case '\\':
		return escapedFormula(block, line)
	case '%':
		if unicode.IsNumber(before) { // 100%%
			return nil
		}
		node := spanBetween(block, "%%", commentSpan)
		if rest, _ := block.PeekLine(); node != nil && unicode.IsSpace(before) && len(rest) > 0 && rest[0] == ' ' {
			block.Advance(1) // one of the spaces around it
		}
		return node
	case '#':
		if n := entityLen(line); before == '&' && n > 0 {
			return reference(parent, block, n)
		}
		if kind = tagSpan; unicode.IsSpace(before) || before == '(' {
			n = md.TagLen(string(line[1:]))
			if n > 0 {
				n++
			}
		}
	case '[':
		kind = footnoteSpan
		n = footnoteLen(line)
	}
	if n == 0 {
		return nil
	}
	block.Advance(n)
	return &span{kind: kind, value: string(line[:n])}
}

// dollarFormulaLen returns the length of the formula between single dollars at the beginning of line, 0 if it is
// a price or the like: dollars have no space inside them, and neither a digit nor a word follows.
func dollarFormulaLen(line []byte) int {
	if len(line) < 3 || util.IsSpace(line[1]) {
		return 0
	}
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '`', '\n':
			return 0
		case '$':
			if util.IsSpace(line[i-1]) || !formula(string(line[1:i])) {
				return 0
			}
			if next, _ := utf8.DecodeRune(line[i+1:]); unicode.IsNumber(next) ||
				unicode.IsLetter(next) && hasWord(string(line[1:i])) {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// formula reports whether the text between dollars is a formula, which is shown without them. A price
// with words up to another price is not, nor is the name of a variable.
func formula(s string) bool {
	digit, signs := s[0] >= '0' && s[0] <= '9', strings.ContainsAny(s, "^_=+<>{}|*/")
	switch {
	case strings.Contains(s, `\`):
		return true
	case hasWord(s):
		return !digit && signs
	}
	return !digit || signs || !strings.Contains(s, " ")
}

// hasWord reports whether s has three letters in a row that are not a command of TeX.
func hasWord(s string) bool {
	n := 0
	for _, r := range s {
		switch {
		case r == '\\':
			n = -64
		case unicode.IsLetter(r):
			if n++; n == 3 {
				return true
			}
		default:
			n = 0
		}
	}
	return false
}

// isTeX reports whether a text between brackets has signs of a formula.
func isTeX(s string) bool { return strings.ContainsAny(s, `\^_=+<>{}|`) }

// escapedFormula reads a formula between \( and \) or between \[ and \]. Both may also be escaped
// brackets: then the text inside has nothing of a formula.
func escapedFormula(block text.Reader, line []byte) ast.Node {
	if len(line) < 3 || line[1] != '(' && line[1] != '[' {
		return nil
	}
	end := `\)`
	if line[1] == '[' {
		end = `\]`
	}
	at, segment := block.Position()
	s, ok := spanBetween(block, end, formulaSpan).(*span)
	if !ok {
		return nil
	}
	inside := s.value[2 : len(s.value)-2]
	if isTeX(inside) || strings.HasPrefix(inside, " ") || !hasWord(inside) && end == `\)` {
		return s
	}
	block.SetPosition(at, segment)
	return nil
}

// spanBetween reads a span between two marks, which may span lines of a paragraph.
func spanBetween(block text.Reader, end string, kind spanKind) ast.Node {
	at, segment := block.Position()
	line, _ := block.PeekLine()
	if len(line) < 2 || len(end) == 2 && end[0] != '\\' && line[1] != end[0] {
		return nil
	}
	var value strings.Builder
	value.Write(line[:2])
	block.Advance(2)
	for {
		line, _ = block.PeekLine()
		if line == nil || value.Len() > maxFormula {
			block.SetPosition(at, segment)
			return nil
		}
		if n := bytes.Index(line, []byte(end)); n >= 0 && (value.Len() > 2 || n > 0) {
			value.Write(line[:n+len(end)])
			block.Advance(n + len(end))
			return &span{kind: kind, value: value.String()}
		}
		value.Write(line)
		block.AdvanceLine()
	}
}

// entityLen returns the length of the rest of a numeric character reference at the beginning of line,
// which follows "&", else 0.
func entityLen(line []byte) int {
	n := 1 + len(line[1:]) - len(bytes.TrimLeft(line[1:], "0123456789abcdefxABCDEFX"))
	if n < 2 || n >= len(line) || line[n] != ';' {
		return 0
	}
	return n + 1
}

// reference keeps n bytes of a character reference together with the "&" before it.
func reference(parent ast.Node, block text.Reader, n int) ast.Node {
	_, segment := block.Position()
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Stop != segment.Start {
		return nil
	}
	last.Segment = last.Segment.WithStop(segment.Start + n)
	block.Advance(n)
	return ast.NewTextSegment(text.NewSegment(segment.Start+n, segment.Start+n))
}

// footnoteLen returns the length of the mark of a footnote at the beginning of line, 0 if there is
// none.
func footnoteLen(line []byte) int {
	if !bytes.HasPrefix(line, []byte("[^")) {
		return 0
	}
	n := bytes.IndexAny(line[2:], "[] \t\n")
	if n <= 0 || line[2+n] != ']' {
		return 0
	}
	return n + 3
}

// span draws a span.
func (r *Renderer) span(s *span) string {
	st := r.theme.Styles
	switch s.kind {
	case commentSpan:
		return ""
	case tagSpan:
		return st.Accent.Render(s.value)
	case footnoteSpan:
		return st.Accent.Render(r.footnote(s.value))
	}
	return strings.Join(strings.Fields(r.formula(s.tex())), " ")
}

// tex returns a formula without its marks.
func (s *span) tex() string {
	n := 2
	if s.value[0] == '$' && s.value[1] != '$' {
		n = 1
	}
	return s.value[n : len(s.value)-n]
}

// formula draws TeX.
func (r *Renderer) formula(tex string) string {
	if r.theme.Options.ASCII {
		return tex
	}
	return theme.Sanitize(mathText(tex))
}

// footnote draws the mark of a footnote, [^1]: a number becomes superscript.
func (r *Renderer) footnote(mark string) string {
	if r.theme.Options.ASCII {
		return mark
	}
	label := mark[len("[^") : len(mark)-1]
	if strings.Trim(label, "0123456789") == "" {
		return shiftSigns('^', label)
	}
	return "[" + label + "]"
}

// highlightNode is ==text==.
type highlightNode struct{ ownInline }

// markers parses ==text==.
type markers struct{}

// IsDelimiter implements parser.DelimiterProcessor.
func (markers) IsDelimiter(b byte) bool { return b == '=' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (markers) CanOpenCloser(open, closer *parser.Delimiter) bool {
	return open.Char == closer.Char && open.OriginalLength == 2 && closer.OriginalLength == 2
}

// OnMatch implements parser.DelimiterProcessor.
func (markers) OnMatch(int) ast.Node { return &highlightNode{} }

// Trigger implements parser.InlineParser.
func (markers) Trigger() []byte { return []byte{'='} }

// Parse implements parser.InlineParser.
func (m markers) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 2, m)
	if node == nil || node.OriginalLength != 2 || before == '=' {
		return nil
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}

// mark highlights the text of a marked node, and removes the node.
func (r *Renderer) mark(m *highlightNode, p *page) {
	r.rewrite(m, p)
	signs := r.theme.Options.NoColor || r.theme.Options.ASCII
	parent := m.Parent()
	add := func(n ast.Node) { parent.InsertBefore(parent, m, n) }
	if signs {
		add(p.text("=="))
	}
	_ = ast.Walk(m, func(n ast.Node, enter bool) (ast.WalkStatus, error) { // it fails only if the function does
		if n.Kind() == ast.KindCodeSpan {
			return ast.WalkSkipChildren, nil
		}
		if t, ok := n.(*ast.Text); ok && enter && !t.Segment.IsEmpty() {
			t.Segment = p.append(r.theme.Styles.Match.Text.Render(string(t.Segment.Value(p.src))))
		}
		return ast.WalkContinue, nil
	})
	for c := m.FirstChild(); c != nil; c = m.FirstChild() {
		add(c)
	}
	if signs {
		add(p.text("=="))
	}
	parent.RemoveChild(parent, m)
}
