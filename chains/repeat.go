package chains

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// repeatOf returns the number, from 1, of an identical earlier call in this turn, 0 if there is none. Calls are
// identical if the tool, the arguments and the state of the notes are the same.
func (t *Turn) repeatOf(j *job) int {
	version := uint64(0)
	if t.s.opts.Tools.Version != nil {
		version = t.s.opts.Tools.Version()
	}
	l := &t.loop
	key := fmt.Sprintf("%s %s %d %d", j.spec.Name, j.args, l.writes, version)
	if l.seen == nil {
		l.seen = map[string]int{}
	}
	if n := l.seen[key]; n > 0 {
		return n
	}
	l.seen[key] = j.n
	return 0
}

// similarityThreshold is the share of the words of the shorter search that two searches must have in common to
// count as nearly the same.
const similarityThreshold = 0.6

// pastSearch is a search of this turn, kept to compare later ones with it.
type pastSearch struct {
	n     int           // number of the call
	words []string      // words of the query, each once
	scope string        // folder, tags and time
	found []passageKey  // passages that this search and similar earlier ones returned
	like  []*pastSearch // earlier searches that are nearly the same
}

// passageKey identifies a passage by its place in the vault.
type passageKey struct {
	path     string
	from, to int
}

// recordSearch records the query of a call, if it is a search.
func (t *Turn) recordSearch(j *job) {
	var args struct {
		Query, TimeRange, Folder string
		Tags                     []string
	}
	if j.call.Name != SearchTool || json.Unmarshal(j.args, &args) != nil {
		return
	}
	tools := &t.s.opts.Tools
	slices.Sort(args.Tags)
	s := &pastSearch{
		n:     j.n,
		scope: strings.ToLower(fmt.Sprintf("%q %q %q", strings.Trim(args.Folder, "/"), args.Tags, args.TimeRange)),
	}
	if tools.Dated(args.Query) {
		s.scope += args.Query // the search itself finds out what time is meant
	}
	for _, w := range tools.Words(args.Query) {
		if w = strings.ToLower(w); !slices.Contains(s.words, w) {
			s.words = append(s.words, w)
		}
	}
	for _, earlier := range t.loop.searches {
		if earlier.overlaps(s) {
			s.like = append(s.like, earlier)
		}
	}
	t.loop.searches = append(t.loop.searches, s)
	j.search = s
}

// overlaps reports whether two searches are nearly the same.
func (s *pastSearch) overlaps(o *pastSearch) bool {
	both := 0
	for _, w := range s.words {
		if slices.Contains(o.words, w) {
			both++
		}
	}
	return s.scope == o.scope && both > 0 &&
		float64(both) >= similarityThreshold*float64(min(len(s.words), len(o.words)))
}

// repeats reports whether an earlier search was nearly the same.
func (s *pastSearch) repeats() bool { return s != nil && len(s.like) > 0 }

// recordResults records the passages that the model was shown.
func (s *pastSearch) recordResults(docs []Document) {
	if s != nil {
		for i := range docs {
			s.found = append(s.found, passageKey{docs[i].Path, docs[i].From, docs[i].To})
		}
	}
}

// onlyNew removes the passages that similar searches before it returned.
func (j *job) onlyNew() {
	known := func(d Document) bool {
		at := passageKey{d.Path, d.From, d.To}
		return slices.ContainsFunc(j.search.like, func(s *pastSearch) bool { return slices.Contains(s.found, at) })
	}
	j.search.recordResults(slices.DeleteFunc(slices.Clone(j.out.Documents), func(d Document) bool { return !known(d) }))
	before := len(j.out.Documents)
	docs := slices.DeleteFunc(slices.Clone(j.out.Documents), known)
	first := j.search.like[0].n
	switch n := before - len(docs); {
	case n == 0:
		return
	case len(docs) == 0:
		text := fmt.Sprintf("Nothing new: call %d was nearly the same and found this.", first)
		j.state, j.out = ToolCached,
			ToolOutput{
				Text: text, Attributes: j.out.Attributes,
				Note: fmt.Sprintf("nothing that call %d has not found", first),
			}
	default:
		j.out.Documents = docs
		j.out.Sources = slices.DeleteFunc(slices.Clone(j.out.Sources), func(s Source) bool {
			return !slices.ContainsFunc(docs, func(d Document) bool { return d.ID == s.ID })
		})
		j.out.Guidance = strings.TrimPrefix(j.out.Guidance+
			fmt.Sprintf("\nLeft out: %d that call %d has found.", n, first), "\n")
		j.out.Note = fmt.Sprintf("%d of %d passages are new", len(docs), before)
	}
}
