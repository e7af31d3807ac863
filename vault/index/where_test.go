package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// today is a Wednesday.
var today = time.Date(2025, 8, 20, 15, 30, 0, 0, time.Local)

const garden = `
-- Garden/Plan.md --
---
tags: [garden/beds, Plan]
status: open
size: 12
date: 2025-08-12
aliases: [Bed plan]
---
# Beds

Dig the north bed before the frost.
Order compost and straw.

## Seeds

Beans, peas and Ümlaut radishes.

- [ ] Call the nursery
  about the seed potatoes
- [x] Sharpen the spade
- [-] Paint the fence
> - [ ] Quoted chore
-- Garden/Log.md --
---
tags: garden
status: done
size: 3
related: "[[Plan]]"
---
The frost came early. The north wind did not.

Beans failed; peas did not.

~~~
- [ ] Not a task, only code
~~~
-- Kitchen/Jam.md --
---
status: [draft, open]
empty:
date: "2025-07-03"
---
Plum jam: two kilos of plums, order sugar.

Jars jammed shut. Contact: jam@example.org, localhost:8080
-- Daily/2025-08-13 Wednesday.md --
Talked about compost.
#garden/beds is next.
-- Daily/2025-08-20.md --
Nothing happened.
-- Private.md --
---
private: true
---
Compost, frost, jam.
-- 日本.md --
東京の庭で豆を植えた。
`

// both searches with an index and without one; the answers must be equal.
func both(t *testing.T, v *vault.Vault, x *index.Index, q index.Query) []index.Hit {
	t.Helper()
	with, err := index.Searcher{Source: v, Index: x}.Search(t.Context(), q)
	check(t, err)
	without, err := index.Searcher{Source: v}.Search(t.Context(), q)
	check(t, err)
	if a, b := sorted(with), sorted(without); a != b {
		t.Errorf("%+v: with an index %q, without %q", q, a, b)
	}
	return with
}

