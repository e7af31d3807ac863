package offline

import (
	"fmt"
	"strings"
)

// clipBytes is how much of one passage is quoted. Only a code fence, a quote
// or a list item can be longer; it is cut after a line, and the reply says so.
const clipBytes = 1200

// quote renders passages that belong together as one markdown quote. What it
// quotes is verbatim, but for the indentation that all lines share.
func (d *document) quote(run []passage) string {
	var lines []string
	cut := ""
	for i, p := range run {
		if i > 0 && p.kind == paragraph { // the white space between sentences is quoted too
			text := d.slice(span{run[0].text.start, p.text.end})
			lines = quoteLines(text, 0)
			continue
		}
		if i == 0 && p.context != (span{}) {
			lines = append(lines, d.quoteSpan(p, p.context)...)
		}
		own := d.quoteSpan(p, p.text)
		kept, note := clip(own)
		if note != "" {
			cut = note
			if p.kind == code && fenceOf(strings.TrimPrefix(own[0], "> ")) != "" && len(kept) < len(own) {
				kept = append(kept[:len(kept):len(kept)], own[len(own)-1])
			}
		}
		lines = append(lines, kept...)
	}
	text := strings.Join(lines, "\n")
	if cut != "" {
		text += "\n\n" + cut
	}
	return text
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
		lines[i] = strings.TrimRight("> "+l[n:], " \t")
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
		end := sentenceEnd(l, 0, prefixLen(l, clipBytes/4), true)
		if end == len(l) {
			return lines[:1], ""
		}
		return []string{l[:end]}, "(The beginning of a long line.)"
	}
	return lines, ""
}
