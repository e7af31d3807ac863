package offline

import (
	"fmt"
	"strings"

	"ibid/vault/md"
)

// clipBytes bounds the quote of one passage. Only code, a quote or a list
// item can be longer; it is cut after a line, and the reply says so.
const clipBytes = 1200

// part is a quote from one place.
type part struct{ place, quote string }

// partsOf joins neighbouring passages of one document, and renders them.
func (s *shelf) partsOf(doc int, found []passage) []part {
	var out []part
	d := s.docs[doc]
	for from, i := 0, 1; i <= len(found); i++ {
		if i < len(found) && d.joins(found[i-1], found[i]) {
			continue
		}
		whole := found[from]
		whole.text.end = found[i-1].text.end
		place, quote, cite := s.place(doc, whole), d.quote(found[from:i]), s.cite(doc, whole)
		if last := found[i-1].kind; last == md.Code || last == md.Table { // nothing can stand behind these
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

// joins reports whether b is quoted together with a, which stands before it:
// items and rows of one list or table, and whatever follows directly. A quote
// or callout stays by itself, since it brings its own marks.
func (d *document) joins(a, b passage) bool {
	if a.section != b.section || a.kind == md.Quote || b.kind == md.Quote {
		return false
	}
	return a.group != 0 && a.group == b.group || d.follows(a, b)
}

// follows reports whether nothing stands between a and b but white space.
func (d *document) follows(a, b passage) bool {
	return a.text.end <= b.text.start && strings.TrimSpace(d.item.Content[a.text.end:b.text.start]) == ""
}

// quote renders passages that belong together as one markdown quote. What it
// quotes is verbatim, but for the indentation that all lines share, the ids of blocks
// and the marks of footnotes.
func (d *document) quote(run []passage) string {
	var lines, notes []string
	for i := 0; i < len(run); {
		p := run[i]
		if i > 0 && d.follows(run[i-1], p) && strings.Contains(d.item.Content[run[i-1].text.end:p.text.start], "\n\n") {
			lines = append(lines, ">")
		}
		if p.header != (span{}) && (i == 0 || run[i-1].header != p.header) {
			lines = append(lines, quoteLines(d.slice(p.header), 0)...)
		}
		for i++; i < len(run) && p.kind == md.Paragraph && run[i].kind == p.kind && d.follows(p, run[i]); i++ {
			p.text.end = run[i].text.end
		}
		own := d.lines(p)
		kept, note := clip(own)
		if len(kept) < len(own) && p.kind == md.Code && strings.HasPrefix(own[len(own)-1], "> ```") {
			kept = append(kept[:len(kept):len(kept)], own[len(own)-1]) // a fence that is cut is closed again
		}
		lines = append(lines, kept...)
		if note != "" {
			notes = append(notes, note)
		}
	}
	return strings.Join(append([]string{strings.Join(lines, "\n")}, notes...), "\n\n")
}

// lines are the quoted lines of a passage.
func (d *document) lines(p passage) []string {
	text := d.slice(p.text)
	if p.kind != md.Code { // the marks of footnotes would be those of the reply
		text = md.WithoutFootnotes(text)
	}
	columns, indent := md.Indent(text)
	switch {
	case p.kind == md.Quote:
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimLeft(l, " \t")
		}
		return lines
	case p.kind == md.Code && columns >= 4: // the indentation is what makes it code
		indent = 0
	}
	lines := quoteLines(text, indent)
	if p.kind != md.Code {
		for i, l := range lines {
			if said, ok := strings.CutPrefix(l, "> : "); ok { // what a footnote says
				l = "> " + said
				lines[i] = l
			}
			if _, before, ok := md.BlockID(l); ok { // an address, which Obsidian does not show either
				lines[i] = before
			}
		}
	}
	return lines
}

// quoteLines puts "> " before each line of text, which loses up to indent
// characters of white space.
func quoteLines(text string, indent int) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		_, n := md.Indent(l)
		lines[i] = strings.TrimRight("> "+l[min(n, indent):], " \t")
	}
	return lines
}

// clip keeps the lines of a quote up to clipBytes, and at least one. A single
// line that is longer is cut at a space. The note says what was left out.
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
