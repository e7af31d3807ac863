package index

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/index/stem"
)

// TestFirstWords: of a text with more different words than a note has, the first are
// indexed, also where they stand again behind the others.
func TestFirstWords(t *testing.T) {
	var text strings.Builder
	text.WriteString("barn roof\n")
	for i := range 2 * maxWords {
		fmt.Fprintf(&text, "%x ", i)
	}
	text.WriteString("the barn and nothing else: roof gutter")
	w := &writer{words: lexicon{}, stems: map[stem.Languages]map[string]string{}}
	c := w.columns(&document{note: &vault.Note{}, text: text.String()})
	different := map[string]bool{}
	for word := range bytes.FieldsSeq([]byte(c.body)) {
		different[string(word)] = true
	}
	if len(different) != maxWords || !strings.HasSuffix(strings.TrimSpace(c.body), "barn roof") {
		t.Errorf("%d words, at the end %q", len(different), c.body[len(c.body)-40:])
	}
	if all := w.gathered("barn roof barn"); all != "barn roof barn " {
		t.Errorf("of a short text %q is left", all)
	}
}

// BenchmarkColumns is what a note with a lot of headings takes.
func BenchmarkColumns(b *testing.B) {
	d := &document{note: &vault.Note{}, text: strings.Repeat("# barn\n", 20_000)}
	for i := range 20_000 {
		d.note.Headings = append(d.note.Headings, vault.Heading{Level: 1, Text: "barn", Line: i + 1})
	}
	b.ReportAllocs()
	for b.Loop() {
		w := &writer{words: lexicon{}, stems: map[stem.Languages]map[string]string{}}
		w.columns(d)
	}
}