func sorted(hits []index.Hit) string {
	var list []string
	for _, h := range hits {
		list = append(list, strings.Fields(h.Path.Base())[0])
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func indexOf(t testing.TB, v *vault.Vault) *index.Index {
	t.Helper()
	x, err := index.Open(context.Background(), index.Options{Dir: t.TempDir(), Vault: v.Dir()})
	check(t, err)
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	check(t, x.Sync(context.Background(), v))
	return x
}

func gardenVault(t *testing.T) *vault.Vault {
	t.Helper()
	dir := vaulttest.Dir(t, garden)
	for name, age := range map[string]int{"Garden/Log.md": 30, "日本.md": 400} {
		at := today.AddDate(0, 0, -age)
		check(t, os.Chtimes(filepath.Join(dir, name), at, at))
	}
	return vaulttest.Open(t, dir, vault.Options{})
}

func TestOperators(t *testing.T) {
	v := gardenVault(t)
	x := indexOf(t, v)
	for query, want := range map[string]string{
		`"north bed"`:                    "Plan",
		`"NORTH bed"`:                    "Plan",
		`"bed plan"`:                     "Plan",
		`"north fence"`:                  "",
		"frost -beans":                   "",
		"frost -compost":                 "Log",
		"frost -\"north bed\"":           "Log",
		"order -jam":                     "Plan",
		"-compost -frost":                "2025-08-20 Jam 日本",
		"compost OR plums":               "2025-08-13 Jam Plan",
		"(compost OR plums) order":       "Jam Plan",
		"comp OR plu":                    "2025-08-13 Jam Plan",
		"frost (early OR straw)":         "Log Plan",
		"path:garden":                    "Log Plan",
		"path:Garden/L":                  "Log",
		"path:(garden OR kitchen)":       "Jam Log Plan",
		"path:/^daily.*13/":              "2025-08-13",
		"file:plan":                      "Plan",
		"file:/^\\d{4}/":                 "2025-08-13 2025-08-20",
		"-path:daily -file:plan frost":   "Log",
		"tag:garden":                     "2025-08-13 Log Plan",
		"tag:#GARDEN/beds":               "2025-08-13 Plan",
		"tag:gard":                       "",
		"tag:(plan OR #garden/beds)":     "2025-08-13 Plan",
		"frost tag:plan":                 "Plan",
		"content:plan":                   "Log Plan",
		"content:wednesday":              "",
		"line:(north frost)":             "Log Plan",
		"line:(frost early)":             "Log",
		"line:(beans compost)":           "",
		"line:(compost -straw)":          "2025-08-13",
		"section:(beans radishes)":       "Plan",
		"section:(beans compost)":        "",
		"block:(north compost)":          "Plan",
		"block:(north straw peas)":       "",
		"block:(frost beans)":            "",
		"task:call":                      "Plan",
		"task:potatoes":                  "Plan",
		"task:(call potatoes)":           "Plan",
		"task:(call spade)":              "",
		"task:code":                      "",
		"task-todo:\"\"":                 "Plan",
		"task-todo:spade":                "",
		"task-todo:quoted":               "Plan",
		"task-done:(spade OR fence)":     "Plan",
		"task-done:call":                 "",
		"[status]":                       "Jam Log Plan",
		"[status:open]":                  "Jam Plan",
		"[STATUS:Open] -[date]":          "",
		"[status:open OR done]":          "Jam Log Plan",
		"[status:-open]":                 "Log",
		"[status:ope]":                   "Jam Plan",
		"[empty:null]":                   "Jam",
		"[empty] [status:draft]":         "Jam",
		"[size:>5]":                      "Plan",
		"[size:<5]":                      "Log",
		"[date:2025-08]":                 "Plan",
		"[date:>2025-07-31]":             "Plan",
		"[related:plan]":                 "Log",
		"[aliases:/^bed/]":               "Plan",
		"-[status]":                      "2025-08-13 2025-08-20 日本",
		"/jam+ed/":                       "Jam",
		"/JAM@\\w+/":                     "Jam",
		"/^beans/":                       "Log Plan",
		"/peas did not\\.$/":             "Log",
		"/jars jammed shut/":             "Jam",
		"/frost\\.\\nOrder/":             "Plan",
		"/frost\\.\\s+order/":            "Plan",
		"/frost.*order/":                 "",
		"/frost[^x]*peas did/":           "Log",
		"/\\A---\\ntags/":                "Log Plan",
		"/soup|jars jam(med)? shut/":     "Jam",
		"line:(/north.*d/ frost)":        "Log Plan",
		"-/o/":                           "日本",
		"match-case:Beans":               "Log Plan",
		"match-case:beans":               "",
		"match-case:/beans/":             "",
		"match-case:(ignore-case:beans)": "Log Plan",
		"localhost:8080":                 "Jam",
		"umlaut -log":                    "Plan",
		"\"ümlaut radishes\"":            "Plan",
		"\"豆を植\"":                        "日本",
		"line:豆":                         "日本",
		"-豆 -o":                          "2025-08-13 2025-08-20 Jam Log Plan",
		"on:2025-08-12":                  "Plan",
		"on:\"last week\"":               "2025-08-13 Plan",
		"on:july":                        "Jam Log",
		"before:2025-01-01":              "日本",
		"after:2025-08-12 before:today":  "2025-08-13",
		"on:today":                       "2025-08-20",
		"on:(this week) OR on:july":      "2025-08-20 Jam Log",
		"compost on:last week":           "2025-08-13 Plan",
		"compost -on:2025-08-12":         "2025-08-13",
	} {
		q, told, err := index.ParseQuery(query, today)
		if err != nil || len(told) > 0 {
			t.Errorf("%s: %v, %q", query, err, told)
		}
		if got := sorted(both(t, v, x, q)); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
}

// A hit stands where what was asked for stands.
func TestOperatorsPlace(t *testing.T) {
	v := gardenVault(t)
	x := indexOf(t, v)
	for query, want := range map[string]string{
		"task-todo:potatoes":            "Garden/Plan.md:18 Seeds: about the seed potatoes",
		"task-done:\"\"":                "Garden/Plan.md:19 Seeds: [x] Sharpen the spade",
		"/straw/":                       "Garden/Plan.md:11 Beds: Order compost and straw.",
		"line:(peas radishes)":          "Garden/Plan.md:15 Seeds: Beans, peas and Ümlaut radishes.",
		"beds line:(order)":             "Garden/Plan.md:11 Beds: Order compost and straw.",
		"section:(peas beans) tag:plan": "Garden/Plan.md:15 Seeds: Beans, peas and Ümlaut radishes.",
		"\"failed peas\" OR wind":       "Garden/Log.md:7 : The frost came early. The north wind did not.",
	} {
		q, _, err := index.ParseQuery(query, today)
		check(t, err)
		q.Limit = 1
		got := ""
		for _, h := range both(t, v, x, q) {
			got = fmt.Sprintf("%s:%d %s: %s", h.Path, h.Line, h.Heading, h.Snippet)
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", query, got, want)
		}
	}
}

// Fields of the query go by the date of a note too, and bound what operators find.
func TestOperatorsWithFields(t *testing.T) {
	v := gardenVault(t)
	x := indexOf(t, v)
	q, _, err := index.ParseQuery("compost OR plums", today)
	check(t, err)
	q.When, q.TimeOnly = []dates.Range{{From: time.Date(2025, 8, 1, 0, 0, 0, 0, time.Local), Until: time.Date(2025, 8, 13, 0, 0, 0, 0, time.Local)}}, true
	if got := sorted(both(t, v, x, q)); got != "Plan" {
		t.Errorf("%q", got)
	}
	q.TimeOnly, q.Folder = false, "Kitchen"
	if got := sorted(both(t, v, x, q)); got != "Jam" {
		t.Errorf("%q", got)
	}
}

// Without words the newest come first, and no more than are wanted.
func TestOperatorsNewest(t *testing.T) {
	m := newMemory(nil)
	for i := range 3000 {
		m.put(fmt.Sprintf("n/%04d.md", i), fmt.Sprintf("line %d\nsame", i))
	}
	s := index.Searcher{Source: m}
	q, _, err := index.ParseQuery("/^same/", today)
	check(t, err)
	q.Limit = 2500
	hits, err := s.Search(t.Context(), q)
	if err != nil || len(hits) != 2500 {
		t.Fatalf("%d hits, %v", len(hits), err)
	}
	for i := 1; i < len(hits); i++ {
		a, _ := m.Note(hits[i-1].Path)
		b, _ := m.Note(hits[i].Path)
		if a.ModTime.Before(b.ModTime) {
			t.Fatalf("%s comes before %s, which is newer", a.Path, b.Path)
		}
	}
	if hits[0].Line != 2 || hits[0].Snippet != "same" {
		t.Errorf("%+v", hits[0])
	}
}

// A word that stands in more notes than are ranked at once is found in the few that
// a filter leaves, old as they may be.
func TestOperatorsAmongMany(t *testing.T) {
	m := newMemory(nil)
	for i := range 4500 {
		folder := "new"
		if i < 300 {
			folder = "archive"
		}
		m.put(fmt.Sprintf("%s/%04d.md", folder, i), fmt.Sprintf("harvest %d", i))
	}
	x, err := index.Open(t.Context(), index.Options{Dir: t.TempDir(), Vault: "m"})
	check(t, err)
	defer x.Close()
	check(t, x.Sync(t.Context(), m))
	q, _, err := index.ParseQuery("harvest path:archive", today)
	check(t, err)
	hits, err := index.Searcher{Source: m, Index: x}.Search(t.Context(), q)
	if err != nil || len(hits) != 20 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

func TestOperatorsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q, _, err := index.ParseQuery("/a/", today)
	check(t, err)
	if _, err := (index.Searcher{Source: generateNotes(50)}).Search(ctx, q); err == nil {
		t.Error("a search whose context ended answers")
	}
}

// Whatever is asked, there is an answer or one line, with an index and without.
func FuzzOperators(f *testing.F) {
	for _, s := range []string{"a -b", "line:(a OR -b)", "section:(line:x)", "task-todo:\"\"", "[size:>1] [date]", "block:/a/", "on:last week", "path:(-a)", "match-case:(x y)", "tag:/a/", "content:(line:-豆)", "-(-(-a))"} {
		f.Add(s)
	}
	m := generateNotes(40)
	m.put("Plan.md", garden)
	f.Fuzz(func(t *testing.T, text string) {
		q, _, err := index.ParseQuery(text, today)
		if err != nil {
			return
		}
		hits, err := index.Searcher{Source: m}.Search(t.Context(), q)
		if err != nil || len(hits) > 20 {
			t.Errorf("%q: %d hits, %v", text, len(hits), err)
		}
	})
}

// Letters that fold to those of ASCII are found as an expression finds them.
func TestExpressionsFold(t *testing.T) {
	m := newMemory(nil)
	m.put("a.md", "the ma\u017ft and 5 \u212aelvin")
	m.put("b.md", "the mast and 5 kelvin")
	for _, text := range []string{"/MAST and/", "/5 kelvin/"} {
		q, _, err := index.ParseQuery(text, today)
		check(t, err)
		hits, err := index.Searcher{Source: m}.Search(t.Context(), q)
		if err != nil || sorted(hits) != "a b" {
			t.Errorf("%s finds %q, %v", text, sorted(hits), err)
		}
	}
}

// However long a query is, there is an answer or one short line.
func TestOperatorsLong(t *testing.T) {
	m := generateNotes(60)
	for _, part := range []string{"ba ", "ba OR ", "\"ba be\" ", "-ba ", "(", "line:(", "[a:", "/a", "path:", "on:last week ", "tga:x ", "ba", "豆"} {
		q, told, err := index.ParseQuery(strings.Repeat(part, 10_000/len(part)), today)
		if err == nil {
			_, err2 := index.Searcher{Source: m}.Search(t.Context(), q)
			err = err2
			if err != nil {
				t.Errorf("%q…: %v", part, err)
			}
		} else if strings.Contains(err.Error(), "\n") || len(err.Error()) > 200 {
			t.Errorf("%q…: %v", part, err)
		}
		if all := strings.Join(told, ""); len(all) > 1000 {
			t.Errorf("%q… tells %d bytes", part, len(all))
		}
	}
}

// Words that stand in nearly all notes, and rare ones, in every place of a query: which
// of them the index is asked for does not change what is found.
func TestOperatorsRareAndCommon(t *testing.T) {
	var files strings.Builder
	for i := range 60 {
		text := fmt.Sprintf("# Harvest\n\nThe barn is full %d.\n", i)
		if i%20 == 3 {
			text += "- [ ] Sell the barn owl\n\nOwls and barns stay.\n"
		}
		if i%15 == 0 {
			text += "Heron at the pond.\n"
		}
		fmt.Fprintf(&files, "-- %02d note.md --\n%s", i, text)
	}
	v := vaulttest.Open(t, vaulttest.Dir(t, files.String()), vault.Options{})
	x := indexOf(t, v)
	for query, want := range map[string]string{
		"line:(barn owl)":                "03 23 43",
		"line:(owl -barn)":               "03 23 43",
		"section:(barn heron)":           "00 15 30 45",
		"section:(barn heron -owl)":      "00 15 30 45",
		"block:(barn OR heron) heron":    "00 15 30 45",
		"task:barn":                      "03 23 43",
		"line:(heron pond) -owl":         "00 15 30 45",
		"line:(heron OR owl) -heron":     "03 23 43",
		"section:(barn owl) OR \"pond\"": "00 03 15 23 30 43 45",
		"-line:(barn) heron":             "",
		"match-case:(barn Owls)":         "03 23 43",
		"line:(harvest -barn) \"heron\"": "00 15 30 45",
	} {
		q, _, err := index.ParseQuery(query, today)
		check(t, err)
		q.Limit = 100
		if got := sorted(both(t, v, x, q)); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
}

// A note that is too large to be read is found by its names, with an index, which then
// is up to date, and without.
func TestTooLarge(t *testing.T) {
	dir := vaulttest.Dir(t, "-- Orchard Book.md --\n"+strings.Repeat("walnut\n", 100)+"-- Small.md --\nwalnut\n")
	v := vaulttest.Open(t, dir, vault.Options{MaxNote: 100})
	x := indexOf(t, v)
	for query, want := range map[string]string{"orchard": "Orchard", "book -walnut": "Orchard", "walnut": "Small", "line:orchard": ""} {
		q, _, err := index.ParseQuery(query, today)
		check(t, err)
		if got := sorted(both(t, v, x, q)); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	if s, err := x.Status(t.Context(), v); err != nil || s.Notes != 2 || s.Behind != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// Words of operators are no slips: what is found holds them, or begins with them.
func TestMeantByOperators(t *testing.T) {
	m := newMemory(map[string]string{"a.md": "lanternfish by the river, a lanterm"})
	q, _, err := index.ParseQuery("line:(lantern river)", time.Now())
	check(t, err)
	for name, s := range searchers(t, m) {
		if hits := search(t, s, q); len(hits) != 1 || hits[0].Meant() != "" {
			t.Errorf("%s: %s, meant %q", name, paths(hits), hits[0].Meant())
		}
	}
}
