package chains

import (
	"slices"
	"strings"

	"ibid/chains/cite"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// narrowSources narrows each cited passage that contains headings to the part whose words the reply repeats most,
// in the sentence before the footnote, so that the footnote opens at the right heading. Footnotes were taken out at
// these offsets.
func (p *PendingTurn) narrowSources(reply string, struckAt []int) {
	if len(p.tools.withHeadings) == 0 {
		return
	}
	words := p.s.opts.Tools.Words
	claims := cite.Claims(reply, struckAt...)
	for i := range p.tools.withHeadings {
		d := &p.tools.withHeadings[i]
		claim := words(claims[d.ID])
		best, most := 0, 0
		parts := splitAtHeadings(d)
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
		if s := p.findSource(d.ID); s != nil && most > 0 {
			s.Heading, s.From, s.To = parts[best].Heading, parts[best].From, parts[best].To
		}
	}
}

// findSource returns the source with this number among those of the turn, nil if there is none.
func (p *PendingTurn) findSource(number int) *Source {
	for _, u := range p.tools.uses {
		for i := range u.Sources {
			if u.Sources[i].ID == number {
				return &u.Sources[i]
			}
		}
	}
	return nil
}

// splitAtHeadings splits a passage at its headings. Each part begins with its heading.
func splitAtHeadings(d *Document) []Document {
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
