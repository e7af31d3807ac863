package edit

import (
	"cmp"
	"fmt"
	"strings"
)

// Unified returns the change as a unified diff of the file name; isNew says that the file does not exist yet.
// It is for display: its line ends are not those of the text.
func (c *Change) Unified(name string, isNew bool) string {
	if len(c.Hunks) == 0 {
		return ""
	}
	var b strings.Builder
	old := "a/" + name
	if isNew {
		old = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ b/%s\n", old, name)
	for i := range c.Hunks {
		b.WriteString(c.Hunks[i].Unified())
	}
	return b.String()
}

// Unified returns the hunk in the format of a unified diff.
func (h *Hunk) Unified() string {
	var b strings.Builder
	old, now := h.lineRange(Removed), h.lineRange(Added)
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", old, now)
	for i := range h.Lines {
		l := &h.Lines[i]
		b.WriteByte(" -+"[l.Kind])
		b.WriteString(l.Text + "\n")
		if l.NoEnd {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
	return b.String()
}

// lineRange returns the range of the hunk's lines before (Removed) or after (Added) the change.
func (h *Hunk) lineRange(kind Kind) string {
	first, n := 0, 0
	for i := range h.Lines {
		l := &h.Lines[i]
		at := l.Old
		if kind == Added {
			at = l.New
		}
		if at > 0 {
			first = cmp.Or(first, at)
			n++
		}
	}
	if n == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, n)
}
