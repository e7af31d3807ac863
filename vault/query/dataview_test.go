package query_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/query"
	"ibid/vault/vaulttest"
)

// otherRows are the queries whose rows differ from those of dataview, each with the reason. Where that is the order, the
// rows themselves are compared.
var otherRows = map[string]string{
	`LIST FROM [[ACCESS 笔记组织法]] SORT file.path`:                           "order: of pictures",
	`TABLE file.etags FROM "🧰 本库指南" SORT file.path LIMIT 20`:              "order: of pictures, and of tags that stand in the text and in the property",
	`LIST WHERE icontains(file.name, "OBSIDIAN") SORT file.name LIMIT 40`: "order: of Han characters by radicals",
	`TABLE date(2024-02-29) + dur(1 month) AS a, date(2024-03-31) - date(2024-03-01) AS b, ` +
		`dur(90 minutes) AS c FROM "Daily" LIMIT 1`: "the difference of dates is a number of days",
}

// TestSharedRows asks what was asked of dataview itself, and wants the same rows.
func TestSharedRows(t *testing.T) {
	name := vaulttest.Shared(t, "cases/dataview.json")
	if name == "" {
		t.Skip("IBID_SHARED is not set")
	}
	data, err := os.ReadFile(name)
	check(t, err)
	var file struct {
		Cases []struct {
			Vault, Query string
			Rows         []any
		}
	}
	check(t, json.Unmarshal(data, &file))
	engines := map[string]*query.Engine{}
	for _, c := range file.Cases {
		if engines[c.Vault] == nil {
			v := vaulttest.Open(t, vaulttest.Shared(t, "vaults/"+c.Vault), vault.Options{})
			engines[c.Vault] = query.New(v)
		}
		reason := otherRows[c.Query]
		if reason != "" && !strings.HasPrefix(reason, "order") {
			continue
		}
		got, want := rowsAsJSON(t, engines[c.Vault], c.Query), make([]string, len(c.Rows))
		for i, row := range c.Rows {
			if _, one := row.(string); one {
				row = []any{row}
			}
			want[i] = asJSON(row)
		}
		if reason != "" {
			got, want = inAnyOrder(got), inAnyOrder(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s\nis\n%s\nwant\n%s", c.Vault, c.Query, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	t.Logf("shared: %d queries with the rows of dataview", len(file.Cases))
}

// inAnyOrder sorts rows, and what is in them.
func inAnyOrder(rows []string) (sorted []string) {
	for _, row := range rows {
		parts := strings.Split(row, `"`)
		slices.Sort(parts)
		sorted = append(sorted, strings.Join(parts, `"`))
	}
	slices.Sort(sorted)
	return sorted
}

// rowsAsJSON returns the rows of a query's answer; those of tasks without their note.
func rowsAsJSON(t *testing.T, e *query.Engine, text string) (rows []string) {
	t.Helper()
	tables, err := e.Answer(t.Context(), query.Block{Text: text}, query.Ask{Now: now()})
	if err != nil {
		t.Errorf("%s\n%v", text, err)
		return nil
	}
	var result struct {
		Type string
		Rows [][]any
	}
	check(t, json.Unmarshal([]byte(asJSON(tables[0].Result)), &result))
	for _, row := range result.Rows {
		if result.Type == "TASK" {
			row[0] = nil
		}
		rows = append(rows, asJSON(row))
	}
	return rows
}
