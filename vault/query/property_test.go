package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/vault/query"
	"ibid/vault/vaulttest"
)

// plainNote is a note as the simple evaluator of the tests knows it.
type plainNote struct {
	path string
	rank *int
	kind string // "" for none
	tags []string
}

func (n plainNote) text() string {
	var b strings.Builder
	b.WriteString("---\n")
	if n.rank != nil {
		fmt.Fprintf(&b, "rank: %d\n", *n.rank)
	}
	b.WriteString("---\n")
	if n.kind != "" {
		fmt.Fprintf(&b, "kind:: %s\n", n.kind)
	}
	for _, tag := range n.tags {
		b.WriteString("#" + tag + " ")
	}
	return b.String()
}

// simpleQuery is a query with a simple statement of its meaning.
type simpleQuery struct {
	text string
	keep func(n plainNote) bool
}

func genNotes(t *rapid.T) []plainNote {
	count := rapid.IntRange(0, 12).Draw(t, "notes")
	notes := make([]plainNote, count)
	for i := range notes {
		n := &notes[i]
		n.path = fmt.Sprintf("%s/n%02d.md", rapid.SampledFrom([]string{"a", "b", "a/c"}).Draw(t, "folder"), i)
		if rapid.Bool().Draw(t, "ranked") {
			rank := rapid.IntRange(-3, 3).Draw(t, "rank")
			n.rank = &rank
		}
		n.kind = rapid.SampledFrom([]string{"", "oak", "elm", "ash"}).Draw(t, "kind")
		n.tags = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "x/z"}), 0, 2, rapid.ID).Draw(t, "tags")
	}
	slices.SortFunc(notes, func(a, b plainNote) int { return strings.Compare(a.path, b.path) })
	return notes
}

func genSource(t *rapid.T, depth int) simpleQuery {
	switch kind := rapid.IntRange(0, 4).Draw(t, "source"); {
	case kind == 0 && depth > 0:
		of := genSource(t, depth-1)
		return simpleQuery{"-(" + of.text + ")", func(n plainNote) bool { return !of.keep(n) }}
	case kind == 1 && depth > 0:
		a, b := genSource(t, depth-1), genSource(t, depth-1)
		return simpleQuery{"(" + a.text + " and " + b.text + ")", func(n plainNote) bool { return a.keep(n) && b.keep(n) }}
	case kind == 2 && depth > 0:
		a, b := genSource(t, depth-1), genSource(t, depth-1)
		return simpleQuery{"(" + a.text + " or " + b.text + ")", func(n plainNote) bool { return a.keep(n) || b.keep(n) }}
	case kind == 3:
		folder := rapid.SampledFrom([]string{"a", "b", "a/c", "d"}).Draw(t, "in")
		return simpleQuery{strconv.Quote(folder), func(n plainNote) bool { return strings.HasPrefix(n.path, folder+"/") }}
	}
	tag := rapid.SampledFrom([]string{"x", "y", "x/z"}).Draw(t, "tag")
	return simpleQuery{"#" + tag, func(n plainNote) bool {
		return slices.ContainsFunc(n.tags, func(own string) bool { return own == tag || strings.HasPrefix(own, tag+"/") })
	}}
}

func genWhere(t *rapid.T, depth int) simpleQuery {
	switch kind := rapid.IntRange(0, 4).Draw(t, "where"); {
	case kind == 0 && depth > 0:
		a, b := genWhere(t, depth-1), genWhere(t, depth-1)
		return simpleQuery{"(" + a.text + " and " + b.text + ")", func(n plainNote) bool { return a.keep(n) && b.keep(n) }}
	case kind == 1 && depth > 0:
		a, b := genWhere(t, depth-1), genWhere(t, depth-1)
		return simpleQuery{"(" + a.text + " or " + b.text + ")", func(n plainNote) bool { return a.keep(n) || b.keep(n) }}
	case kind == 2 && depth > 0:
		a := genWhere(t, depth-1)
		return simpleQuery{"!(" + a.text + ")", func(n plainNote) bool { return !a.keep(n) }}
	case kind == 3:
		want := rapid.SampledFrom([]string{"oak", "elm", "fir"}).Draw(t, "is")
		return simpleQuery{"kind = " + strconv.Quote(want), func(n plainNote) bool { return n.kind == want }}
	}
	limit := rapid.IntRange(-3, 3).Draw(t, "than")
	return simpleQuery{"rank < " + strconv.Itoa(limit), func(n plainNote) bool { return n.rank == nil || *n.rank < limit }}
}

