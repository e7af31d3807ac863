package offline

import (
	"strings"

	"ibid/vault/md"
)

// clipBytes limits the quote of one passage. Only code, a quote or a list item can be longer; it is cut after a
// line, and the reply says so.
const clipBytes = 1200

// part is a quote from one place.
type part struct{ place, quote string }

// parts formats passages, which are sorted by document. Those of one section stand under one place, and items of one
// list and rows of one table in one quote.
func (s *shelf) parts(found []*passage) []part {
	var out []part
	for i, p := range found {
		place, cite, between := p.place(), s.cite(p), "\n\n"
		quote := clip(strings.Join(quotedLines(p.kind, p.doc.slice(p.text)), "\n"))
		if i > 0 && p.group != 0 && p.group == found[i-1].group && p.section == found[i-1].section {
			between = "\n"
		} else if p.header != (span{}) {
			quote = strings.Join(quoteLines(p.doc.slice(p.header), 0), "\n") + "\n" + quote
		}
		if p.kind == md.Code || p.kind == md.Table { // a footnote cannot follow these
			place += cite
		} else {
			quote += cite
		}
		if n := len(out); n > 0 && out[n-1].place == place {
			out[n-1].quote = strings.TrimSuffix(out[n-1].quote, cite) + between + quote
		} else {
			out = append(out, part{place, quote})
		}
	}
	return out
}

// quotedLines returns the lines of a passage in a quote.
func quotedLines(kind md.Kind, text string) []string {
	if kind != md.Code { // marks of footnotes would become those of the reply
		text = md.WithoutFootnotes(text)
	}
	columns, indent := md.Indent(text)
	switch {
	case kind == md.Quote:
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimLeft(l, " \t")
		}
		return lines
	case kind == md.Code && columns >= 4: // the indentation makes it code
		indent = 0
	}
	lines := quoteLines(text, indent)
	if kind != md.Code {
		for i, l := range lines {
			if said, ok := strings.CutPrefix(l, "> : "); ok { // text of a footnote
				lines[i] = "> " + said
			}
			if _, before, ok := md.BlockID(lines[i]); ok { // an id, which Obsidian does not show either
				lines[i] = before
			}
		}
	}
	return lines
}

// quoteLines returns the lines of text with "> " in front and at most indent characters of white space removed.
func quoteLines(text string, indent int) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		_, n := md.Indent(l)
		lines[i] = strings.TrimRight("> "+l[min(n, indent):], " \t")
	}
	return lines
}

// clip cuts a quote that is longer than clipBytes after a line, or a single long line at a space.
func clip(quote string) string {
	if len(quote) <= clipBytes {
		return quote
	}
	end := strings.LastIndexByte(quote[:clipBytes], '\n')
	if end < 0 {
		end = cutBack(quote, 0, clipBytes)
	}
	return strings.ToValidUTF8(quote[:end], "") + "\n\n(It goes on.)"
}
