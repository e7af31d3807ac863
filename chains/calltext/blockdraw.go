package calltext

import (
	"slices"
	"strings"

	"ibid/vault/md"
)

// DrawBlocks returns a reply with each block that proposes a note replaced by a line.
func DrawBlocks(text string) string {
	r := NewBlockDrawer()
	return r.Write(text) + r.Close()
}

// NewBlockDrawer returns a reader that does what DrawBlocks does, for a reply that streams.
func NewBlockDrawer() *BlockReader { return &BlockReader{Draw: drawBlock} }

// drawBlock returns the line that replaces a block, or the raw text of an invalid one.
func drawBlock(a Block, raw string) string {
	if a.Err != "" {
		return raw
	}
	lines := strings.Count(strings.TrimSuffix(a.Content, "\n"), "\n") + 1
	return "> proposes to write [[" + strings.TrimSuffix(a.Path, ".md") + "]], " + md.Plural(lines, "line") + "\n"
}

// WithoutBlocks returns a text without the blocks that propose a note.
func WithoutBlocks(text string) string {
	for _, b := range slices.Backward(Blocks(text)) {
		if b.Err == "" {
			text = strings.TrimLeft(strings.TrimRight(text[:b.From], "\n")+"\n\n"+
				strings.TrimLeft(text[b.To:], "\n"), "\n")
		}
	}
	return text
}
