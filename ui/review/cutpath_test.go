package review

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// TestCutPath: a path is cut in its middle, and its file name stays whole where it fits.
func TestCutPath(t *testing.T) {
	for _, tt := range []struct {
		path  string
		width int
		want  string
	}{
		{"Projects/Barn.md", 16, "Projects/Barn.md"},
		{"Projects/Old/Barn roof.md", 20, "Projec…/Barn roof.md"},
		{"Projects/Old/Barn roof.md", 14, "…/Barn roof.md"},
		{"Projects/A name that is far too long.md", 20, "Project… too long.md"},
	} {
		got := cutPath(tt.path, tt.width, "…")
		if w := ansi.StringWidth(got); w > tt.width || tt.want != "" && got != tt.want {
			t.Errorf("cutPath(%q, %d) = %q, %d wide, want %q", tt.path, tt.width, got, w, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringMatching(`[a-z音]{0,20}/[a-z é]{0,20}/[a-z楽]{1,20}\.md`).Draw(t, "path")
		width := rapid.IntRange(8, 60).Draw(t, "width")
		got, name := cutPath(path, width, "…"), path[strings.LastIndex(path, "/"):]
		if w := ansi.StringWidth(got); w > width || !strings.HasSuffix(got, ".md") ||
			ansi.StringWidth(name) < width && !strings.HasSuffix(got, name) {
			t.Fatalf("%q of %q in %d columns", got, path, width)
		}
	})
}
