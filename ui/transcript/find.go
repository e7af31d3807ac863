package transcript

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// finder is a search in the text of the messages.
type finder struct {
	query string
	exact bool  // case matters, since the query has upper case
	hits  []hit // one per occurrence
	at    int   // index of the current hit
}

// hit is the n-th occurrence in an item.
type hit struct {
	it        *item
	n         int
	reasoning bool // in the reasoning or in a tool's output, which may be folded
}

// Find searches all messages for query and goes to the last occurrence, since users mostly search for
// recent text. Case matters if the query has upper case. It returns the number of occurrences; an empty
// query ends the search.
//
// Occurrences are counted in the messages' text, so that nothing has to be rendered for a search; one
// that markup or the end of a line divides is counted but cannot be underlined.
func (t *Transcript) Find(query string) int {
	t.find = finder{query: query}
	t.dirty = true
	if query == "" {
		return 0
	}
	t.find.exact = strings.ContainsFunc(query, unicode.IsUpper)
	for _, it := range t.items {
		m := it.message()
		folded := m.Reasoning
		if m.Role == Tool {
			folded, m.Text = m.Text, ""
		}
		for n := range t.find.count(folded) {
			t.find.hits = append(t.find.hits, hit{it, n, true})
		}
		for n := range t.find.count(m.Text) {
			t.find.hits = append(t.find.hits, hit{it, n, false})
		}
	}
	if len(t.find.hits) > 0 {
		t.find.at = len(t.find.hits) - 1
		t.goTo()
	}
	return len(t.find.hits)
}

// FindIn searches for the first of the queries that occurs in the message with this id, and goes to its
// first occurrence there. It returns that query. If there is none, it selects the message and returns
// "".
func (t *Transcript) FindIn(id string, queries ...string) string {
	for _, query := range queries {
		t.Find(query)
		if i := slices.IndexFunc(t.find.hits, func(h hit) bool { return h.it.ID == id }); i >= 0 {
			t.find.at = i
			t.goTo()
			return query
		}
	}
	t.Find("")
	if it, ok := t.byID[id]; ok {
		t.show(it)
	}
	return ""
}

// Matches returns the number of the current occurrence, from 1, and the total; 0, 0 without a search.
func (t *Transcript) Matches() (current, total int) {
	if len(t.find.hits) == 0 {
		return 0, 0
	}
	return t.find.at + 1, len(t.find.hits)
}

// FindNext goes to the next occurrence, after the last one to the first.
func (t *Transcript) FindNext() { t.findStep(1) }

// FindPrev goes to the previous occurrence, before the first one to the last.
func (t *Transcript) FindPrev() { t.findStep(-1) }

func (t *Transcript) findStep(d int) {
	if n := len(t.find.hits); n > 0 {
		t.find.at = (t.find.at + d + n) % n
		t.goTo()
	}
}

// goTo scrolls the current hit to a third of the screen, and unfolds what hides it.
func (t *Transcript) goTo() {
	h := t.find.hits[t.find.at]
	if h.reasoning && !h.it.open {
		h.it.open = true
		t.invalidate(h.it)
	}
	if h.it.Role == Tool {
		stepsOf(t.items, h.it.index)[0].steps = true
		t.invalidate(h.it)
	}
	h.it.unfold(h, t)
	t.show(h.it)
	t.scrollTo(h.it, h.line(t)-t.height/3)
}

// line returns the line of h in its item.
func (h hit) line(t *Transcript) int {
	t.layOut(h.it)
	from, to := len(h.it.head), h.it.height()-t.gapOf(h.it.index)
	if h.reasoning && h.it.Role != Tool {
		from, to = min(1, to), from
	}
	found := from
	for i, n := from, 0; i < to && n <= h.n; i++ {
		if c := t.find.count(ansi.Strip(h.it.line(i))); c > 0 {
			found, n = i, n+c
		}
	}
	return found
}

// count returns the number of occurrences of the query in s.
func (f *finder) count(s string) int { return strings.Count(f.fold(s), f.fold(f.query)) }

// fold returns s in lower case, unless case matters; every character keeps its offset.
func (f *finder) fold(s string) string {
	if f.exact {
		return s
	}
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); utf8.RuneLen(low) == utf8.RuneLen(r) {
			return low
		}
		return r
	}, s)
}

// underline marks the matches in a line.
func (f *finder) underline(line string, style theme.Ink) string {
	text := ansi.Strip(line)
	folded, query := f.fold(text), f.fold(f.query)
	for n := strings.LastIndex(folded, query); n >= 0; n = strings.LastIndex(folded[:n], query) {
		from := ansi.StringWidth(text[:n])
		line = theme.Restyle(line, from, from+ansi.StringWidth(text[n:n+len(query)]), style)
	}
	return line
}
