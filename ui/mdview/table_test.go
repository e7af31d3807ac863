package mdview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// TestTables: tables are never wider than the column, their borders stand below each
// other whatever the script, and one of many columns is a list of its rows.
func TestTables(t *testing.T) {
	row := func(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	var names, rule, values []string
	for i := range 20 {
		names, rule, values = append(names, fmt.Sprintf("col%d", i)), append(rule, "---"), append(values, fmt.Sprintf("value%d", i))
	}
	many := row(names...) + row(rule...) + row(values...) + row(values...)
	mixed := row("Day", "Focus") + row("---", ":-:") + row("月", "音階をゆっくり弾いてから速く") + row("👩‍🌾", "שלום עולם and a long remark about it") + row("🇫🇷", "e\u0301te\u0301")
	for _, width := range []int{40, 80, 100} {
		lines := plain().Render(mixed, width)
		for _, l := range lines {
			if got, want := ansi.StringWidth(theme.Unmarked(l)), ansi.StringWidth(lines[0]); got != want || want > width {
				t.Errorf("%q is %d columns wide, the border %d of %d", l, got, want, width)
			}
		}
		text := ansi.Strip(theme.Unmarked(strings.Join(plain().Render(many, width), "\n")))
		if n := strings.Count(text, "col19: value19"); n != 2 || strings.Contains(text, "│") {
			t.Errorf("the last cell of both rows is there %d times at %d columns:\n%s", n, width, text)
		}
	}
	for _, l := range plain().Render(mixed, 40) {
		if strings.Contains(l, "rema") && !strings.Contains(l, "remark") {
			t.Errorf("a word is broken in %q", l)
		}
	}
}
