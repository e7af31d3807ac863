package offline

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// maxRead limits the bytes that one reply reads. It is far above any context of a model, and is for attaching a
// whole vault.
const maxRead = 8 << 20

// shelf holds the documents of one request.
type shelf struct {
	docs   []*document
	known  []prompt.Source // lookups that found passages of attached documents
	unread int             // number of documents beyond maxRead
}

// newShelf parses the documents of a request, in their order, each once.
func newShelf(ctx context.Context, items []prompt.Item) (*shelf, error) {
	s := &shelf{}
	seen := map[prompt.Ref]bool{}
	read := 0
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
		if read += len(it.Content); read > maxRead && len(s.docs) > 0 {
			s.unread++
			continue
		}
		s.docs = append(s.docs, newDocument(it))
	}
	paths := map[string]string{} // by folded name, "" if two documents have it
	for _, d := range s.docs {
		name := strings.ToLower(baseName(d.path))
		if path, ok := paths[name]; ok && path != d.path {
			paths[name] = ""
		} else {
			paths[name] = d.path
		}
	}
	for _, d := range s.docs { // the shortest link: the file name, or the path if two share a name
		if d.target = baseName(d.path); paths[strings.ToLower(d.target)] == "" {
			d.target = withoutMD(d.path)
		}
	}
	return s, nil
}

// link returns a link to the document.
func (d *document) link() string {
	if d.item.Kind == prompt.URL {
		return pageLink(d.item.Title, d.item.ID)
	}
	if d.item.IsGiven() {
		return d.item.Title
	}
	sub := ""
	if d.item.Kind == prompt.Selection && d.item.StartLine == 0 {
		_, sub, _ = strings.Cut(d.item.ID, "#")
	}
	if !strings.HasPrefix(sub, "^") {
		sub = headingTarget(sub)
	}
	return noteLink(d.target, sub)
}

// noteLink returns a link to a note, or to a place in it. It is a markdown link if a wikilink cannot express it.
func noteLink(target, subpath string) string {
	if strings.ContainsAny(target, "[]|#^\n") {
		address := (&url.URL{Path: target + ".md", Fragment: subpath}).String()
		return "[" + replaceWithSpaces("[]\n", baseName(target)) + "](" + address + ")"
	}
	if subpath != "" {
		target += "#" + subpath
	}
	return "[[" + target + "]]"
}

// headingTarget returns a heading in the form for links: without the characters that have a meaning there.
func headingTarget(title string) string {
	return replaceWithSpaces("[]|#^\n", strings.ReplaceAll(title, "%%", " "))
}

// replaceWithSpaces replaces characters, and all white space, by single spaces between words.
func replaceWithSpaces(chars, text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(chars, r)
	}), " ")
}

// pageLink returns a link to a page on the web.
func pageLink(title, address string) string {
	if title = replaceWithSpaces("[]\n", title); title == "" || title == address {
		return "<" + address + ">"
	}
	return "[" + title + "](" + strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "\n", "").Replace(address) + ")"
}

// sectionLink returns a link to a section of the document. For selections the caller adds the lines.
func (d *document) sectionLink(s *section) string {
	target := headingTarget(s.title)
	if d.item.Kind == prompt.URL || target == "" || d.isTitle(s) || d.item.Kind == prompt.Query {
		return d.link()
	}
	for _, other := range d.sections {
		if s.parent != nil && other != s && strings.EqualFold(headingTarget(other.title), target) {
			if parent := headingTarget(s.parent.title); parent != "" {
				target = parent + "#" + target
			}
			break
		}
	}
	return noteLink(d.target, target)
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

// placeUpTo returns the place of a passage up to an offset: a link, with the lines for a selection that a person made.
func (p *passage) placeUpTo(end int) string {
	d := p.doc
	if d.item.Source != nil || d.item.Kind != prompt.Selection || d.item.StartLine == 0 {
		return d.sectionLink(p.section)
	}
	from, to := d.line(p.text.start), d.line(end)
	if from == to {
		return fmt.Sprintf("%s, line %d", d.link(), from)
	}
	return fmt.Sprintf("%s, lines %d–%d", d.link(), from, to)
}

// linkAll lists documents by their links, only the first of them if there are many.
func linkAll(docs []*document) string {
	const most = 8
	var links []string
	for _, d := range docs {
		if l := d.link(); !slices.Contains(links, l) {
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

// writeUnread adds a paragraph if documents were not read.
func (s *shelf) writeUnread(p *page) {
	if s.unread > 0 {
		p.para(fmt.Sprintf("Not read: the last %s of this conversation, which together hold more than %d MB.",
			md.Plural(s.unread, "document"), maxRead>>20))
	}
}
