package index_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ibid/vault/index"
)

func passages(t *testing.T, s index.Searcher, q index.Query) (string, []index.Passage, int) {
	t.Helper()
	found, err := s.Passages(context.Background(), q)
	list, all := found.List, found.Sections
	check(t, err)
	var got []string
	for _, p := range list {
		text, err := s.Source.Read(p.Note.Path)
		check(t, err)
		if lines := text.Lines(p.From, p.To); !strings.Contains(lines, p.Text) {
			t.Errorf("%s:%d-%d is %q, not %q", p.Note.Path, p.From, p.To, lines, p.Text)
		}
		if n := utf8.RuneCountInString(p.Text); n > 2200 || n == 0 || p.Text != strings.TrimSpace(p.Text) {
			t.Errorf("%s: a passage of %d characters: %q", p.Note.Path, n, p.Text)
		}
		got = append(got, fmt.Sprintf("%s#%s:%d-%d", p.Note.Path, p.Heading, p.From, p.To))
	}
	return strings.Join(got, " "), list, all
}

func TestPassages(t *testing.T) {
	long := strings.Repeat("The weather was dull and nobody went out into it that day.\n\n", 60)
	src := newMemory(map[string]string{
		"Barn.md":             "# Barn\n\nOld.\n\n# Roof\n\nThe barn roof leaks.\n\n# Walls\n\nBrick.\n\n# Roof costs\n\nA new barn roof costs 900.\n",
		"Diary.md":            "# Diary\n\n" + long + "We agreed on slate for the barn roof.\n\n" + long,
		"Many.md":             "# One roof\n\nx\n\n# a\n\n# Two roof\n\nx\n\n# b\n\n# Three roof\n\nx\n\n# c\n\n# Four roof\n\nx\n",
		"Copy 1.md":           "The gutter is by the door.\n",
		"Copy 2.md":           "The gutter is by the door.\n",
		"Named.md":            "tags: house\n\nNothing about it.\n",
		"Private.md":          "private: true\n\nThe barn roof is a secret.\n",
		"Daily/2025-08-18.md": "Monday: sawed planks.\n",
		"Daily/2025-08-19.md": "Tuesday: nailed planks.\n",
		"Line.md":             strings.Repeat("word ", 900) + "chimney sweep comes on Friday. " + strings.Repeat("word ", 900),
	})
	for name, s := range searchers(t, src) {
		got, list, _ := passages(t, s, index.Query{Text: "barn roof"})
		if !strings.HasPrefix(got, "Barn.md#Roof:5-7 Barn.md#Walls:9-11 Barn.md#Barn:1-3 Barn.md#Roof costs:13-15 ") {
			t.Errorf("%s: barn roof: %s", name, got)
		}
		if strings.Contains(got, "Private") {
			t.Errorf("%s: barn roof: %s", name, got)
		}
		window := ""
		for _, p := range list {
			if p.Note.Path == "Diary.md" {
				window = p.Text
			}
		}
		at := strings.Index(window, "slate")
		if at < 300 || len(window)-at < 300 {
			t.Errorf("%s: the window does not have the sentence in its middle: %d of %d", name, at, len(window))
		}
		for _, tt := range []struct {
			query index.Query
			want  string
			all   int
		}{
			{index.Query{Text: "gutter"}, "Copy 1.md#:1-1", 2},
			{index.Query{Text: "what of [[named]] and the gutter"}, "Named.md#:1-3 Copy 1.md#:1-1", 3},
			{index.Query{Text: "#house"}, "Named.md#:1-3", 1},
			{index.Query{Text: "gutter", Phrasings: []string{"planks"}}, "Copy 1.md#:1-1 Daily/2025-08-18.md#:1-1 Daily/2025-08-19.md#:1-1", 4},
			{index.Query{Text: "planks", Phrasings: []string{"gutter"}, Hide: "Daily/2025-08-19.md", Limit: 1}, "Daily/2025-08-18.md#:1-1", 3},
			{index.Query{Folder: "Daily"}, "Daily/2025-08-19.md#:1-1 Daily/2025-08-18.md#:1-1", 2},
			{index.Query{Text: "helicopter"}, "", 0},
			{index.Query{}, "", 0},
		} {
			got, _, all := passages(t, s, tt.query)
			if got != tt.want || all != tt.all {
				t.Errorf("%s %+v:\n got %s, %d\nwant %s, %d", name, tt.query, got, all, tt.want, tt.all)
			}
		}
		if _, list, _ := passages(t, s, index.Query{Text: "chimney sweep"}); len(list) == 0 || !strings.Contains(list[0].Text, "chimney sweep comes on Friday.") {
			t.Errorf("%s: a long line: %+v", name, list)
		}
	}
}

