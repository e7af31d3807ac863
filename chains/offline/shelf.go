package offline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// What one reply reads, and what the cache keeps. A context that a model could
// take is far below: these bounds are for someone who attaches a whole vault.
const (
	maxRead   = 8 << 20
	cacheSize = 16 << 20
)

// key names a prepared document. The content decides it, and what else its
// index and its line numbers depend on.
type key struct {
	ref      prompt.Ref
	revision prompt.Revision
	title    string
	path     string
	line     int
	found    string // of a passage: what its note is called, and the heading
}

// cache keeps prepared documents between turns, until their content is more
// than cacheSize bytes; then it begins anew.
type cache struct {
	mu   sync.Mutex
	size int
	held map[key]*document
}

// get returns the prepared document of item. Two requests may prepare the same
// item at the same time; both results are equal.
func (c *cache) get(item prompt.Item) *document {
	if item.Revision == (prompt.Revision{}) {
		item.Content = prompt.Canonical(item.Content)
		item.Revision = sha256.Sum256([]byte(item.Content))
	}
	k := key{item.Ref, item.Revision, item.Title, item.Path, item.StartLine, ""}
	if item.Source != nil {
		k.found = strings.Join(item.Aliases, "\n") + "\n\n" + item.Source.Heading
	}
	c.mu.Lock()
	d, ok := c.held[k]
	c.mu.Unlock()
	if ok {
		return d
	}
	item.Images = nil
	d = prepare(item)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += len(item.Content); c.held == nil || c.size > cacheSize {
		c.held, c.size = map[key]*document{}, len(item.Content)
	}
	c.held[k] = d
	return d
}

// shelf holds the documents of one request.
type shelf struct {
	docs   []*document
	cited  []*prompt.Source // what each passage that was looked up is cited as, best first; nil for what is attached
	known  []prompt.Source  // passages that were looked up and stand in documents that are attached
	links  []string         // the target by which a wikilink finds each document
	unread int              // documents beyond maxRead
}

// shelve prepares the documents of a request, in their order, each once.
func (m *Model) shelve(ctx context.Context, items []prompt.Item) (*shelf, error) {
	s := &shelf{}
	seen := map[prompt.Ref]bool{}
	read := 0
	for _, it := range items {
		if err := ended(ctx); err != nil {
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
		s.docs = append(s.docs, m.cache.get(it))
		s.cited = append(s.cited, it.Source)
	}
	s.nameLinks()
	return s, nil
}

// nameLinks finds the shortest link for each document: the name of the file,
// or its whole path where two files share a name.
func (s *shelf) nameLinks() {
	paths := map[string]string{} // by folded name, "" where two have it
	for _, d := range s.docs {
		name := strings.ToLower(baseName(d.path0()))
		if path, ok := paths[name]; ok && path != d.path0() {
			paths[name] = ""
			continue
		}
		paths[name] = d.path0()
	}
	for _, d := range s.docs {
		link := baseName(d.path0())
		if paths[strings.ToLower(link)] == "" {
			link = withoutMD(d.path0())
		}
		s.links = append(s.links, link)
	}
}

// link is a link to document i.
func (s *shelf) link(i int) string {
	d := s.docs[i]
	if d.item.Kind == prompt.URL {
		return pageLink(d.item.Title, d.item.ID)
	}
	if d.item.Ref == prompt.Stdin() {
		return d.item.Title
	}
	sub := ""
	if d.item.Kind == prompt.Selection && d.item.StartLine == 0 {
		_, sub, _ = strings.Cut(d.item.ID, "#")
	}
	if !strings.HasPrefix(sub, "^") {
		sub = headingTarget(sub)
	}
	return noteLink(s.links[i], sub)
}

// noteLink is a link to a note, or to a place in it. What a wikilink cannot
// say becomes a markdown link.
func noteLink(target, subpath string) string {
	if strings.ContainsAny(target, "[]|#^\n") {
		address := (&url.URL{Path: target + ".md", Fragment: subpath}).String()
		return "[" + blankOut("[]\n", baseName(target)) + "](" + address + ")"
	}
	if subpath != "" {
		target += "#" + subpath
	}
	return "[[" + target + "]]"
}

// headingTarget is a heading as a link names it: without the characters that
// mean something there.
func headingTarget(title string) string {
	return blankOut("[]|#^\n", strings.ReplaceAll(title, "%%", " "))
}

// blankOut is text with white space for some characters, once between words.
func blankOut(chars, text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(chars, r) }), " ")
}

