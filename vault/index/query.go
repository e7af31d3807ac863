package index

import (
	"regexp"
	"slices"
	"strings"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index/fold"
	"ibid/vault/index/syntax"
)

// Query is a search. Words of Text match everywhere in a note, "words in quotes" only next
// to each other. The other fields bound the notes; with Text empty and at least one of them
// set, Search lists those notes, newest first.
type Query struct {
	Text    string
	Terms   string       // further words with the weight of those of Text; only Passages reads them
	Partial bool         // the last word is still being typed: with two letters or more it may go on
	Limit   int          // hits at most; 0 means 20, and of passages as many as fit
	Bytes   int          // of all passages together; 0 means 24,000
	Folder  vault.Path   // only notes in it, at any depth
	Tags    []string     // only notes with all of these tags, or tags below them; # optional
	Notes   []vault.Path // only these; nil for any

	// Phrasings are the same question in other words, with half the weight. Only Passages reads them.
	Phrasings []string

	// When are times in the question: notes of them come earlier, or with TimeOnly nothing else is
	// found. See NotesByDate for the date of a note.
	When     []dates.Range
	TimeOnly bool

	Chats bool       // saved chats too
	Hide  vault.Path // a note to leave out: the open chat
	Skip  vault.Path // a folder to leave out: that of the saved prompts

	where *syntax.Node     // operators, from ParseQuery
	inner string           // words in it to rank by
	exprs []*regexp.Regexp // expressions in it
}

// Hit is a section of a note that fits a query.
type Hit struct {
	Path       vault.Path `json:"path"`
	Title      string     `json:"title"`             // of the note
	Heading    string     `json:"heading,omitempty"` // of the section, "" before the first heading
	Start, End int        `json:"-"`                 // lines of the section, 1-based, inclusive
	Line       int        `json:"line"`              // the line that fits best, within them
	// that line, cut to some 160 runes around the match, without control characters
	Snippet string  `json:"snippet"`
	Score   float64 `json:"score"`        // higher is better; comparable within one answer only
	Shares  Shares  `json:"why,omitzero"` // of the score

	found  *terms    // by which it was found
	lines  lineRange // found by an operator or an expression, 0 for none
	joined lineRange // of several short sections, of which the one with the best line is meant; 0 for none
}

// lineRange is some lines of a note, 1-based and inclusive; 0 for none.
type lineRange struct{ from, to int }

// Any returns q without its words.
func (q Query) Any() Query {
	q.Text, q.Terms, q.Phrasings = "", "", nil
	return q
}

func (q *Query) filtered() bool {
	return q.Folder != "" || len(q.Tags) > 0 || q.Notes != nil || q.TimeOnly || q.where != nil
}

// timed reports whether notes of some times come earlier.
func (q *Query) timed() bool { return len(q.When) > 0 && !q.TimeOnly }

// filter returns a test for the notes that the fields of q besides Text select. Private notes
// never pass.
func (s Searcher) filter(q *Query) func(*vault.Note) bool {
	tags := make([]string, len(q.Tags))
	for i, t := range q.Tags {
		tags[i] = fold.Name(strings.Trim(strings.TrimPrefix(t, "#"), "/"))
	}
	var dated calendar
	if q.TimeOnly {
		dated = s.calendar()
	}
	return func(n *vault.Note) bool {
		return !n.Private && (q.Chats || !n.Chat) && n.Path.In(q.Folder) && n.Path != q.Hide &&
			(q.Skip == "" || !n.Path.In(q.Skip)) && (q.Notes == nil || slices.Contains(q.Notes, n.Path)) &&
			(!q.TimeOnly || dated.near(n, q.When) == 1) &&
			!slices.ContainsFunc(tags, func(t string) bool { return !hasTag(n, t) })
	}
}

// hasTag reports whether n has a tag, folded by fold.Name, or one below it.
func hasTag(n *vault.Note, tag string) bool {
	return slices.ContainsFunc(n.Tags, func(t string) bool { return vault.TagWithin(fold.Name(t), tag) })
}
