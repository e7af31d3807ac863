package query

import (
	"strings"

	"ibid/vault/md"
)

// Block is a query that stands in a note.
type Block struct {
	Base bool   // of the kind base, else dataview
	Text string // between the fences
}

// Blocks finds the queries in a text: blocks of code of the kinds dataview and base.
func Blocks(text string) []Block {
	if !strings.Contains(text, "dataview") && !strings.Contains(text, "base") {
		return nil
	}
	var all []Block
	for _, c := range md.CodeBlocks(text) {
		kind, _, _ := strings.Cut(c.Info, " ")
		switch strings.ToLower(kind) {
		case "dataview":
			all = append(all, Block{Text: c.Text})
		case "base":
			all = append(all, Block{Base: true, Text: c.Text})
		}
	}
	return all
}
