package offline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"

	"ibid/context/prompt"
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
}

// cache keeps prepared documents between turns. The least recently used go
// first once their content is more than cacheSize bytes.
type cache struct {
	mu    sync.Mutex
	clock int
	size  int
	held  map[key]*held
}

type held struct {
	doc  *document
	used int
}

// get returns the prepared document of item. Two requests may prepare the same
// item at the same time; both results are equal, and one is kept.
func (c *cache) get(item prompt.Item) *document {
	if item.Revision == (prompt.Revision{}) {
		item.Content = prompt.Canonical(item.Content)
		item.Revision = sha256.Sum256([]byte(item.Content))
	}
	k := key{item.Ref, item.Revision, item.Title, item.Path, item.StartLine}
	c.mu.Lock()
	c.clock++
	if h, ok := c.held[k]; ok {
		h.used = c.clock
		c.mu.Unlock()
		return h.doc
	}
	c.mu.Unlock()
	item.Images = nil
	d := prepare(item)
	c.mu.Lock()
	defer c.mu.Unlock()
	if h, ok := c.held[k]; ok {
		return h.doc
	}
	if c.held == nil {
		c.held = map[key]*held{}
	}
	c.held[k] = &held{d, c.clock}
	c.size += len(item.Content)
	c.evict()
	return d
}

func (c *cache) evict() {
	for c.size > cacheSize && len(c.held) > 1 {
		var oldest key
		first := true
		for k, h := range c.held {
			if first || h.used < c.held[oldest].used {
				oldest, first = k, false
			}
		}
		c.size -= len(c.held[oldest].doc.item.Content)
		delete(c.held, oldest)
	}
}

// shelf holds the documents of one request.
type shelf struct {
	docs   []*document
	links  []string // the target by which a wikilink finds each document
	unread int      // documents beyond maxRead
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
		if seen[it.Ref] || strings.TrimSpace(it.Content) == "" {
			continue
		}
		seen[it.Ref] = true
		if read += len(it.Content); read > maxRead && len(s.docs) > 0 {
			s.unread++
			continue
		}
		s.docs = append(s.docs, m.cache.get(it))
	}
	s.nameLinks()
	return s, nil
}

// nameLinks finds the shortest link for each document: the name of the file,
// or its whole path where two files share a name.
func (s *shelf) nameLinks() {
	paths := map[string]string{} // folded name to path
	double := map[string]bool{}
	for _, d := range s.docs {
		name := strings.ToLower(baseName(d.path0()))
		if p, ok := paths[name]; ok && p != d.path0() {
			double[name] = true
		}
		paths[name] = d.path0()
	}
	for _, d := range s.docs {
		link := baseName(d.path0())
		if double[strings.ToLower(link)] {
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
	sub := ""
	if d.item.Kind == prompt.Selection && d.item.StartLine == 0 {
		_, sub, _ = strings.Cut(d.item.ID, "#")
	}
	return noteLink(s.links[i], headingTargetOrBlock(sub))
}

func headingTargetOrBlock(sub string) string {
	if strings.HasPrefix(sub, "^") && !strings.ContainsAny(sub[1:], "[]|#^\n") {
		return sub
	}
	return headingTarget(sub)
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
		if j != section && j > 0 && strings.EqualFold(headingTarget(other.title), target) {
			if parent := headingTarget(d.sections[d.sections[section].parent].title); parent != "" {
				target = parent + "#" + target
			}
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
	t := d.sections[section].title
	return strings.EqualFold(t, d.name()) || strings.EqualFold(t, baseName(d.path0()))
}

// place is where a passage stands: a link, with the lines if it comes from a
// selection of lines.
func (s *shelf) place(i int, p passage) string {
	d := s.docs[i]
	if d.item.Kind != prompt.Selection || d.item.StartLine == 0 {
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
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// noun is what the documents are, all together.
func (s *shelf) noun() string {
	for _, d := range s.docs {
		if d.item.Kind != prompt.Note {
			return "text"
		}
	}
	return "note"
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
	var cut []int
	for i, d := range s.docs {
		if d.item.Partial {
			cut = append(cut, i)
		}
	}
	if len(cut) > 0 {
		p.para("Not read to the end, because it was cut at a limit when it was attached: " + s.names(cut) + ".")
	}
	if s.unread > 0 {
		p.para(fmt.Sprintf("Not read: the last %s of this conversation, which together hold more than %d MB.",
			plural(s.unread, "document"), maxRead>>20))
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
