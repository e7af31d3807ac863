package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// TestLongPrompt: of a long prompt the first lines are shown, until a click or a key
// unfolds it; copying takes all of it, and searching finds what is folded.
func TestLongPrompt(t *testing.T) {
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprintf("line %d of it", i))
	}
	for _, n := range []int{12, 13, 50} {
		tr := newPlain(60, 60)
		tr.Append(Message{ID: "u", Role: You, Text: strings.Join(lines[:n], "\n")})
		tr.Append(Message{ID: "a", Role: Assistant, Text: "Fine."})
		last := fmt.Sprintf("line %d of it", n-1)
		if n == 12 {
			shows(t, tr, []string{last}, []string{"more line"})
			continue
		}
		more := fmt.Sprintf("▸ … %d more lines", n-8)
		shows(t, tr, []string{"line 7 of it", more}, []string{"line 8 of it"})
		tr.Click(4, rowOf(t, tr, more))
		shows(t, tr, []string{last, fmt.Sprintf("▾ all %d lines", n)}, []string{"more line"})
		tr.Toggle()
		shows(t, tr, []string{more}, []string{last})
		tr.ToggleAll() // of what the assistant thought and did
		shows(t, tr, []string{more}, []string{last})
		if m, _ := tr.Selected(); !strings.Contains(m.Text, last) {
			t.Errorf("selected is %q", m.Text)
		}
		if tr.Find(last); true {
			shows(t, tr, []string{last}, nil)
		}
	}
}

// TestCallouts: a callout is folded as it is written, and unfolds by a click, by the
// key, as a chosen part, and where a search finds something in it.
func TestCallouts(t *testing.T) {
	const text = "Before.\n\n> [!note]- Frost\n> at night\n\n> [!tip]+ Sun\n> at noon\n\nAfter."
	fresh := func() *Transcript {
		tr := newPlain(60, 30)
		tr.Append(Message{ID: "u", Role: You, Text: "go"})
		tr.Append(Message{ID: "a", Role: Assistant, Text: text})
		shows(t, tr, []string{"▸ i NOTE · Frost", "▾ ✓ TIP · Sun", "at noon"}, []string{"at night"})
		return tr
	}
	tr := fresh()
	tr.Click(5, rowOf(t, tr, "Frost"))
	shows(t, tr, []string{"▾ i NOTE · Frost", "at night"}, nil)
	tr.Click(5, rowOf(t, tr, "Sun"))
	shows(t, tr, []string{"▸ ✓ TIP · Sun", "at night"}, []string{"at noon"})
	tr.SetSize(30, 30)
	shows(t, tr, []string{"at night"}, []string{"at noon"})

	tr = fresh()
	tr.Toggle()
	shows(t, tr, []string{"at night", "at noon"}, nil)
	tr.Toggle()
	shows(t, tr, nil, []string{"at night", "at noon"})

	tr = fresh()
	tr.Find("at night")
	shows(t, tr, []string{"at night", "at noon"}, nil)
}

// TestLongCode: a long line of code is one line that scrolls; what is copied of it is
// whole.
func TestLongCode(t *testing.T) {
	const line = "const garden = plant(\"basil\", \"mint\", \"parsley\", \"chives\", \"thyme\") // the end"
	tr := newPlain(42, 12)
	tr.Append(Message{ID: "a", Role: Assistant, Text: "See:\n\n```js\n" + line + "\nshort()\n```\n"})
	row := rowOf(t, tr, "const garden")
	wantRow := func(want string) {
		t.Helper()
		is(t, screen(tr)[row], want, "the line")
	}
	wantRow("  ▏ const garden = plant(\"basil\", \"mint\"→")
	if !ShiftCode(tr, 8) {
		t.Error("nothing scrolls")
	}
	wantRow("  ▏ ←den = plant(\"basil\", \"mint\", \"parsl→")
	ShiftCode(tr, 1000)
	wantRow("  ▏ ←sley\", \"chives\", \"thyme\") // the end")
	s := NewSelection(tr)
	s.Begin(4, row+1, 1)
	s.Extend(30, row+1)
	is(t, s.Text(), "short()", "of the short line")
	s.Begin(0, row-1, 1)
	s.Extend(30, row+1)
	is(t, s.Text(), line+"\nshort()", "selected")
	s.Begin(38, row, 2) // a word that is seen where it does not stand in the text
	is(t, s.Text(), "end", "the word")
	rows := screen(tr)
	if s.Paint(rows); !strings.HasSuffix(rows[row], "// the \x1b[7mend\x1b[27m") {
		t.Errorf("painted %q", rows[row])
	}
	ShiftCode(tr, -1000)
	s.Begin(4, row, 1)
	s.Extend(40, row)
	is(t, s.Text(), line, "up to the arrow")
	if ShiftCode(newPlain(20, 5), 1) {
		t.Error("something scrolls where nothing is")
	}
}

// TestWhole: what is printed can be neither opened nor moved, so all of it is shown.
func TestWhole(t *testing.T) {
	tr := New(Options{Now: stopped, Whole: true})
	tr.SetSize(40, 60)
	tr.Append(Message{ID: "u", Role: You, Text: strings.Repeat("a line\n", 20) + "the last"})
	tr.Append(Message{ID: "a", Role: Assistant, Status: Streaming})
	s, _ := tr.Stream("a")
	s.AppendText("> [!note]- Frost\n> at night\n\n```\n" + strings.Repeat("code ", 12) + "end\n```\n")
	tr.View()
	s.Finish(Complete)
	shows(t, tr, []string{"the last", "at night", "end"}, []string{"more line", "→"})
}
