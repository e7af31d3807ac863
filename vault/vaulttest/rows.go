package vaulttest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Rows reads a table of testdata: a row a line, of so many cells with "⇒" between them.
// A cell in quotes is a text as Go writes it; one that is missing is empty. Blank lines
// and those that begin with // say nothing.
func Rows(t testing.TB, name string, cells int) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		row := make([]string, cells)
		for i, cell := range strings.Split(line, "⇒") {
			row[i] = strings.TrimSpace(cell)
			if text, err := strconv.Unquote(row[i]); err == nil && row[i][0] == '"' {
				row[i] = text
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	return rows
}
