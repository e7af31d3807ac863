package index_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// judgedQuery is a query with a person's grades of notes: 3 for the note that was meant, 2 for a
// good part of the answer, 1 for a related note.
type judgedQuery struct {
	kind, query string
	grades      map[string]int // by path or file name, without .md
}

// readJudgedQueries reads a file of testdata/quality.
func readJudgedQueries(t testing.TB, name string) []judgedQuery {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "quality", name))
	check(t, err)
	var all []judgedQuery
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case line[0] >= '1' && line[0] <= '3' && line[1] == ' ':
			all[len(all)-1].grades[line[2:]] = int(line[0] - '0')
		default:
			kind, query, ok := strings.Cut(line, ": ")
			if !ok {
				t.Fatalf("%s: %q is neither a query nor a grade", name, line)
			}
			all = append(all, judgedQuery{kind, query, map[string]int{}})
		}
	}
	return all
}

// grade returns the grade of a note by its path or its file name.
func (j *judgedQuery) grade(p string) int {
	p = strings.TrimSuffix(p, ".md")
	return max(j.grades[p], j.grades[path.Base(p)])
}

// quality is the quality of the answers to judged queries, each measure from 0 to 1.
type quality struct {
	ndcg, recall, mrr float64
	queries           int
}

// best is the number of hits of an answer that count.
const best = 10

// add adds the answer to a query. A note gains 2^grade-1, less if its rank is lower.
func (q *quality) add(j *judgedQuery, found []string) {
	found = found[:min(len(found), best)]
	gain := func(grade, rank int) float64 { return (math.Exp2(float64(grade)) - 1) / math.Log2(float64(rank+2)) }
	got, ideal, seen, first := 0.0, 0.0, 0, 0.0
	for i, p := range found {
		if g := j.grade(p); g > 0 {
			got += gain(g, i)
			seen++
			if first == 0 && g >= 2 {
				first = 1 / float64(i+1)
			}
		}
	}
	grades := slices.Sorted(maps.Values(j.grades))
	slices.Reverse(grades)
	for i, g := range grades[:min(len(grades), best)] {
		ideal += gain(g, i)
	}
	q.ndcg += got / ideal
	q.recall += float64(seen) / float64(min(len(grades), best))
	q.mrr += first
	q.queries++
}

func (q quality) mean() quality {
	n := float64(q.queries)
	return quality{q.ndcg / n, q.recall / n, q.mrr / n, q.queries}
}

func (q quality) String() string {
	return fmt.Sprintf("nDCG@%d %.3f, recall@%d %.3f, MRR %.3f of %d queries", best, q.ndcg, best, q.recall, q.mrr, q.queries)
}

// way is a search: it returns paths of notes, best first.
type way func(query string) []string

// ways returns the searches to compare: that of ibid with and without its index, and a plain
// table.
func ways(t testing.TB, src index.Source) map[string]way {
	t.Helper()
	m := map[string]way{"plain": plainFTS(t, src)}
	for name, s := range searchers(t, src) {
		m[name] = func(query string) []string {
			return strings.Split(pathLines(search(t, s, index.Query{Text: query, Limit: best})), "\n")
		}
	}
	return m
}

func pathLines(hits []index.Hit) string {
	var list []string
	for _, h := range hits {
		list = append(list, string(h.Path))
	}
	return strings.Join(list, "\n")
}

// rate measures a search by the queries that pass.
func rate(w way, queries []judgedQuery, pass func(j *judgedQuery) bool) quality {
	var all quality
	for i := range queries {
		if j := &queries[i]; pass(j) {
			all.add(j, w(j.query))
		}
	}
	return all.mean()
}

// judgedVaults returns the vaults with judged queries.
func judgedVaults(t testing.TB) map[string]index.Source {
	t.Helper()
	archive, err := os.ReadFile(filepath.Join("testdata", "quality", "vault.txtar"))
	check(t, err)
	m := map[string]index.Source{"judged": vaulttest.New(t, string(archive))}
	for file, name := range map[string]string{"kepano": "kepano", "garden": "knowledge-garden"} {
		if dir := vaulttest.Shared(t, "vaults/"+name); dir != "" {
			home := t.TempDir()
			check(t, os.CopyFS(home, os.DirFS(dir)))
			m[file] = vaulttest.Open(t, home, vault.Options{})
		}
	}
	return m
}

