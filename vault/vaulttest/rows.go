package vaulttest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Rows reads a table of testdata: one row per line, of cells separated by "⇒". A cell in quotes is a Go string;
// missing cells are empty. Blank lines and lines that begin with // are ignored.
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
