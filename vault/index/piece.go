package index

import (
	"strings"
	"unicode/utf8"
)

// A note is cut into pieces, which the index, the ranking and the vectors share: each is a section, or a part of a
// long one. In front of each piece stand the names of the note, its tags and the headings above, so that what is found
// there is known for what it is about. What is as long as a note must not stand in front of what are as many as a note
// has: each of these texts is bounded, properties are not cut, and where sections are many the short ones are joined.
// Nothing is lost by that: all names have a row of their own, the first piece has all tags and properties, and a
// heading that is too long to be repeated is text.

const (
	pieceRunes   = 2000 // of a piece, so that a long section is ranked by its best part
	headRunes    = 1000 // of a text that is repeated in front of each piece
	manySections = 512  // of a note: where there are more, short ones that follow each other are one piece
)

// section is the part of a note from one heading to the next.
type section struct {
	heading    string // text of the heading, "" before the first
	level      int    // of the heading, 0 before the first
	parent     int    // number of the section whose heading is above, -1 for none
	start, end int    // lines, inclusive
	from, to   int    // byte offsets of its text, without the heading
}

// sections cuts a note at its headings. Properties and what stands before the
// first heading are a section of their own.
func (p *page) sections() (list []section) {
	heads := p.Note.Headings
	opening := section{parent: -1, start: 1, end: p.count(), to: len(p.Content)}
	if len(heads) > 0 {
		opening.end = heads[0].Line - 1
		opening.to = p.start(heads[0].Line)
	}
	if len(heads) == 0 || strings.TrimSpace(p.Content[:opening.to]) != "" {
		list = append(list, opening)
	}
	var above []int // the sections whose headings are above the next one
	for i, h := range heads {
		end := p.count()
		if i+1 < len(heads) {
			end = heads[i+1].Line - 1
		}
		for len(above) > 0 && list[above[len(above)-1]].level >= h.Level {
			above = above[:len(above)-1]
		}
		s := section{
			heading: h.Text, level: h.Level, parent: -1, start: max(h.Line, 1), end: end,
			from: p.start(h.Line + 1), to: p.start(max(h.Line, end) + 1),
		}
		if len(s.heading) > headRunes && utf8.RuneCountInString(s.heading) > headRunes {
			s.from = p.start(h.Line)
		}
		if len(above) > 0 {
			s.parent = above[len(above)-1]
		}
		above = append(above, len(list))
		list = append(list, s)
	}
	return list
}

// trail returns the headings above the text of a section, each with a line break, and its own at the end.
func trail(all []section, nth int) string {
	var heads [7]string // from below
	n, size := 0, 0
	for ; nth >= 0 && all[nth].level > 0 && n < len(heads); nth = all[nth].parent {
		heads[n] = all[nth].heading
		size += utf8.RuneCountInString(heads[n][:min(len(heads[n]), utf8.UTFMax*headRunes)])
		n++
	}
	var text strings.Builder
	for i := range n {
		head := heads[n-1-i]
		if size > headRunes {
			head = head[:breakAt(head, headRunes/n)]
		}
		text.WriteString(head)
		text.WriteByte('\n')
	}
	return text.String()
}

// piece is a section, or a part of a long one that ends with a line, else with a sentence. Several short sections are a
// piece of the one above them all, with their headings in the text.
type piece struct {
	*section
	trail    string    // the headings above the text
	joined   []section // nil for a piece of one section
	from, to int       // byte offsets in the text of the note
}

// pieces cuts the sections of a note into pieces: as large as it takes for no more than there are numbers.
func (p *page) pieces() []piece {
	all := p.sections()
	runes := pieceRunes
	for {
		list := p.cut(all, runes)
		if len(list) <= mostPieces {
			return list
		}
		runes *= 2
	}
}

// cut cuts sections into pieces of so many runes, and gives up when they are too many.
func (p *page) cut(all []section, runes int) (list []piece) {
	body := p.bodyStart()
	for nth := 0; nth < len(all) && len(list) <= mostPieces; {
		s := &all[nth]
		next := nth + 1
		if len(all) > manySections && s.level > 0 {
			for next < len(all) && all[next].to-p.start(s.start) <= runes {
				next++
			}
		}
		if next > nth+1 {
			list = append(list, p.join(all, nth, next))
			nth = next
			continue
		}
		heads := trail(all, nth)
		for from, more := s.from, true; more && len(list) <= mostPieces; {
			to := from + breakAt(p.Content[from:s.to], runes)
			to = max(to, min(body, s.to))
			list = append(list, piece{section: s, trail: heads, from: from, to: to})
			from, more = to, to < s.to
		}
		nth = next
	}
	return list
}

// join returns the piece of the sections from one to before another.
func (p *page) join(all []section, nth, next int) piece {
	joined := all[nth:next]
	highest := joined[0].level
	for _, s := range joined {
		highest = min(highest, s.level)
	}
	above := joined[0].parent
	for above >= 0 && all[above].level >= highest {
		above = all[above].parent
	}
	of := &section{parent: -1}
	heads := ""
	if above >= 0 {
		of = &all[above]
		heads = trail(all, above)
	}
	first, last := joined[0], joined[len(joined)-1]
	return piece{section: of, trail: heads, joined: joined, from: p.start(first.start), to: last.to}
}

// lines returns the lines of the sections that a piece is of.
func (p *piece) lines() lineRange {
	if p.joined == nil {
		return lineRange{p.section.start, p.section.end}
	}
	return lineRange{p.joined[0].start, p.joined[len(p.joined)-1].end}
}

// headings returns the sections that begin in a piece.
func (p *piece) headings() []section {
	if p.joined != nil {
		return p.joined
	}
	if p.from == p.section.from && p.heading != "" {
		return []section{*p.section}
	}
	return nil
}
