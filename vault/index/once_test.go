package index_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/index"
)

// counting is a Source that counts its reads.
type counting struct {
	*memory
	read atomic.Int64
}

func (c *counting) Read(p vault.Path) (vault.Text, error) {
	c.read.Add(1)
	return c.memory.Read(p)
}

// Without an index each note is read once, where there are operators twice, and those
// of the answer again.
func TestScanReadsOnce(t *testing.T) {
	const notes = 1000
	m := newMemory(map[string]string{"needle.md": "many lanterns"})
	for i := range notes - 1 {
		m.put(fmt.Sprintf("%d.md", i), fmt.Sprintf("a river and a stone\n\n%d", i))
	}
	for _, text := range []string{"lanterns", "lanterns river", `"river and"`, "river -kettle", "line:(river stone)", "/riv.r/ stone", "river OR stone"} {
		src := &counting{memory: m}
		q, _, err := index.ParseQuery(text, time.Now())
		check(t, err)
		hits := search(t, index.Searcher{Source: src}, q)
		if len(hits) == 0 || text[0] == 'l' && text[1] == 'a' && hits[0].Path != "needle.md" {
			t.Errorf("%s: hits %s", text, paths(hits))
		}
		const again = 20 // to show
		passes := int64(1)
		if strings.ContainsAny(text, `"-:/`) || strings.Contains(text, "OR") {
			passes = 2
		}
		if n := src.read.Load(); n > passes*notes+again {
			t.Errorf("%s: %d notes were read of %d", text, n, notes)
		}
	}
}

// A query is the same after it was answered, whoever answers it next.
func TestQueryTwice(t *testing.T) {
	m := newMemory(map[string]string{"a.md": "one two", "b.md": "two"})
	q, _, err := index.ParseQuery("line:(one two)", time.Now())
	check(t, err)
	search(t, index.Searcher{Source: m, Index: synced(t, m)}, q)
	m.put("c.md", "one, two")
	if got := paths(search(t, index.Searcher{Source: m}, q)); got != "a.md c.md" && got != "c.md a.md" {
		t.Errorf("found %s", got)
	}
}

// Of the words that one may be a slip of, those with the fewest edits count,
// wherever they stand, and none if the word itself is there.
func TestNearestOfAll(t *testing.T) {
	m := newMemory(map[string]string{
		"far.md":  "harbor harbourss",
		"near.md": "the Harbours of the coast",
		"none.md": "harvest",
	})
	s := index.Searcher{Source: m, Index: synced(t, m)}
	if got := paths(search(t, s, index.Query{Text: "harbuors"})); got != "near.md" {
		t.Errorf("the nearest: %q", got)
	}
	m.put("itself.md", "harbuors")
	s.Index = synced(t, m)
	if got := paths(search(t, s, index.Query{Text: "harbuors"})); got != "itself.md" {
		t.Errorf("the word itself: %q", got)
	}
}
