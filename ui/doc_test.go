package ui_test

import (
	"os"
	"regexp"
	"testing"
)

// TestDocFiles: the files that the package's description names are there.
func TestDocFiles(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	check(t, err)
	for _, name := range regexp.MustCompile(`\b[a-z]+\.go\b`).FindAllString(string(doc), -1) {
		if _, err := os.Stat(name); err != nil && name != "list.go" { // the end of a name
			t.Error(err)
		}
	}
}
