package query_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"ibid/vault"
	"ibid/vault/query"
	"ibid/vault/vaulttest"
)

// check fails the test if there is an error.
func check(t interface {
	Helper()
	Fatal(args ...any)
}, err error,
) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var update = flag.Bool("update", false, "write the answers of the queries in testdata, to be looked at")

// now is the clock of the tests: a Sunday.
func now() time.Time { return time.Date(2026, 3, 15, 10, 0, 0, 0, time.UTC) }

// testVault returns the vault in testdata. Its files have times on the days before now, one day
// apart.
func testVault(t testing.TB) *vault.Vault {
	t.Helper()
	data, err := os.ReadFile("testdata/vault.txtar")
	check(t, err)
	dir := vaulttest.Dir(t, string(data))
	for i, f := range txtar.Parse(data).Files {
		at := now().AddDate(0, 0, -i)
		check(t, os.Chtimes(filepath.Join(dir, filepath.FromSlash(f.Name)), at, at))
	}
	return vaulttest.Open(t, dir, vault.Options{})
}

// answer returns the answer to a query in the note Index, or the error.
func answer(e *query.Engine, text string) string {
	ask := query.Ask{Now: now(), Origin: "Index.md"}
	tables, err := e.Answer(context.Background(), query.Block{Base: strings.Contains(text, "views:"), Text: text}, ask)
	if err != nil {
		return err.Error() + "\n"
	}
	return query.Markdown(tables, 200)
}

// TestQueries runs the queries of testdata, whose answers were worked out by hand.
func TestQueries(t *testing.T) {
	e := query.New(testVault(t))
	names, err := filepath.Glob("testdata/*.queries")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		check(t, err)
		for i, f := range archive.Files {
			text, want, ok := strings.Cut(string(f.Data), "=>\n")
			if !ok {
				want = ""
			}
			got := answer(e, strings.TrimSuffix(text, "\n"))
			if *update {
				archive.Files[i].Data = []byte(text + "=>\n" + got)
			} else if got != want {
				t.Errorf("%s %s:\n%s\nis\n%s\nwant\n%s", name, f.Name, text, got, want)
			}
		}
		if *update {
			check(t, os.WriteFile(name, txtar.Format(archive), 0o644))
		}
	}
}

// TestErrors: the error for something unsupported names the word at which the query stopped.
func TestErrors(t *testing.T) {
	e := query.New(testVault(t))
	for text, word := range map[string]string{
		`CALENDAR file.ctime`:                            "CALENDAR",
		`LIST FROM csv("a.csv")`:                         "csv",
		`LIST FROM books`:                                "books",
		`LIST WHERE foo(rating)`:                         "foo",
		`LIST WHERE -rating`:                             "-rating",
		`TABLE a b`:                                      "b",
		`LIST FROM "books" WHERE rating > "x`:            `"x`,
		`LIST FROM "books" FROM "people"`:                "FROM",
		`LIST FROM [[Nobody]]`:                           "[[Nobody]]",
		`LIST FROM [[Diary]]`:                            "[[Diary]]",
		`LIST WHERE regextest("(?=a)", file.name)`:       "(?=a)",
		`LIST dateformat(file.mtime, "yyyy-ww")`:         "ww",
		`LIST LIMIT "three"`:                             "LIMIT",
		`LIST WHERE rating - "x" > 1`:                    "WHERE",
		`LIST WHERE file.starred`:                        "file.starred",
		`LIST rows.file.cssclasses GROUP BY file.folder`: "file.cssclasses",
		`SELECT * FROM notes`:                            "SELECT",
		``:                                               "end of the query",
		`LIST FROM #`:                                    "end of the query",
		`LIST WHERE (rating > 1`:                         "end of the query",
		"$= dv.pages()":                                  "$=",
		`LIST ` + strings.Repeat("(", 10_000) + "1":      "(",
		`LIST ` + strings.Repeat("!", 10_000) + "1":      "!",
		`LIST FROM ` + strings.Repeat("-", 9000):         "-",
		`LIST "` + strings.Repeat("a", 200_000) + `"`:    "",
	} {
		var wrong *query.Error
		q, err := query.Parse(text)
		if err == nil {
			_, err = e.Run(context.Background(), q, query.Ask{Now: now()})
		}
		if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Word, word) {
			t.Errorf("%.60s: the error is %v, want one at %q", text, err, word)
		}
	}
}

