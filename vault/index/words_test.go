package index

import (
	"fmt"
	"strings"
	"testing"

	"ibid/vault"
)

// TestManyWords: of a text with more different words than any has, all are indexed, and no
// piece holds more than its share.
func TestManyWords(t *testing.T) {
	var text strings.Builder
	for i := range 1 << 18 {
		fmt.Fprintf(&text, "%x ", i)
	}
	text.WriteString("and the barn")
	w := &writer{words: map[string]bool{}}
	c := w.document("a.md", newPage(&vault.Text{Note: &vault.Note{}, Content: text.String()}))
	if last := c.pieces[len(c.pieces)-1]; !strings.HasSuffix(last, "and the barn ") {
		t.Errorf("at the end %q", last[max(len(last)-40, 0):])
	}
	for _, p := range c.pieces {
		if len(p) > 2*pieceRunes {
			t.Errorf("a piece of %d bytes", len(p))
		}
	}
}
