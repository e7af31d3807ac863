package edit

import (
	"fmt"
	"strings"
)

// Unified is the change as a unified diff of the file name; isNew says that there is
// no such file yet. It is for people: line ends are those of the diff, not of the text.
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

// Unified is the hunk as it stands in a unified diff.
func (h *Hunk) Unified() string {
	var b strings.Builder
	old, now := h.side(Removed), h.side(Added)
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

// side is the range of the lines that the hunk has before (Removed) or after (Added).
func (h *Hunk) side(kind Kind) string {
	first, n := 0, 0
	for i := range h.Lines {
		l := &h.Lines[i]
		at := l.Old
		if kind == Added {
			at = l.New
		}
		if l.Kind != Same && l.Kind != kind {
			continue
		}
		if first == 0 {
			first = at
		}
		n++
	}
	if n == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, n)
}
