package index_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"ibid/vault/index"
)

// marked returns a line with the marks of a hit in braces.
func marked(h index.Hit, line string) string {
	var b strings.Builder
	marks := map[int]bool{}
	for _, n := range h.Marks(line) {
		marks[n] = true
	}
	on := false
	for n, r := range []rune(line) {
		if marks[n] != on {
			if on = !on; on {
				b.WriteByte('{')
			} else {
				b.WriteByte('}')
			}
		}
		b.WriteRune(r)
	}
	if on {
		b.WriteByte('}')
	}
	return b.String()
}

// What makes a note a hit is marked: words and their forms, slips, accents, runs of
// Han, phrases, what a regular expression matches.
func TestMarks(t *testing.T) {
	src := newMemory(map[string]string{"a.md": "# Watering\n\nWater the Tomatoes. Größe zählt, CAFÉ au lait.\n\n吉他和弦的练习\n\nCall 555-1234 now.", "b.md": "This is the house that they built by the river, and it is where she was with him."})
	for name, s := range searchers(t, src) {
		for query, want := range map[string]string{
			"tomatoes":              "Water the {Tomatoes}. Größe zählt, CAFÉ au lait.",
			"tomato":                "Water the {Tomatoes}. Größe zählt, CAFÉ au lait.",
			"tomatos":               "Water the {Tomatoes}. Größe zählt, CAFÉ au lait.",
			"größe":                 "Water the Tomatoes. {Größe} zählt, CAFÉ au lait.",
			"cafe lait":             "Water the Tomatoes. Größe zählt, {CAFÉ} au {lait}.",
			`"the tomatoes"`:        "Water {the} {Tomatoes}. Größe zählt, CAFÉ au lait.",
			"和弦":                    "吉他{和弦}的练习",
			"line:(water cafe)":     "{Water} the Tomatoes. Größe zählt, {CAFÉ} au lait.",
			`/\d{3}-\d+/`:           "Call {555-1234} now.",
			`/[^\s]+, / tomatoes`:   "Water the {Tomatoes}. Größe {zählt, }CAFÉ au lait.",
			"path:a":                "# Watering",
			"lait -nothing":         "Water the Tomatoes. Größe zählt, CAFÉ au {lait}.",
			"file:a -/not in here/": "# Watering",
		} {
			q, _, err := index.ParseQuery(query, time.Now())
			check(t, err)
			hits, err := s.Search(t.Context(), q)
			if err != nil || len(hits) != 1 {
				t.Fatalf("%s %q: %v, %v", name, query, hits, err)
			}
			text, _ := src.Read("a.md")
			if got := marked(hits[0], strings.Split(text.Content, "\n")[hits[0].Line-1]); got != want {
				t.Errorf("%s %q: %s, want %s", name, query, got, want)
			}
		}
	}
}

// Whatever a line is, its marks are runes of it, in order.
func TestMarksProperties(t *testing.T) {
	src := newMemory(map[string]string{"a.md": "größe œuvre ﾊﾞｽ 각 water"})
	hits, err := index.Searcher{Source: src}.Search(t.Context(), index.Query{Text: "größe œuvre ﾊﾞｽ 각 wa", Partial: true})
	if err != nil || len(hits) != 1 {
		t.Fatal(hits, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"größe", "GRÖSSE", "ŒUVRE", "ﾊﾞｽ", "\u1100\u1161\u11a8", "e\u0301", "water", " ", "\xff"}))).Draw(t, "line")
		line := strings.Join(parts, "")
		last := -1
		for _, n := range hits[0].Marks(line) {
			if n <= last || n >= utf8.RuneCountInString(line) {
				t.Fatalf("mark %d after %d in %q", n, last, line)
			}
			last = n
		}
	})
}
