package query

import (
	"context"
	"strings"

	"ibid/vault/md"
)

// Block is a query in a note.
type Block struct {
	Base bool   // of the kind base, otherwise dataview
	Text string // text between the fences
}

// Blocks returns the queries in text: code blocks of the kinds dataview and base.
func Blocks(text string) []Block {
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

// Answer answers a block, with one table for each view of a base, or one for a query.
func (e *Engine) Answer(ctx context.Context, b Block, ask Ask) ([]Table, error) {
	if b.Base {
		base, err := ParseBase(b.Text)
		if err != nil {
			return nil, err
		}
		return e.RunBase(ctx, base, ask)
	}
	q, err := Parse(b.Text)
	if err != nil {
		return nil, err
	}
	res, err := e.Run(ctx, q, ask)
	if err != nil {
		return nil, err
	}
	return []Table{{Result: res}}, nil
}

// Markdown returns the tables one below the other, each with its name and at most most rows.
func Markdown(tables []Table, most int) string {
	var b strings.Builder
	for i, t := range tables {
		if i > 0 {
			b.WriteString("\n")
		}
		if t.Name != "" {
			b.WriteString("### " + cleanText(t.Name) + "\n\n")
		}
		if t.Err != nil {
			b.WriteString("No answer: " + cleanText(strings.TrimPrefix(t.Err.Error(), "query: ")) + "\n")
			continue
		}
		b.WriteString(t.Result.Markdown(most))
	}
	return b.String()
}
