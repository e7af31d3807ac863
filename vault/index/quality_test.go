package index_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// foreign opens a copy of a vault of some 2,000 notes, most of them Chinese, of
// the data that is kept beside the project; nil if it is not there.
func foreign(t testing.TB) index.Source {
	t.Helper()
	dir := vaulttest.Shared(t, "vaults/knowledge-garden")
	if dir == "" {
		return nil
	}
	home := t.TempDir()
	check(t, os.CopyFS(home, os.DirFS(dir)))
	v := vaulttest.Open(t, home, vault.Options{})
	if len(v.Notes()) == 0 {
		t.Fatalf("%s holds no notes", dir)
	}
	t.Logf("shared: %d notes searched", len(v.Notes()))
	return v
}

// Any run of two to four Han characters of a note finds that note, exactly as
// reading every note does.
func TestHanSubstrings(t *testing.T) {
	hanSubstrings(t, "generated", han(400))
	if src := foreign(t); src != nil {
		hanSubstrings(t, "shared", src)
	}
}

func hanSubstrings(t *testing.T, which string, src index.Source) {
	x := synced(t, src)
	rng := rand.New(rand.NewPCG(3, 4))
	var notes []string // paths
	texts := map[string]string{}
	for _, n := range src.Notes() {
		if text, err := src.Read(n.Path); err == nil {
			notes = append(notes, string(n.Path))
			texts[string(n.Path)] = norm.NFC.String(text.Content)
		}
	}
	for name, s := range map[string]index.Searcher{"index": {Source: src, Index: x}, "scan": {Source: src}} {
		relevant, found, wrong := 0, 0, 0
		most := 30
		if s.Index == nil {
			most = 6
		}
		for queries := 0; queries < most; {
			sub := hanRun(rng, texts[notes[rng.IntN(len(notes))]])
			if sub == "" {
				continue
			}
			queries++
			hits := map[string]bool{}
			for _, h := range search(t, s, index.Query{Text: `"` + sub + `"`, Limit: len(notes)}) {
				hits[string(h.Path)] = true
			}
			for _, n := range notes {
				has := strings.Contains(texts[n], sub)
				switch {
				case has && hits[n]:
					found++
					relevant++
				case has:
					relevant++
				case hits[n] && !strings.Contains(n, sub):
					wrong++
				}
			}
		}
		recall, precision := float64(found)/float64(relevant), float64(found)/float64(found+wrong)
		t.Logf("%s notes, %s: recall %.4f, precision %.4f over %d notes", which, name, recall, precision, relevant)
		if recall < 0.99 || precision < 0.99 {
			t.Errorf("%s notes, %s: recall %.4f, precision %.4f", which, name, recall, precision)
		}
	}
}

// hanRun returns a random run of 2..4 Han characters in text, "" if there is none at the random
// place.
func hanRun(rng *rand.Rand, text string) string {
	runes := []rune(text)
	if len(runes) < 10 {
		return ""
	}
	from := rng.IntN(len(runes) - 4)
	run := runes[from : from+2+rng.IntN(3)]
	for _, r := range run {
		if !unicode.Is(unicode.Han, r) {
			return ""
		}
	}
	return norm.NFC.String(string(run))
}

// Who remembers a title or a heading finds the note by it.
func TestKnownItems(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	for name, src := range vaults(t) {
		titles, headings := map[string][]string{}, map[string][]string{}
		for _, n := range src.Notes() {
			title := "what of " + n.Title // the bare title would be found by name, without ranking
			titles[title] = append(titles[title], string(n.Path))
			for _, h := range n.Headings {
				if len(strings.Fields(h.Text)) > 1 || len([]rune(h.Text)) > 5 && !strings.Contains(h.Text, " ") {
					headings[h.Text] = append(headings[h.Text], string(n.Path))
				}
			}
		}
		for way, s := range searchers(t, src) {
			most := 80
			if way == "scan" {
				most = 8
			}
			titles, headings := some(titles, most), some(headings, most)
			byTitle, byHeading := reciprocalRank(t, s, titles), reciprocalRank(t, s, headings)
			t.Logf("%s vault, %s: MRR@10 by title %.3f of %d, by heading %.3f of %d", name, way, byTitle, len(titles), byHeading, len(headings))
			if byTitle < 0.96 || byHeading < 0.96 { // a heading that links to a note finds that note first
				t.Errorf("%s vault, %s: MRR@10 by title %.3f, by heading %.3f", name, way, byTitle, byHeading)
			}
		}
	}
}

func vaults(t *testing.T) map[string]index.Source {
	m := map[string]index.Source{"generated": generateNotes(500)}
	if v := foreign(t); v != nil {
		m["shared"] = v
	}
	return m
}

// some returns at most n of the items that only one note has, the same ones each time.
func some(m map[string][]string, n int) map[string][]string {
	keys := slices.Sorted(maps.Keys(m))
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	out := map[string][]string{}
	for _, k := range keys {
		if len(m[k]) == 1 && len(out) < n {
			out[k] = m[k]
		}
	}
	return out
}

// reciprocalRank returns the mean of 1/rank of the notes that alone have a query.
func reciprocalRank(t *testing.T, s index.Searcher, items map[string][]string) float64 {
	sum, n := 0.0, 0
	for query, owners := range items {
		n++
		for i, h := range search(t, s, index.Query{Text: query, Limit: 10}) {
			if string(h.Path) == owners[0] {
				sum += 1 / float64(i+1)
			}
		}
	}
	return sum / float64(n)
}