// pageLink is a link to a page on the web.
func pageLink(title, address string) string {
	if title = blankOut("[]\n", title); title == "" || title == address {
		return "<" + address + ">"
	}
	return "[" + title + "](" + strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "\n", "").Replace(address) + ")"
}

// sectionLink is a link to a section of document i; for selections with lines
// the caller adds them.
func (s *shelf) sectionLink(i, section int) string {
	d := s.docs[i]
	target := headingTarget(d.sections[section].title)
	if d.item.Kind == prompt.URL || target == "" || d.isTitle(section) || d.item.Kind == prompt.Query {
		return s.link(i)
	}
	for j, other := range d.sections {
		if parent := headingTarget(d.sections[d.sections[section].parent].title); j != section && parent != "" && strings.EqualFold(headingTarget(other.title), target) {
			target = parent + "#" + target
			break
		}
	}
	return noteLink(s.links[i], target)
}

// isTitle reports whether a section is the note itself: the first heading,
// when it repeats the name of the note.
func (d *document) isTitle(section int) bool {
	if section > 1 || d.sections[section].level > 1 {
		return false
	}
	return slices.ContainsFunc(d.names(), func(n string) bool { return strings.EqualFold(n, d.sections[section].title) })
}

// lookedUp reports whether any passage was looked up for the question.
func (s *shelf) lookedUp() bool {
	return len(s.known) > 0 || slices.ContainsFunc(s.cited, func(c *prompt.Source) bool { return c != nil })
}

// cite is the footnote of a passage of document i, "" if nothing that was looked up
// has it.
func (s *shelf) cite(i int, p passage) string {
	d, n := s.docs[i], 0
	if from := s.cited[i]; from != nil {
		n = from.ID
	}
	for _, k := range s.known {
		if line := d.line(p.text.start); n == 0 && k.Path == d.path0() && (k.From == 0 || k.From <= line && line <= k.To) {
			n = k.ID
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" [^%d]", n)
}

// place tells where a passage stands: a link, with the lines if it comes from a
// selection of lines that a person made.
func (s *shelf) place(i int, p passage) string {
	d := s.docs[i]
	if s.cited[i] != nil || d.item.Kind != prompt.Selection || d.item.StartLine == 0 {
		return s.sectionLink(i, p.section)
	}
	from, to := d.line(p.text.start), d.line(p.text.end)
	if from == to {
		return fmt.Sprintf("%s, line %d", s.link(i), from)
	}
	return fmt.Sprintf("%s, lines %d–%d", s.link(i), from, to)
}

// names lists the documents by their links, a few of them if there are many.
func (s *shelf) names(docs []int) string {
	const most = 8
	var links []string
	seen := map[string]bool{}
	for _, d := range docs {
		if l := s.link(d); !seen[l] {
			seen[l] = true
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

// all are the indexes of the documents.
func (s *shelf) all() []int {
	docs := make([]int, len(s.docs))
	for i := range docs {
		docs[i] = i
	}
	return docs
}

// limits says what was not read.
func (s *shelf) limits(p *page) {
	if s.unread > 0 {
		p.para(fmt.Sprintf("Not read: the last %s of this conversation, which together hold more than %d MB.", md.Plural(s.unread, "document"), maxRead>>20))
	}
}
