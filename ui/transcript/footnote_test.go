package transcript

import (
	"strings"
	"testing"
)

// TestFootnoteClicked: a click on the mark of a footnote goes to what it says, or to
// where a link in that leads.
func TestFootnoteClicked(t *testing.T) {
	text := "First[^1] and second[^two], x[^9].\n\n" + strings.Repeat("More of it.\n\n", 20) +
		"[^1]: Says this.\n\n[^two]: See [a page](https://example.com/a).\n\nEnd."
	tr := newPlain(60, 10)
	tr.Append(Message{ID: "u", Role: You, Text: "go"})
	tr.Append(Message{ID: "a", Role: Assistant, Text: text})
	tr.Top()
	row := rowOf(t, tr, "First")
	line := strings.Split(tr.View(), "\n")[row]
	column := func(of string) int { return len([]rune(line[:strings.Index(line, of)])) }
	if _, address := tr.Click(column("[two]")+1, row); address != "https://example.com/a" {
		t.Errorf("the second leads to %q", address)
	}
	for _, x := range []int{column("First"), column(", x") + 3} {
		if _, address := tr.Click(x, row); address != "" {
			t.Errorf("column %d leads to %q", x, address)
		}
		shows(t, tr, []string{"First"}, []string{"Says this"})
	}
	if _, address := tr.Click(column("¹"), row); address != "" {
		t.Errorf("the first leads to %q", address)
	}
	shows(t, tr, []string{"¹ Says this."}, []string{"First"})
}
