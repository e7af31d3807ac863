package index

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/md"
)

// mentions are the names and tags of notes in a query.
type mentions struct {
	names []string // folded: the whole query, and targets of links as in [[note]]
	tags  []string // folded for hasTag
}

// mentionsIn finds the mentions in the text of a query.
func mentionsIn(text string) (m mentions) {
	if whole := fold.Line(text); whole != "" {
		m.names = append(m.names, whole)
	}
	for _, target := range md.Wikilinks(text) {
		target, _, _ = strings.Cut(target, "#")
		if name := fold.Line(strings.TrimSuffix(path.Base(target), ".md")); name != "" {
			m.names = append(m.names, name)
		}
	}
	for word := range strings.FieldsSeq(text) {
		tag, ok := strings.CutPrefix(word, "#")
		tag = strings.TrimRight(tag, "/.,;:!?")
		if ok && strings.ContainsFunc(tag, unicode.IsLetter) {
			m.tags = append(m.tags, fold.Name(tag))
		}
	}
	return m
}

// worth returns what the names and tags of a note are worth.
func (m *mentions) worth(n *vault.Note) float64 {
	switch {
	case slices.ContainsFunc(namesOf(n), func(name string) bool { return slices.Contains(m.names, fold.Line(name)) }):
		return namedWorth
	case slices.ContainsFunc(m.tags, func(tag string) bool { return hasTag(n, tag) }):
		return taggedWorth
	}
	return 0
}
