package offline

import (
	"fmt"
	"slices"
	"strings"
)

// clipBytes is how much of one passage is quoted. Only a code fence, a quote
// or a list item can be longer; it is cut after a line, and the reply says so.
const clipBytes = 1200

// quote renders passages that belong together as one markdown quote. What it
// quotes is verbatim, but for the indentation that all lines share.
func (d *document) quote(run []passage) string {
	var lines, notes []string
	for i := 0; i < len(run); {
		p := run[i]
		text := p.outer()
		if i > 0 && !d.follows(run[i-1], p) || p.outer() == p.text { // a header is quoted once
			text = p.text
		}
		if i == 0 && p.context != (span{}) {
			lines, text = append(lines, d.quoteSpan(p, p.context)...), p.text
		}
		if i > 0 && d.follows(run[i-1], p) { // with the blank lines between them
			lines = append(lines, blankLines(d.item.Content[run[i-1].text.end:text.start])...)
		}
		for i++; i < len(run) && p.kind == paragraph && run[i].kind == paragraph && d.follows(p, run[i]); i++ {
			p.text.end, text.end = run[i].text.end, run[i].text.end
		}
		own, note := d.clipped(p, text)
		lines = append(lines, own...)
		if note != "" {
			notes = append(notes, note)
		}
	}
	return strings.Join(append([]string{strings.Join(lines, "\n")}, notes...), "\n\n")
}

// blankLines are the quoted blank lines in a gap of white space.
func blankLines(gap string) []string {
	return slices.Repeat([]string{">"}, min(1, max(0, strings.Count(gap, "\n")-1)))
}

// clipped quotes one piece of a passage, up to clipBytes. A fence that is cut
// is closed again.
func (d *document) clipped(p passage, text span) (kept []string, note string) {
	own := d.quoteSpan(p, text)
	kept, note = clip(own)
	if len(kept) < len(own) && p.kind == code && fenceOf(strings.TrimPrefix(own[0], "> ")) != "" {
		kept = append(kept[:len(kept):len(kept)], own[len(own)-1])
	}
	return kept, note
}

// quoteSpan renders one piece of a passage.
func (d *document) quoteSpan(p passage, s span) []string {
	text := d.slice(s)
	switch p.kind {
	case quoted:
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimLeft(l, " \t")
		}
		return lines
	case code:
		if indentOf(text) >= 4 { // the indentation is what makes it code
			return quoteLines(text, 0)
		}
	}
	if p.kind == listItem && p.context != (span{}) { // below the item above it
		text := d.slice(p.context)
		return quoteLines(d.slice(s), len(text)-len(strings.TrimLeft(text, " \t")))
	}
	return quoteLines(text, len(text)-len(strings.TrimLeft(text, " \t")))
}

// quoteLines puts "> " before every line and takes away up to indent
// characters of white space.
func quoteLines(text string, indent int) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		n := 0
		for n < indent && n < len(l) && (l[n] == ' ' || l[n] == '\t') {
			n++
		}
		lines[i] = strings.TrimRight("> "+withoutBlockID(l[n:]), " \t")
	}
	return lines
}

// withoutBlockID cuts the id by which a block can be linked ("… text ^frost"):
// repeated in the reply, it would name two blocks.
func withoutBlockID(line string) string {
	i := strings.LastIndex(line, " ^")
	if i < 0 || i+2 == len(line) || strings.Trim(line[i+2:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
		return line
	}
	return line[:i]
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
		end := sentenceEnd(l, 0, prefixLen(l, clipBytes/4), true)
		if end == len(l) {
			return lines[:1], ""
		}
		return []string{l[:end]}, "(The beginning of a long line.)"
	}
	return lines, ""
}
