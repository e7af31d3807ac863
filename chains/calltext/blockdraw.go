package calltext

import (
	"regexp"
	"strings"

	"ibid/vault/md"
)

// DrawBlocks returns a reply with each block that proposes a note replaced by a line.
func DrawBlocks(text string) string { return replaceBlocks(text, drawBlock) }

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

// removed matches the place of a block, which is a zero byte until it is removed, with the line ends around it.
var removed = regexp.MustCompile(`\n*\x00\n*`)

// WithoutBlocks returns a text without the blocks that propose a note.
func WithoutBlocks(text string) string {
	text = replaceBlocks(text, func(b Block, raw string) string {
		if b.Err != "" {
			return raw
		}
		return "\x00"
	})
	return strings.TrimLeft(removed.ReplaceAllString(text, "\n\n"), "\n")
}