// before orders notes by rank, those without one first.
func before(a, b plainNote) int {
	switch {
	case a.rank == nil && b.rank == nil:
		return 0
	case a.rank == nil:
		return -1
	case b.rank == nil:
		return 1
	}
	return *a.rank - *b.rank
}

// TestSimple compares queries over vaults made by chance with an evaluator that does one
// thing after the other.
func TestSimple(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		notes := genNotes(rt)
		var archive strings.Builder
		for _, n := range notes {
			fmt.Fprintf(&archive, "-- %s --\n%s\n", n.path, n.text())
		}
		v := vaulttest.New(t, archive.String())
		e := query.New(v)
		for range 4 {
			text, want := genQuery(rt, notes)
			q, err := query.Parse(text)
			if err != nil {
				rt.Fatalf("%s: %v", text, err)
			}
			res, err := e.Run(context.Background(), q, query.Ask{Now: now()})
			if err != nil {
				rt.Fatalf("%s: %v", text, err)
			}
			got, err := json.Marshal(res)
			check(rt, err)
			if !strings.HasSuffix(string(got), `"rows":`+want+`}`) {
				rt.Fatalf("%s\nis %s\nwant %s", text, got, want)
			}
		}
	})
}

// genQuery draws a query, and its rows as JSON.
func genQuery(t *rapid.T, notes []plainNote) (text, want string) {
	source, where := genSource(t, 2), genWhere(t, 2)
	var kept []plainNote
	for _, n := range notes {
		if source.keep(n) && where.keep(n) {
			kept = append(kept, n)
		}
	}
	text = "FROM " + source.text + " WHERE " + where.text
	if rapid.Bool().Draw(t, "grouped") {
		return "LIST length(rows) " + text + " GROUP BY kind", grouped(kept)
	}
	if rapid.Bool().Draw(t, "sorted") {
		slices.SortStableFunc(kept, func(a, b plainNote) int { return before(b, a) })
		text += " SORT rank DESC"
	}
	limit := rapid.IntRange(0, 5).Draw(t, "limit")
	kept = kept[:min(limit, len(kept))]
	rows := [][]any{}
	for _, n := range kept {
		var rank any
		if n.rank != nil {
			rank = *n.rank
		}
		rows = append(rows, []any{"[[" + strings.TrimSuffix(n.path, ".md") + "]]", rank})
	}
	return "TABLE rank " + text + " LIMIT " + strconv.Itoa(limit), asJSON(rows)
}

// grouped counts notes by their kind.
func grouped(notes []plainNote) string {
	rows := [][]any{}
	for _, kind := range []string{"", "ash", "elm", "oak"} {
		n := 0
		for _, note := range notes {
			if note.kind == kind {
				n++
			}
		}
		var key any = kind
		if kind == "" {
			key = nil
		}
		if n > 0 {
			rows = append(rows, []any{key, n})
		}
	}
	return asJSON(rows)
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// FuzzQuery holds that no text makes a query panic, or run on.
func FuzzQuery(f *testing.F) {
	for _, text := range []string{
		`LIST FROM #x and -"a" WHERE file.name != "b" SORT file.mtime DESC LIMIT 3`,
		`TABLE WITHOUT ID a.b[0] AS "c", sum(map(rows.x, (y) => y * 2)) FROM outgoing([[d#e|f]]) GROUP BY g FLATTEN h`,
		`TASK WHERE due <= date(today) + dur(1 week) and !completed`,
		"LIST regexreplace(file.name, \"(\", \"$1\") + date(0000-01-01) - dur(9999999999999999 years)",
		"LIST dateformat(date(9999-12-31) + dur(1e9 days), \"yyyy\")",
		"filters: {and: [\"a.b(c) > 1\", {not: [\"!d\"]}]}\nviews: [{type: table, order: [formula.x]}]\nformulas: {x: \"if(1, list(2)[0], now() - '1M')\"}",
	} {
		f.Add(text)
	}
	e := query.New(testVault(f))
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), vaulttestPatience)
		defer cancel()
		ask := query.Ask{Now: now(), Origin: "Index.md"}
		for _, base := range []bool{false, true} {
			if tables, err := e.Answer(ctx, query.Block{Base: base, Text: text}, ask); err == nil {
				query.Markdown(tables, 10)
			}
		}
	})
}
