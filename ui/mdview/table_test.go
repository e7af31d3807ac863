package mdview

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// TestTables: tables are never wider than the column, their borders stand below each
// other whatever the script, and the rows of one of many columns are text.
func TestTables(t *testing.T) {
	row := func(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	var names, rule, values []string
	for i := range 20 {
		names, rule, values = append(names, fmt.Sprintf("col%d", i)), append(rule, "---"),
			append(values, fmt.Sprintf("value%d", i))
	}
	many := row(names...) + row(rule...) + row(values...) + row(values...)
	mixed := row("Day", "Focus") + row("---", ":-:") + row("月", "音階をゆっくり弾いてから速く") +
		row("👩‍🌾", "שלום עולם and a long remark about it") + row("🇫🇷", "e\u0301te\u0301")
	for _, width := range []int{40, 80, 100} {
		lines := plain().Render(mixed, width)
		for _, l := range lines {
			if got, want := ansi.StringWidth(theme.StripMarks(l)), ansi.StringWidth(lines[0]); got != want || want > width {
				t.Errorf("%q is %d columns wide, the border %d of %d", l, got, want, width)
			}
		}
		text := ansi.Strip(theme.StripMarks(strings.Join(plain().Render(many, width), "\n")))
		joined := strings.Join(strings.Fields(text), " ")
		if n := strings.Count(joined, "value18 | value19"); n != 2 || strings.Contains(text, "│") {
			t.Errorf("the last cell of both rows is there %d times at %d columns:\n%s", n, width, text)
		}
	}
	for _, l := range plain().Render(mixed, 40) {
		if strings.Contains(l, "rema") && !strings.Contains(l, "remark") {
			t.Errorf("a word is broken in %q", l)
		}
	}
}

// TestShortWordsStayWhole: the rows of a table in which words would have to be broken are text, unless those words
// are long.
func TestShortWordsStayWhole(t *testing.T) {
	row := func(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	words := []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", ""}
	rule := slices.Repeat([]string{"---"}, len(words))
	shown := func(table string, width int) string {
		return ansi.Strip(theme.StripMarks(strings.Join(plain().Render(table, width), "\n")))
	}
	if got := shown(row(words...)+row(rule...)+row(words...), 78); !strings.Contains(got, "two | three") {
		t.Errorf("no rows of text:\n%s", got)
	}
	long := strings.Repeat("x", 60)
	if got := shown(row("name", "value")+row("---", "---")+row("seven eight", long), 40); strings.Contains(got, long) ||
		!strings.Contains(got, "│ seven") {
		t.Errorf("no table with a word that is broken:\n%s", got)
	}
}

// TestBarsInCode: bars in the code of a cell do not end it, with or without a backslash.
func TestBarsInCode(t *testing.T) {
	const doc = "| code | means |\n|---|---|\n| `x || y` | either |\n| `a \\| b` | pipe |\n| `` ls|wc ``, `b|c` | both |\n| a | b | lost |\n| `open | c |\n"
	for _, quote := range []string{"", "> "} {
		text := quote + strings.ReplaceAll(strings.TrimSpace(doc), "\n", "\n"+quote)
		got := ansi.Strip(theme.StripMarks(strings.Join(plain().Render(text, 60), "\n")))
		for _, want := range []string{"x || y", "either", "a | b", "pipe", "ls|wc", "b|c", "both", "`open"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not shown:\n%s", want, got)
			}
		}
		if strings.Contains(got, "lost") {
			t.Errorf("a cell without a column is shown:\n%s", got)
		}
	}
}

// TestTableScripts: a cell in a script without spaces gives way like one of many words.
func TestTableScripts(t *testing.T) {
	const doc = "| a | b |\n|---|---|\n| many words that do not fit into the room there is | 中文单元格内容很长很长很长很长很长 |\n"
	lines := plain().Render(doc, 40)
	if from := strings.Index(ansi.Strip(lines[0]), "┬"); len(lines) > 8 || from < len("┌")+12*len("─") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}
