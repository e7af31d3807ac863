package calltext

import (
	"slices"
	"strings"

	"ibid/vault/md"
)

// DrawBlocks is a reply in which the blocks that propose to write a note are a line
// each.
func DrawBlocks(text string) string {
	r := NewBlockDrawer()
	return r.Write(text) + r.Close()
}

// BlockDrawer is DrawBlocks for a reply that streams.
type BlockDrawer struct{ BlockReader }

// NewBlockDrawer returns a reader of a reply that has not begun.
func NewBlockDrawer() *BlockDrawer {
	return &BlockDrawer{BlockReader{Draw: drawBlock}}
}

// Writing says what note a block is being written for, "" if none is.
func (r *BlockDrawer) Writing() string {
	path, lines, open := r.BlockReader.Writing()
	switch {
	case !open:
		return ""
	case path == "":
		return "writing a note"
	}
	return "writing " + path + ", " + md.Plural(lines, "line") + " so far"
}

// drawBlock is the line that stands for a block.
func drawBlock(a Block, raw string) string {
	if a.Err != "" {
		return raw
	}
	lines := strings.Count(strings.TrimSuffix(a.Content, "\n"), "\n") + 1
	return "> proposes to write [[" + strings.TrimSuffix(a.Path, ".md") + "]], " + md.Plural(lines, "line") + "\n"
}

// WithoutBlocks is a text without the blocks that propose something.
func WithoutBlocks(text string) string {
	for _, b := range slices.Backward(Blocks(text)) {
		if b.Err == "" {
			text = strings.TrimLeft(strings.TrimRight(text[:b.From], "\n")+"\n\n"+strings.TrimLeft(text[b.To:], "\n"), "\n")
		}
	}
	return text
}
