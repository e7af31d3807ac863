package vault

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"ibid/vault/md"
)

// WithTag returns the notes with the tag or one nested in it, sorted by path: "a" finds a and a/b. It ignores
// case and a leading '#'.
func (v *Vault) WithTag(tag string) (notes []*Note) {
	want := fold(strings.Trim(strings.TrimPrefix(tag, "#"), "/"))
	for _, n := range v.Notes() {
		if slices.ContainsFunc(n.Tags, func(t string) bool { return TagWithin(fold(t), want) }) {
			notes = append(notes, n)
		}
	}
	return notes
}

// PropertyTags returns the tags in the properties of a note. As in dataview, each word in an item of a list is a tag.
func (n *Note) PropertyTags() (words []string) {
	for _, prop := range n.Props("tags", "tag") {
		list, ok := prop.Value.([]any)
		if !ok {
			list = []any{prop.Value}
		}
		for _, item := range list {
			s, _ := item.(string)
			for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
				if word = strings.Trim(word, "#/"); md.TagLen(word) == len(word) {
					words = append(words, word)
				}
			}
		}
	}
	return words
}

// TagCount is a tag with the number of its notes.
type TagCount struct {
	Tag   string `json:"tag"` // without '#', in its first spelling
	Notes int    `json:"notes"`
}

// CountTags counts the tags that the function tags returns for each note, the most frequent first. Private
// notes and chats do not count.
func CountTags(notes []*Note, tags func(*Note) []string) []TagCount {
	at := map[string]int{}
	var list []TagCount
	for _, n := range notes {
		if !n.Ordinary() {
			continue
		}
		for _, t := range tags(n) {
			key := fold(t)
			i, ok := at[key]
			if !ok {
				i = len(list)
				at[key], list = i, append(list, TagCount{Tag: t})
			}
			list[i].Notes++
		}
	}
	slices.SortFunc(list, func(a, b TagCount) int {
		return cmp.Or(b.Notes-a.Notes, strings.Compare(fold(a.Tag), fold(b.Tag)))
	})
	return list
}

// TagWithin reports whether a tag is parent or nested in it, ignoring case.
func TagWithin(tag, parent string) bool {
	n := len(parent)
	return len(tag) >= n && strings.EqualFold(tag[:n], parent) && (len(tag) == n || tag[n] == '/')
}

// tagSet holds the tags of a note in the order of the file, ignoring case, in their first spelling.
type tagSet struct {
	list []string
	seen map[string]bool // by anyCase
}

// add adds tag unless the set has it, ignoring case.
func (s *tagSet) add(tag string) {
	key := anyCase(tag)
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if !s.seen[key] {
		s.seen[key], s.list = true, append(s.list, tag)
	}
}

// anyCase returns the same string for all tags that strings.EqualFold takes for equal.
func anyCase(tag string) string { return strings.ToLower(strings.ToUpper(tag)) }
