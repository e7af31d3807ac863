package cells

import "testing"

// TestArea: what is selected stays between the borders of its box, two clicks take the word
// and three the row, and other text there ends the selection.
func TestArea(t *testing.T) {
	rows := []string{"one two │ left  │ six", "three   │ right │ seven"}
	all := Rect{W: 24, H: 2}
	for _, tt := range []struct {
		name   string
		x, y   int
		clicks int
		toX    int
		toY    int
		want   string
	}{
		{"within a box", 10, 0, 1, 23, 1, "left\nright"},
		{"a word", 5, 0, 2, 5, 0, "two"},
		{"a row", 2, 0, 3, 2, 0, "one two"},
		{"backwards", 4, 1, 1, 4, 0, "two\nthree"},
	} {
		a := Select(rows, all, tt.x, tt.y, tt.clicks)
		a.Extend(tt.toX, tt.toY)
		if got := a.Text("─"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if frame := rows[0] + "\n" + rows[1]; a.Painted(frame) == frame || a.Painted("other\ntext") != "other\ntext" {
			t.Errorf("%s: painted %q", tt.name, a.Painted(frame))
		}
	}
}