// TestJudgedNotesExist: every judged note exists.
func TestJudgedNotesExist(t *testing.T) {
	for file, src := range judgedVaults(t) {
		names := map[string]bool{}
		for _, n := range src.Notes() {
			p := strings.TrimSuffix(string(n.Path), ".md")
			names[p], names[path.Base(p)] = true, true
		}
		for _, j := range readJudgedQueries(t, file+".txt") {
			if len(j.grades) == 0 {
				t.Errorf("%s: nothing answers %q", file, j.query)
			}
			for name := range j.grades {
				if !names[name] {
					t.Errorf("%s: no note %q", file, name)
				}
			}
		}
	}
}

// TestQuality: the search finds the notes that a person looks for, and more of them than a
// plain FTS5 table finds.
func TestQuality(t *testing.T) {
	for file, src := range judgedVaults(t) {
		queries := readJudgedQueries(t, file+".txt")
		ways := ways(t, src)
		plain := rate(ways["plain"], queries, func(*judgedQuery) bool { return true })
		t.Logf("%s, plain FTS5: %v", file, plain)
		for _, name := range []string{"index", "scan"} {
			if name == "scan" && len(src.Notes()) > 1000 {
				continue // it reads them all for every query
			}
			got := rate(ways[name], queries, func(j *judgedQuery) bool { return name == "index" || j.kind != "typo" })
			t.Logf("%s, %s: %v", file, name, got)
			if got.ndcg < plain.ndcg || file == "judged" && got.ndcg < 0.9 {
				t.Errorf("%s, %s: %v; plain FTS5 has %v", file, name, got, plain)
			}
			if name == "index" && file != "judged" {
				t.Logf("shared: %d queries judged over %s: nDCG@%d %.3f, of plain FTS5 %.3f", len(queries), file, best, got.ndcg, plain.ndcg)
			}
		}
	}
}

// plainFTS is a search in a plain FTS5 table of SQLite: one row per note, ibid's weights,
// matches of all words before others. Runs of Han and kana are cut into pairs; without them it
// would find nothing in such texts.
func plainFTS(t testing.TB, src index.Source) way {
	t.Helper()
	db := plainTable(t, src)
	return func(query string) []string {
		var words []string
		for _, w := range strings.FieldsFunc(paired(query), notInWord) {
			words = append(words, `"`+w+`"`)
		}
		var found []string
		for _, operator := range []string{" AND ", " OR "} {
			rows, err := db.QueryContext(context.WithoutCancel(t.Context()), "SELECT path FROM plain JOIN paths ON paths.rowid = plain.rowid WHERE plain MATCH ? ORDER BY rank LIMIT 10", strings.Join(words, operator))
			check(t, err)
			for rows.Next() {
				var p string
				check(t, rows.Scan(&p))
				if !slices.Contains(found, p) {
					found = append(found, p)
				}
			}
			check(t, rows.Err())
		}
		return found
	}
}

// plainTable builds a table in a file, since an index is in a file too.
func plainTable(t testing.TB, src index.Source) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(t.TempDir(), "plain.sqlite"))+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	check(t, err)
	t.Cleanup(func() { _ = db.Close() })
	exec := func(db interface {
		Exec(string, ...any) (sql.Result, error)
	}, statement string, args ...any,
	) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(db, "CREATE VIRTUAL TABLE plain USING fts5(title, headings, tags, body, content='')")
	exec(db, "CREATE TABLE paths (path TEXT)")
	exec(db, "INSERT INTO plain(plain, rank) VALUES ('rank', 'bm25(10.0, 4.0, 5.0, 1.0)')")
	tx, err := db.Begin()
	check(t, err)
	for i, n := range src.Notes() {
		text, err := src.Read(n.Path)
		if err != nil {
			continue
		}
		title, headings := strings.Join(append(n.Aliases[:len(n.Aliases):len(n.Aliases)], n.Title, n.Path.Base()), "\n"), ""
		for _, h := range n.Headings {
			headings += h.Text + "\n"
		}
		exec(tx, "INSERT INTO paths(rowid, path) VALUES (?, ?)", i, n.Path)
		exec(tx, "INSERT INTO plain(rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)",
			i, paired(title), paired(headings), paired(strings.Join(n.Tags, "\n")), paired(text.Content))
	}
	check(t, tx.Commit())
	return db
}

// paired cuts runs of Han and kana into overlapping pairs.
func paired(s string) string {
	dense := func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }
	if !strings.ContainsFunc(s, dense) {
		return s
	}
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		if !dense(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(" " + string(r))
		if i+1 < len(runes) && dense(runes[i+1]) {
			b.WriteRune(runes[i+1])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}