// TestBounds: a query that grows without end is stopped with an error.
func TestBounds(t *testing.T) {
	e := query.New(testVault(t))
	for _, text := range []string{
		`LIST` + strings.Repeat("\nFLATTEN list(1,2,3,4,5,6,7,8,9,10) AS x", 6),
		`LIST "ab" * 1000000`,
		`LIST ` + strings.Repeat(`replace(`, 8) + `"aaaaaaaaaa"` + strings.Repeat(`, "a", "aaaaaaaaaa")`, 8),
		`LIST ` + strings.Repeat(`map([`, 60) + `1` + strings.Repeat(`], (x) => [x, x])`, 60),
		`LIST [1]` + strings.Repeat(` + "x" * 900000`, 3),
	} {
		q, err := query.Parse(text)
		if err == nil {
			_, err = e.Run(context.Background(), q, query.Ask{Now: now()})
		}
		var wrong *query.Error
		if !errors.As(err, &wrong) || wrong.Word == "" {
			t.Errorf("%.60s: %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q, err := query.Parse("LIST WHERE rating")
	if err == nil {
		_, err = e.Run(ctx, q, query.Ask{Now: now()})
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestValues evaluates the expressions of testdata.
func TestValues(t *testing.T) {
	e := query.New(testVault(t))
	const name = "testdata/values.txt"
	data, err := os.ReadFile(name)
	check(t, err)
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		expr, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  => ")
		if expr == "" || strings.HasPrefix(expr, "#") {
			out.WriteString(line)
			continue
		}
		got := strings.TrimPrefix(strings.TrimSpace(answer(e, "LIST WITHOUT ID "+expr+"\nWHERE file.name = \"Index\"")), "- ")
		out.WriteString(expr + "  => " + got + "\n")
		if got != want && !*update {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
	if *update {
		check(t, os.WriteFile(name, []byte(out.String()), 0o644))
	}
}

// TestAsObsidian checks cases whose results in Obsidian and Dataview are surprising.
func TestAsObsidian(t *testing.T) {
	e := query.New(vaulttest.New(t, `-- a/One.md --
---
tags: [sea side, "#tea/green"]
---
#tea #sea [[Two]] ![[Two]] [[Two|2]] [[Two]] <https://example.org>

- first
 - beside it
	- below beside
    	  - goes on
- [ ] do [[Two]] ![[Two]] [[One]]
-- b/Two.md --
---
tags: plain
rank: "7"
---
-- 🌊 b.md --
-- 🌊 a.md --
-- 🦄.md --
-- Part 10.md --
-- Part 9.md --
-- _draft.md --
`))
	for text, want := range map[string]string{
		`LIST SORT file.name`: "- [[_draft]]\n- [[🌊 a]]\n- [[🌊 b]]\n- [[🦄]]\n- [[a/One]]\n- [[Part 9]]\n- [[Part 10]]\n- [[b/Two]]\n",
		`LIST file.outlinks FROM "a"`: "- [[a/One]]: [[b/Two]], [[b/Two|2]], [[b/Two]], [[b/Two]], [[a/One]], " +
			"![[b/Two]], ![[b/Two]]\n",
		`LIST file.etags FROM #side`:     "- [[a/One]]: #tea, #sea, #side, #tea/green\n",
		`LIST file.tags FROM #tea/green`: "- [[a/One]]: #tea, #sea, #side, #tea/green\n",
		`LIST WITHOUT ID L.text + " " + L.parent FROM "a" FLATTEN file.lists AS L`: "- first -\n" +
			"- beside it -\n- below beside - goes on 6\n- do [[Two]] ![[Two]] [[One]] -\n",
		`LIST t.outlinks FROM "a" FLATTEN file.tasks AS t`: "- [[a/One]]: [[b/Two]], [[a/One]], ![[b/Two]]\n",
		`LIST "7" * 2 FROM "b"`:                            "- [[b/Two]]: 77\n",
		"filters: 'file.tags.contains(\"tea\") || file.tags.contains(\"#plain\")'\nformulas: {twice: '\"7\" * 2 + rank * 2'}\n" +
			"views: [{type: table, order: [file.tags, formula.twice]}]": "### table\n\n| tags | twice |\n| --- | --- |\n" +
			"| #tea/green, #tea, #sea | - |\n| #plain | 28 |\n",
	} {
		if got := answer(e, text); got != want {
			t.Errorf("%s\nis\n%s\nwant\n%s", text, got, want)
		}
	}
}
