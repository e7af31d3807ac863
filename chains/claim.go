package chains

import (
	"slices"
	"strings"

	"ibid/chains/cite"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// narrow looks which part of a passage a reply tells, where there are headings in
// it: the source is the part with most of the words that stand in front of the
// reference, so that the footnote opens its heading.
func (p *PendingTurn) narrow(reply string) {
	if len(p.tools.parted) == 0 {
		return
	}
	words := p.s.opts.Tools.Words
	claims := cite.Claims(reply)
	for i := range p.tools.parted {
		d := &p.tools.parted[i]
		claim := words(claims[d.ID])
		best, most := 0, 0
		parts := partsOf(d)
		for k, part := range parts {
			have, n := words(part.Content), 0
			for _, w := range claim {
				if slices.Contains(have, w) {
					n++
				}
			}
			if n > most {
				best, most = k, n
			}
		}
		if s := p.citable(d.ID); s != nil && most > 0 {
			s.Heading, s.From, s.To = parts[best].Heading, parts[best].From, parts[best].To
		}
	}
}

// citable is the source of a number that was given out in this turn, nil if there is none.
func (p *PendingTurn) citable(number int) *Source {
	for _, u := range p.tools.uses {
		for i := range u.Sources {
			if u.Sources[i].ID == number {
				return &u.Sources[i]
			}
		}
	}
	return nil
}

// partsOf cuts a passage at the headings in it. A part has its heading in front.
func partsOf(d *Document) []Document {
	_, from, _ := md.Frontmatter(d.Content)
	part := prompt.Document{Heading: d.Heading}
	var parts []Document
	start := 0
	add := func(end int) {
		text := strings.TrimSpace(d.Content[start:end])
		if text == "" {
			return
		}
		at := start + strings.Index(d.Content[start:end], text)
		part.Content = text
		part.From = d.From + strings.Count(d.Content[:at], "\n")
		part.To = part.From + strings.Count(text, "\n")
		parts = append(parts, part)
	}
	for b := range md.Blocks(d.Content, from) {
		if b.Kind != md.Title {
			continue
		}
		add(b.Start)
		start, part = b.Start, Document{Heading: b.Text}
	}
	add(len(d.Content))
	return parts
}
