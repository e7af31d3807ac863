package gather_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

const dashboard = `-- dv.md --
# Board
` + "```dataview\nLIST rating FROM #tree\n```\n\n```dataview\n  TABLE WITHOUT ID dateformat(date(now), \"HH:mm\") AS now LIMIT 1  \n```\n\n```dataview\nLIST rating FROM #tree\n\n```\n\n```dataview\nCALENDAR file.day\n```" + `
-- oak.md --
---
rating: 5
---
#tree
-- elm.md --
rating:: 3
#tree
-- diary.md --
---
private: true
---
#tree rating:: 9
-- Archive/ash.md --
#tree
-- Trees.base --
filters: file.hasTag("tree")
views:
  - {type: table, name: All, order: [file.name, rating]}
`

// board returns a gatherer over the dashboard with a clock that the test sets.
func board(t *testing.T) (*gather.Gatherer, *vault.Vault, *time.Time) {
	t.Helper()
	v := vaulttest.Open(t, vaulttest.Dir(t, dashboard), vault.Options{Ignore: []string{"Archive/"}})
	now := time.Date(2026, 3, 15, 10, 0, 0, 0, time.UTC)
	return gather.New(v, gather.Options{Now: func() time.Time { return now }}), v, &now
}

// queryResults returns the results that are sent with a note, by the first word of their queries.
func queryResults(t *testing.T, g *gather.Gatherer, name string) (map[string]prompt.Item, []prompt.MissingRef) {
	t.Helper()
	items, missing := itemsOf(t, g, note(name))
	results := map[string]prompt.Item{}
	for _, it := range items[1:] {
		word, _, _ := strings.Cut(strings.TrimSpace(it.Query), " ")
		results[word] = it
	}
	return results, missing
}

// TestQueryItems: the results of the queries in a note are sent with it, each once, without
// private and excluded notes; an unsupported query is reported.
func TestQueryItems(t *testing.T) {
	g, _, _ := board(t)
	results, missing := queryResults(t, g, "dv.md")
	if len(results) != 2 {
		t.Fatalf("%d results: %v", len(results), results)
	}
	list := results["LIST"]
	if list.Ref != prompt.QueryRef("dv.md", "LIST rating FROM #tree") || list.Path != "dv.md" ||
		list.QueryType != "dataview" {
		t.Errorf("%+v", list)
	}
	if want := "- [[elm]]: 3\n- [[oak]]: 5"; list.Content != want {
		t.Errorf("the result is\n%s\nwant\n%s", list.Content, want)
	}
	wantList(t, "missing", states(missing), "query "+prompt.QueryRef("dv.md", "CALENDAR file.day").ID)
	if all := reasons(missing); !strings.Contains(all, `"CALENDAR"`) || !strings.Contains(all, "as it is written") {
		t.Error(all)
	}
	results, _ = queryResults(t, g, "Trees.base")
	base := results["filters:"]
	if base.QueryType != "base" || !strings.Contains(base.Content, "| [[oak]] | 5 |") ||
		strings.Contains(base.Content, "ash") {
		t.Errorf("%+v", base)
	}
	items, missing := itemsOf(t, g, list.Ref)
	if len(items) != 1 || items[0].Revision != list.Revision || len(missing) > 0 {
		t.Errorf("by its own reference: %v %v", items, missing)
	}
}

// TestQueryOnce: a query is answered again only after a change of a note, and not of a chat or
// of the time.
func TestQueryOnce(t *testing.T) {
	g, v, now := board(t)
	v.SetChats("Chats")
	content := func() string {
		t.Helper()
		*now = now.Add(time.Minute)
		results, _ := queryResults(t, g, "dv.md")
		return results["TABLE"].Content
	}
	first := content()
	vaulttest.Write(t, v, "Chats/one.md", "---\nepoch: 1\n---\n**user**: hello")
	for range 2 {
		is(t, content(), first, "the result")
	}
	at := time.Now().Add(-time.Hour)
	check(t, os.Chtimes(filepath.Join(v.Dir(), "dv.md"), at, at))
	if again := content(); again == first {
		t.Error("the note was touched and the query not answered again")
	}
}

// TestQueryCurrent: a change of a note that a query reads is a change of its result, and a note
// that became private is withdrawn.
func TestQueryCurrent(t *testing.T) {
	g, v, _ := board(t)
	results, _ := queryResults(t, g, "dv.md")
	list := results["LIST"]
	state := func() (prompt.Current, bool) {
		t.Helper()
		now, _, err := g.Current(t.Context(), []prompt.Item{list})
		check(t, err)
		c, ok := now[list.ID]
		return c, ok
	}
	if c, ok := state(); ok {
		t.Errorf("nothing has changed: %+v", c)
	}
	vaulttest.Write(t, v, "oak.md", "---\nrating: 2.5\n---\n#tree")
	if c, _ := state(); c.State != prompt.Changed || !strings.Contains(c.Item.Content, "[[oak]]: 2.5") {
		t.Errorf("%+v", c)
	}
	vaulttest.Write(t, v, "elm.md", "---\nprivate: true\n---\nrating:: 3\n#tree")
	if c, _ := state(); c.State != prompt.Withdrawn || strings.Contains(c.Item.Content, "elm") {
		t.Errorf("%+v", c)
	}
	vaulttest.Write(t, v, "dv.md", "no query")
	if c, _ := state(); c.State != prompt.Private {
		t.Errorf("what it told of elm.md stays: %+v", c)
	}
	g = gather.New(v, gather.Options{})
	list.Content = "- [[oak]]: 5"
	if c, _ := state(); c.State != prompt.Deleted {
		t.Errorf("%+v", c)
	}
}

// TestEmbeddedBase: what a base shows that a note embeds goes with the note, once, and follows the base.
func TestEmbeddedBase(t *testing.T) {
	g, v, _ := board(t)
	vaulttest.Write(t, v, "Grove.md", "# Grove\n\n![[Trees.base]]\n\n![[Trees.base#Rated]] of [[Trees.base]]\n\n![[None.base]]\n")
	base := func(order string) {
		vaulttest.Write(t, v, "Trees.base", "filters: file.hasTag(\"tree\") # ![[Trees.base]]\nviews:\n  - {type: table, order: ["+order+"]}\n")
		_, err := v.Revalidate(t.Context())
		check(t, err)
	}
	base("file.name, rating")
	items, missing := itemsOf(t, g, prompt.NoteRef("Grove.md"))
	if len(items) != 2 || len(missing) > 0 || items[1].QueryType != "base" || items[1].Path != "Trees.base" ||
		!strings.Contains(items[1].Content, "| [[oak]] | 5 |") {
		t.Fatalf("%+v, missing %+v", items, missing)
	}
	base("file.name")
	if now, _ := itemsOf(t, g, prompt.NoteRef("Grove.md")); len(now) != 2 || now[1].Content == items[1].Content {
		t.Errorf("of the base that changed: %+v", now)
	}
}
