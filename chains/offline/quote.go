package offline

import (
	"fmt"
	"strings"

	"ibid/vault/md"
)

// clipBytes limits the quote of one passage. Only code, a quote or a list item can be longer; it is cut after a
// line, and the reply says so.
const clipBytes = 1200

// part is a quote from one place.
type part struct{ place, quote string }

// parts formats passages, which are sorted by document. It joins neighbours.
func (s *shelf) parts(found []*passage) []part {
	var out []part
	for from, i := 0, 1; i <= len(found); i++ {
		if i < len(found) && found[i-1].joins(found[i]) {
			continue
		}
		first, last := found[from], found[i-1]
		place, quote, cite := first.place(), first.doc.quote(found[from:i]), s.cite(first)
		if last.kind == md.Code || last.kind == md.Table { // a footnote cannot follow these
			place += cite
		} else {
			quote += cite
		}
		if n := len(out); n > 0 && out[n-1].place == place {
			out[n-1].quote = strings.TrimSuffix(out[n-1].quote, cite) + "\n\n" + quote
		} else {
			out = append(out, part{place, quote})
		}
		from = i
	}
	return out
}

// joins reports whether b is quoted together with a, which precedes it: items of one list, rows of one table, and
// passages that follow directly. A quote or callout is quoted alone, because it has its own marks.
func (a *passage) joins(b *passage) bool {
	if a.section != b.section || a.kind == md.Quote || b.kind == md.Quote {
		return false
	}
	return a.group != 0 && a.group == b.group || a.follows(b)
}

// follows reports whether only white space is between a and b.
func (a *passage) follows(b *passage) bool {
	return a.text.end <= b.text.start && strings.TrimSpace(a.doc.item.Content[a.text.end:b.text.start]) == ""
}

// quote formats passages that belong together as one markdown quote. The text is verbatim, except for the
// indentation that all lines share, the ids of blocks and the marks of footnotes.
func (d *document) quote(run []*passage) string {
	var lines, notes []string
	for i := 0; i < len(run); {
		p := run[i]
		if i > 0 && run[i-1].follows(p) && strings.Contains(d.item.Content[run[i-1].text.end:p.text.start], "\n\n") {
			lines = append(lines, ">")
		}
		if p.header != (span{}) && (i == 0 || run[i-1].header != p.header) {
			lines = append(lines, quoteLines(d.slice(p.header), 0)...)
		}
		end := p.text.end
		for i++; i < len(run) && p.kind == md.Paragraph && run[i].kind == p.kind && run[i-1].follows(run[i]); i++ {
			end = run[i].text.end
		}
		own := quotedLines(p.kind, d.item.Content[p.text.start:end])
		kept, note := clip(own)
		if len(kept) < len(own) && p.kind == md.Code && strings.HasPrefix(own[len(own)-1], "> ```") {
			kept = append(kept[:len(kept):len(kept)], own[len(own)-1]) // close the fence that was cut
		}
		lines = append(lines, kept...)
		if note != "" {
			notes = append(notes, note)
		}
	}
	return strings.Join(append([]string{strings.Join(lines, "\n")}, notes...), "\n\n")
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

// clip keeps the lines of a quote up to clipBytes, at least one. It cuts a single longer line at a space. The note
// says what was left out.
func clip(lines []string) (kept []string, note string) {
	size := 0
	for i, l := range lines {
		if size += len(l); size <= clipBytes {
			continue
		}
		if i > 0 {
			return lines[:i], fmt.Sprintf("(The first %d of %d lines.)", i, len(lines))
		}
		if end := cutBack(l, 0, prefixLen(l, clipBytes/4)); end < len(l) {
			return []string{l[:end]}, "(The beginning of a long line.)"
		}
		return lines[:1], ""
	}
	return lines, ""
}
