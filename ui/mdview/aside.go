package mdview

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// inlineFootnote is a footnote written at its place: ^[text].
type inlineFootnote struct {
	ownInline
	text string
}

// parseInlineFootnote reads an inline footnote, which may span lines of a paragraph.
func parseInlineFootnote(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	at, segment := block.Position()
	line, _ := block.PeekLine()
	if len(line) < 2 || line[1] != '[' {
		return nil
	}
	block.Advance(2)
	var said strings.Builder
	for depth := 1; said.Len() < maxFormula; {
		line, _ := block.PeekLine()
		if line == nil {
			break
		}
		for i := 0; i < len(line); i++ {
			switch line[i] {
			case '\\':
				i++
			case '[':
				depth++
			case ']':
				if depth--; depth > 0 {
					continue
				}
				said.Write(line[:i])
				if strings.TrimSpace(said.String()) == "" {
					block.SetPosition(at, segment)
					return nil
				}
				block.Advance(i + 1)
				return &inlineFootnote{text: strings.TrimSpace(said.String())}
			}
		}
		said.Write(line)
		block.AdvanceLine()
	}
	block.SetPosition(at, segment)
	return nil
}

// footnoteMark returns the mark of an inline footnote. Its text follows below the current block of p.
func (r *Renderer) footnoteMark(a *inlineFootnote, p *page) string {
	if p.depth >= maxInside {
		return "^[" + a.text + "]"
	}
	p.footnotes = append(p.footnotes, a.text)
	letter := string(rune('a' + (len(p.footnotes)-1)%26))
	mark := "[" + letter + "]"
	if high := shiftSigns('^', letter); !r.theme.Options.ASCII && high[0] != '^' {
		mark = high
	}
	return r.theme.Styles.Accent.Render(mark)
}

// withFootnotes returns a block with the texts of its inline footnotes below it.
func (r *Renderer) withFootnotes(b box, p *page) box {
	said := p.footnotes
	if p.footnotes = nil; len(said) == 0 {
		return b
	}
	marks := *p
	b = box{kind: listBox, kids: []box{b}}
	for _, text := range said {
		lead := r.footnoteMark(&inlineFootnote{text: text}, &marks) + " "
		b.kids = append(b.kids, box{kind: itemBox, firstPrefix: lead, kids: r.parseText(text, p, 0)})
	}
	return b
}
