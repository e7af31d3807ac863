package composer

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// TestEarlier walks through the prompts of this conversation and then of all others,
// which are asked for when they are wanted.
func TestEarlier(t *testing.T) {
	m := New(plainTheme(false))
	if m.Earlier().Wanted() {
		t.Error("the others are wanted before a key was pressed")
	}
	play(m, "half a thought<left><left>")
	play(m, "<up>")
	if m.Value() != "half a thought" || !m.Earlier().Wanted() {
		t.Errorf("%q, wants others: %v", m.Value(), m.Earlier().Wanted())
	}
	if a := m.Earlier().Set([]string{"one", "two", "one"}); a.Kind != Edited || m.Value() != "one" {
		t.Errorf("action %v, prompt %q: the key was lost", a, m.Value())
	}
	var got []string
	for range 3 {
		play(m, "<up>")
		got = append(got, m.Value())
	}
	play(m, "<down><down>")
	if want := []string{"two", "two", "two"}; !slices.Equal(got, want) || m.Value() != "half a thought" {
		t.Errorf("further up %q, want %q; back down %q", got, want, m.Value())
	}
	if play(m, "|"); m.Value() != "half a thoug|ht" {
		t.Errorf("the cursor of the draft is lost: %q", m.Value())
	}

	m.Reset()
	m.SetHistory([]string{"here"})
	got = nil
	for range 3 {
		play(m, "<up>")
		got = append(got, m.Value())
	}
	is(t, got, []string{"here", "one", "two"})
	m.Reset()
	m.Earlier().Forget([]string{"here"})
	if play(m, "<up>"); m.Value() != "" || !m.Earlier().Wanted() {
		t.Errorf("forgotten: %q, wants others: %v", m.Value(), m.Earlier().Wanted())
	}
}

// TestKeptDraft writes a draft down and reads it again: mentions, chips and the cursor
// are what they were.
func TestKeptDraft(t *testing.T) {
	m := New(plainTheme(false))
	play(m, "see @n<accept:[[N]]> in ")
	m.Update(tea.PasteMsg{Content: strings.Repeat("@line [[x]]\n", 48)})
	play(m, " and ")
	m.Update(tea.PasteMsg{Content: "short @one"})
	play(m, "<ctrl+j>字 ende<left><left>")
	data, err := json.Marshal(m.Draft())
	if err != nil {
		t.Fatal(err)
	}
	var d Draft
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	o := New(plainTheme(false))
	o.SetDraft(d)
	if a, b := ansi.Strip(m.View()), ansi.Strip(o.View()); a != b || *m.Cursor() != *o.Cursor() {
		t.Errorf("kept:\n%s\n%+v\nwas:\n%s\n%+v", b, o.Cursor(), a, m.Cursor())
	}
	if a, b := m.Draft(), o.Draft(); a.Text != b.Text || !slices.Equal(a.Spans, b.Spans) || a.BytesAfter != b.BytesAfter {
		t.Errorf("kept %+v, was %+v", b, a)
	}
	edited := o.Draft().Edited("First: " + d.Text)
	o.SetDraft(edited)
	if v := ansi.Strip(o.View()); !strings.Contains(v, "[paste 1 · 48 lines]") || edited.BytesAfter != d.BytesAfter {
		t.Errorf("edited elsewhere, %d bytes behind the cursor, want %d:\n%s", edited.BytesAfter, d.BytesAfter, v)
	}
	for _, s := range []string{`{"text":"ab","spans":[{"from":-1,"to":9},{"from":1,"to":0},{"from":1,"to":2,"pick":"x"}],"behind":99}`, `{}`} {
		var broken Draft
		if err := json.Unmarshal([]byte(s), &broken); err != nil {
			t.Fatal(err)
		}
		o.SetDraft(broken)
		is(t, o.Value(), broken.Text, s)
	}
}
