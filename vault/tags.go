package vault

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TagCount is a tag and how many notes carry it or a tag nested in it.
type TagCount struct {
	Tag   string // without '#', as first written
	Notes int
}

// tagTable is the notes of every tag.
type tagTable struct {
	counts []TagCount // sorted by folded tag
	notes  map[string][]Path
}

func newTagTable(notes []*Note) *tagTable {
	t := &tagTable{notes: map[string][]Path{}}
	shown := map[string]string{}
	for _, n := range notes {
		for _, tag := range n.Tags {
			key := fold(tag)
			for {
				list := t.notes[key]
				if len(list) == 0 || list[len(list)-1] != n.Path {
					t.notes[key] = append(list, n.Path)
				}
				if _, ok := shown[key]; !ok {
					shown[key] = tag
				}
				i, j := strings.LastIndexByte(key, '/'), strings.LastIndexByte(tag, '/')
				if i < 0 || j < 0 {
					break
				}
				key, tag = key[:i], tag[:j]
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(shown)) {
		t.counts = append(t.counts, TagCount{Tag: shown[k], Notes: len(t.notes[k])})
	}
	return t
}

// Tags lists the tags of the vault, sorted without regard to case. A tag that
// only holds nested ones (a of a/b) is listed too. The list is shared: do not
// change it.
func (v *Vault) Tags() []TagCount { return v.snap.Load().tags().counts }

// WithTag lists the notes that carry the tag, or one nested in it, sorted by
// path: "a" finds a and a/b. Case does not matter; a leading '#' may stand.
func (v *Vault) WithTag(tag string) []*Note {
	s := v.snap.Load()
	paths := s.tags().notes[fold(strings.Trim(strings.TrimPrefix(tag, "#"), "/"))]
	notes := make([]*Note, 0, len(paths))
	for _, p := range paths {
		if n, ok := s.note(p); ok {
			notes = append(notes, n)
		}
	}
	return notes
}

// tagWithin reports whether the folded tag is want or nested in it.
func tagWithin(tag, want string) bool {
	return tag == want || strings.HasPrefix(tag, want) && tag[len(want)] == '/'
}

// few is how many tags or properties of a note are looked through one by one;
// from there on a map costs less.
const few = 16

// tagSet is the tags of a note in the order of the file, each once, in the
// casing that came first.
type tagSet struct {
	list []string
	seen map[string]bool // by tagKey; nil while there are few
}

// add adds tag unless the set has it in some casing, and says whether it did.
func (s *tagSet) add(tag string) bool {
	if len(s.list) >= few {
		if s.seen == nil {
			s.seen = make(map[string]bool, 2*len(s.list))
			for _, t := range s.list {
				s.seen[tagKey(t)] = true
			}
		}
		key := tagKey(tag)
		if s.seen[key] {
			return false
		}
		s.seen[key] = true
	} else if slices.ContainsFunc(s.list, func(t string) bool { return strings.EqualFold(t, tag) }) {
		return false
	}
	s.list = append(s.list, tag)
	return true
}

// tagKey is the same for tags that strings.EqualFold holds for equal.
func tagKey(tag string) string {
	for i := range len(tag) {
		if c := tag[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.Map(foldRune, tag)
		}
	}
	return tag
}

// foldRune is the same for all characters that differ in case only, and small
// letters of ASCII stay.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}