// The sections before and behind the best come along, each cited by itself; a heading
// without text does not.
func TestNeighbours(t *testing.T) {
	src := newMemory(map[string]string{
		"Bread.md":  "# Bread\n\n## Rye flour\n\nCoarse.\n\n## Rye dough\n\nSticky.\n\n## Salt\n\nLittle.\n\n## Rye crust\n\n" + strings.Repeat("Dark. ", 300),
		"Oats.md":   "# Oats\n\nOats keep, oats and oats.\n\n## Oat milk\n\nSoak oats.\n\n### Oat pulp\n\nOats again.\n",
		"Spelt.md":  "Spelt first.\n\n# Spelt\n\n## Spelt loaf\n\nSpelt rises.\n",
		"Twice.md":  "# Millet\n\nMillet.\n\n# Millet\n\nMillet.\n\n## Millet pan\n\nMillet.\n",
		"Barley.md": "tags: barley\n\n# Barley\n\n## Barley soup\n\nBarley boils.\n",
	})
	for name, s := range searchers(t, src) {
		for query, want := range map[string]string{
			"rye":    "Bread.md#Rye flour:3-5 Bread.md#Rye dough:7-9 Bread.md#Salt:11-13 Bread.md#Rye crust:15-17",
			"keep":   "Oats.md#Oats:1-3 Oats.md#Oat milk:5-7",
			"spelt":  "Spelt.md#Spelt loaf:5-7 Spelt.md#:1-1",
			"millet": "Twice.md#Millet pan:9-11 Twice.md#Millet:5-7",
			"barley": "Barley.md#Barley soup:5-7 Barley.md#Barley:1-3",
		} {
			got, _, _ := passages(t, s, index.Query{Text: query})
			if got != want {
				t.Errorf("%s, %s:\n got %s\nwant %s", name, query, got, want)
			}
		}
	}
}

