package mdview

import (
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// finished returns the lines of a finished View, without styles, and the number of allocated
// bytes.
func finished(doc string) (lines []string, allocated uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := New(plain(), Options{Width: 80})
	v.Append(doc)
	v.Finish()
	for _, line := range v.Lines() {
		lines = append(lines, ansi.Strip(theme.StripMarks(line)))
	}
	runtime.ReadMemStats(&after)
	return lines, after.TotalAlloc - before.TotalAlloc
}

// TestFloods: no reply takes much more memory than it is long, nor time, whatever is
// repeated in it.
func TestFloods(t *testing.T) {
	rows := func(header int, row string) string {
		return strings.Repeat("|a", header) + "|\n" + strings.Repeat("|-", header) + "|\n" +
			strings.Repeat(row, maxSource/len(row))
	}
	for name, unit := range map[string]string{
		"quotes": ">", "lists": "1. ", "quotes and lists": "> - 1. ", "footnotes": "[^1]: ", "brackets": "[",
		"wikilinks": "[[", "dollars": "$", "percent": "%%", "links": "[a](b)",
		"heading": "# " + strings.Repeat("[[", 4000) + "\n", "narrow rows": rows(2000, "|b\n"),
		"wide table":           rows(4000, strings.Repeat("|b", 4000)+"|\n"),
		"lines in deep quotes": strings.Repeat(">", 100) + "x\n" + strings.Repeat("x\n", 2000),
	} {
		if _, allocated := finished(strings.Repeat(unit, maxSource/len(unit)+1)); allocated > 600<<20 {
			t.Errorf("%s: %d MB were allocated", name, allocated>>20)
		}
	}
}

// TestBeyondBounds: what is too deep or too long to be drawn as markdown is there as it
// is written.
func TestBeyondBounds(t *testing.T) {
	wide := strings.Repeat("|a", 40) + "|\n" + strings.Repeat("|-", 40) + "|\n"
	long := strings.Repeat("**bold** and [[", maxTail/10)
	for name, c := range map[string]struct{ doc, want string }{
		"deep quote":   {strings.Repeat("> ", maxNested+3) + "the end", "> > > the end"},
		"deep list":    {strings.Repeat("- ", maxNested/2+2) + "the end", "• - - the end"},
		"long line":    {"Above.\n\n" + long + "\n\nBelow.", "**bold** and [[**bold**"},
		"long text":    {strings.Repeat("**bold**\n", maxTail/8), "**bold**"},
		"long heading": {"# " + strings.Repeat("**bold** ", maxHeading/8), "# bold"},
		"many cells":   {wide + strings.Repeat(strings.Repeat("|c", 40)+"|\n", maxCells/40), "|c|c|c|"},

		"as deep as may be":       {strings.Repeat("> ", maxNested) + "**the end**", "│ the end"},
		"after something deep":    {strings.Repeat("> ", maxNested+3) + "x\n\n> **quoted**", "│ quoted"},
		"a table of many lines":   {"|a|b|\n|-|-|\n" + strings.Repeat("|**c**|d|\n", 1000), " c "},
		"behind what is too long": {long + "\n\n**the end**", "\nthe end"},
	} {
		lines, _ := finished(c.doc)
		if !strings.Contains(strings.Join(lines, "\n"), c.want) {
			t.Errorf("%s: no %q in\n%.2000s", name, c.want, strings.Join(lines, "\n"))
		}
	}
}
