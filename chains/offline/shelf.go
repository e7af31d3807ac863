package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
)

// shelf holds the documents of one request.
type shelf struct {
	docs  []*document
	known []prompt.Source // lookups that found passages of attached documents
}

// newShelf parses the documents of a request, in their order, each once.
func newShelf(ctx context.Context, items []prompt.Item) (*shelf, error) {
	s := &shelf{}
	seen := map[prompt.Ref]bool{}
	for _, it := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if it.Source != nil && it.Content == "" {
			s.known = append(s.known, *it.Source)
		}
		if seen[it.Ref] || strings.TrimSpace(it.Content) == "" {
			continue
		}
		seen[it.Ref] = true
		s.docs = append(s.docs, newDocument(it))
	}
	return s, nil
}

// place returns a link to the document, or with a heading to that section of it.
func (d *document) place(heading string) string {
	if d.item.IsGiven() {
		return d.item.Title
	}
	return prompt.Source{Path: d.path, Heading: heading}.Link()
}

// place returns a link to the section of a passage.
func (p *passage) place() string {
	d, heading := p.doc, p.section.title
	if d.item.Kind == prompt.URL || d.item.Kind == prompt.Query || d.isTitle(p.section) {
		heading = ""
	}
	return d.place(heading)
}

// lookedUp reports whether any passage is from a lookup.
func (s *shelf) lookedUp() bool {
	return len(s.known) > 0 || slices.ContainsFunc(s.docs, func(d *document) bool { return d.item.Source != nil })
}

// cite returns the footnote of a passage, "" if it is not from a lookup.
func (s *shelf) cite(p *passage) string {
	n := 0
	if from := p.doc.item.Source; from != nil {
		n = from.ID
	}
	for _, k := range s.known {
		if line := p.doc.line(p.text.start); n == 0 && k.Path == p.doc.path &&
			(k.From == 0 || k.From <= line && line <= k.To) {
			n = k.ID
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" [^%d]", n)
}

// linkAll lists documents by their links, only the first of them if there are many.
func linkAll(docs []*document) string {
	const most = 8
	var links []string
	for _, d := range docs {
		if l := d.place(""); !slices.Contains(links, l) {
			links = append(links, l)
		}
	}
	if n := len(links) - most; n > 1 {
		links = append(links[:most], fmt.Sprintf("%d more", n))
	}
	return andList(links)
}

func andList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