// Properties do not come without what they are about.
func TestPropertiesOfNote(t *testing.T) {
	src := newMemory(map[string]string{
		"Pump.md":  "tags: pump\n\n# Pump\n\nIt is green.\n\n# Past\n\nIt was red.\n",
		"Pump2.md": "tags: pump\n",
	})
	for name, s := range searchers(t, src) {
		if got, _, _ := passages(t, s, index.Query{Text: "#pump"}); !strings.Contains(got, "Pump.md#Pump:1-5") || !strings.Contains(got, "Pump2.md#:1-1") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A note that goes, changes or becomes private at any moment of a search costs the
// others nothing, and no text of it is given that is not there.
func TestPassagesOfChangingNotes(t *testing.T) {
	for _, change := range []string{"", "private: true\n\nThe roof is a secret.\n", "# Cellar\n\nNothing.\n", "# New\n\nx\n\n# Roof\n\nThe roof is new.\n"} {
		for at := 1; at < 12; at++ {
			src := newMemory(map[string]string{"a.md": "# Roof\n\nThe roof leaks.\n\n# Walls\n\nThe roof rests on them.\n", "b.md": "A roof of slate.\n"})
			s := index.Searcher{Source: src, Index: synced(t, src)}
			src.reads = 0
			src.onto = func(reads int) {
				if reads != at {
					return
				}
				if src.remove("a.md"); change != "" {
					src.put("a.md", change)
				}
			}
			found, err := s.Passages(t.Context(), index.Query{Text: "roof"})
			check(t, err)
			var got []string
			for _, p := range found.List {
				got = append(got, p.Text)
			}
			if all := strings.Join(got, "|"); !strings.Contains(all, "A roof of slate.") || strings.Contains(all, "secret") {
				t.Errorf("changed at read %d to %q: %s", at, change, all)
			}
		}
	}
}

// A note of several megabytes is cut in time that is in proportion to its size.
func TestPassageOfLargeNote(t *testing.T) {
	text := strings.Repeat(strings.Repeat("straw ", 50)+"\n\n", 16_000)
	text = text[:len(text)/2] + "\n\nThe needle lies here.\n\n" + text[len(text)/2:]
	src := newMemory(map[string]string{"large.md": text})
	_, list, _ := passages(t, index.Searcher{Source: src}, index.Query{Text: "needle straw"})
	if len(list) == 0 || !strings.Contains(list[0].Text, "The needle lies here.") {
		t.Errorf("%d passages of %d bytes", len(list), len(text))
	}
}

// How little of a question the best note holds is said, and nothing where it holds half.
func TestWeakPassages(t *testing.T) {
	src := newMemory(map[string]string{
		"Roof.md":   "The slate came from Wales.\n",
		"Barn.md":   "A ladder leans there.\n",
		"Ladder.md": "Oak.\n",
		"Hen.md":    "Feed, grit and oyster shell.\n",
	})
	for name, s := range searchers(t, src) {
		for query, want := range map[string]string{
			"slate quarry tonnage invoice":   "1 of 4 words, none in a title",
			"ladder quarry tonnage invoice":  "1 of 4 words, 1 in a title",
			"slate from wales":               "",
			"feed grit oyster":               "",
			"quarry tonnage invoice haulage": "",
		} {
			found, err := s.Passages(t.Context(), index.Query{Text: query})
			if err != nil || found.Weak != want {
				t.Errorf("%s: %s: %q, want %q (%v)", name, query, found.Weak, want, err)
			}
		}
	}
}

// A question about two things gets at least one passage for each, however many there are
// about the first.
func TestPassagesForEachTopic(t *testing.T) {
	notes := map[string]string{"Cellar.md": "The boiler was serviced by Anna in May.\n"}
	for i := range 60 {
		notes[fmt.Sprintf("Orchard/Pruning %d.md", i)] = fmt.Sprintf("# Pruning apple trees\n\nApple pruning, row %d: %s\n", i, strings.Repeat("pruning the apple trees in winter ", 30))
	}
	src := newMemory(notes)
	for name, s := range searchers(t, src) {
		_, list, _ := passages(t, s, index.Query{Text: "pruning apple trees and the boiler"})
		size, boiler := 0, false
		for _, p := range list {
			size += len(p.Text)
			boiler = boiler || p.Note.Path == "Cellar.md"
		}
		if !boiler || size > 24_000 || size < 20_000 {
			t.Errorf("%s: %d passages of %d bytes, the boiler is among them: %v", name, len(list), size, boiler)
		}
	}
}

// What answers another phrasing is found too, behind what answers the question in its own
// words as well; further words count like those of the question.
func TestPhrasings(t *testing.T) {
	src := newMemory(map[string]string{
		"Shed.md": "# Shed\n\nThe spade hangs beside the door.\n", "Garage.md": "# Garage\n\nA shovel leans on the wall, the spade too.\n",
		"Pond.md": "# Pond\n\nCarp.\n", "Private.md": "---\nprivate: true\n---\nA digging tool.\n", "Loan.md": "Anna has the digging tool.\n",
	})
	for name, s := range searchers(t, src) {
		for _, tt := range []struct {
			query index.Query
			want  string
		}{
			{index.Query{Text: "shovel"}, "Garage.md#Garage:1-3"},
			{index.Query{Text: "shovel", Phrasings: []string{"who has the digging tool", "", "the spade"}}, "Garage.md#Garage:1-3 Loan.md#:1-1 Shed.md#Shed:1-3"},
			{index.Query{Text: "bicycle", Phrasings: []string{"digging tool"}}, "Loan.md#:1-1"},
			{index.Query{Text: "shovel", Terms: "carp"}, "Pond.md#Pond:1-3 Garage.md#Garage:1-3"},
			{index.Query{Text: "shovel", Phrasings: []string{"carp"}}, "Garage.md#Garage:1-3 Pond.md#Pond:1-3"},
		} {
			if got, _, _ := passages(t, s, tt.query); got != tt.want {
				t.Errorf("%s %+v:\n got %s\nwant %s", name, tt.query, got, tt.want)
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	files := map[string]string{"Secret.md": "---\nprivate: true\n---\nLa clé est dans le tiroir avec les autres.\n"}
	for i := range 6 {
		files[fmt.Sprintf("en%d.md", i)] = "The spade is in the shed, and this is where it was before.\n"
		files[fmt.Sprintf("zh%d.md", i/2)] = "铁锹在棚子里，the rake 也在。\n"
		files[fmt.Sprintf("none%d.md", i)] = "Spade, rake, hoe.\n"
	}
	if got := index.Languages(newMemory(files)); !slices.Equal(got, []string{"English", "Chinese"}) {
		t.Errorf("%q", got)
	}
}
