package gather_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// TestSelectionsFollow: lines that were attached are found again by their text.
func TestSelectionsFollow(t *testing.T) {
	const text = "# Beds\n\nNorth: peas.\n- sow in March\n- pick in June\n\nSouth: beans.\n- sow in May\n- pick in August\n\n---\nend"
	north := "North: peas.\n- sow in March\n- pick in June"
	for _, tt := range []struct {
		name, id string
		edit     func(string) string
		from, to int // 0: unchanged
		content  string
		state    prompt.State
	}{
		{name: "nothing", id: "L3-L5", edit: func(s string) string { return s }},
		{name: "below", id: "L3-L5", edit: func(s string) string { return s + "\nmore\n" }},
		{name: "lines above", id: "L3-L5", edit: func(s string) string { return "one\ntwo\n" + s }, from: 5, to: 7, content: north, state: prompt.Changed},
		{name: "lines above are gone", id: "L3-L5", edit: func(s string) string { return strings.TrimPrefix(s, "# Beds\n\n") }, from: 1, to: 3, content: north, state: prompt.Changed},
		{name: "moved down", id: "L3-L5", edit: func(s string) string { return strings.Replace(s, north+"\n\n", "", 1) + "\n" + north }, from: 9, to: 11, content: north, state: prompt.Changed},
		{name: "with blank lines around", id: "L2-L6", edit: func(s string) string { return "one\n" + s }, from: 4, to: 6, content: north, state: prompt.Changed},
		{name: "the nearest of two", id: "L7-L9", edit: func(s string) string {
			south := "South: beans.\n- sow in May\n- pick in August\n"
			return south + strings.Replace(s, "\nSouth", "\n\nSouth", 1)
		}, from: 11, to: 13, content: "South: beans.\n- sow in May\n- pick in August", state: prompt.Changed},
		{name: "above and inside", id: "L3-L5", edit: func(s string) string { return "one\n" + strings.Replace(s, "March", "April\n- water", 1) }, from: 4, to: 7, content: "North: peas.\n- sow in April\n- water\n- pick in June", state: prompt.Changed},
		{name: "the first line is left", id: "L3-L5", edit: func(s string) string {
			return "one\n" + strings.Replace(s, "- sow in March\n- pick in June", "- sow never\n- pick never", 1)
		}, from: 4, to: 6, content: "North: peas.\n- sow never\n- pick never", state: prompt.Changed},
		{name: "the last line is left", id: "L3-L5", edit: func(s string) string {
			return "one\n" + strings.Replace(s, "North: peas.\n- sow in March", "West: peas.\n- sow never", 1)
		}, from: 4, to: 6, content: "West: peas.\n- sow never\n- pick in June", state: prompt.Changed},
		{name: "in its place", id: "L5", edit: func(s string) string { return strings.Replace(s, "June", "July", 1) }, from: 5, to: 5, content: "- pick in July", state: prompt.Changed},
		{name: "a line that says little", id: "L11-L12", edit: func(s string) string { return "---\n" + strings.Replace(s, "end", "stop", 1) }, from: 11, to: 12, content: "\n---", state: prompt.Changed},
		{name: "the end is gone", id: "L8-L9", edit: func(string) string { return "# Beds" }, state: prompt.Deleted},
		{name: "a heading", id: "Beds", edit: func(s string) string { return "one\n\n" + s }, from: 3, to: 14, content: text, state: prompt.Changed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, v := newGatherer(t, "-- a.md --\n")
			vaulttest.Write(t, v, "a.md", text)
			sel := ref(prompt.Selection, "a.md#"+tt.id)
			known, missing, err := g.Gather(t.Context(), []prompt.Ref{sel})
			if err != nil || len(missing) > 0 {
				t.Fatal(missing, err)
			}
			vaulttest.Write(t, v, "a.md", tt.edit(text))
			now, moves, err := g.Current(t.Context(), known)
			if err != nil || len(moves) > 0 {
				t.Fatal(moves, err)
			}
			got, ok := now[sel.ID]
			if ok != (tt.state != 0) || got.State != tt.state {
				t.Fatalf("%+v", now)
			}
			if it := got.Item; it.StartLine != tt.from || it.EndLine != tt.to || it.Content != prompt.CanonicalText(tt.content) {
				t.Errorf("L%d-L%d %q, want L%d-L%d %q", it.StartLine, it.EndLine, it.Content, tt.from, tt.to, tt.content)
			}
			if tt.state != prompt.Changed {
				return
			}
			if got.Item.Ref != sel {
				t.Errorf("it is %v now", got.Item.Ref)
			}
			if again, _, _ := g.Current(t.Context(), []prompt.Item{got.Item}); len(again) > 0 {
				t.Errorf("and again: %+v", again)
			}
		})
	}
}

// TestSelectionsMove: a part of a note goes where the note goes.
func TestSelectionsMove(t *testing.T) {
	g, v := newGatherer(t, "-- a.md --\none\ntwo\n# Head\nthree\n-- b.md --\nx\ny\n-- c.md --\nlines\nof c\n")
	known, missing, err := g.Gather(t.Context(), []prompt.Ref{prompt.Lines("a.md", 1, 2), note("a.md"), ref(prompt.Selection, "a.md#Head"), prompt.Lines("b.md", 1, 2), prompt.Lines("c.md", 1, 2)})
	if err != nil || len(missing) > 0 {
		t.Fatal(missing, err)
	}
	vaulttest.Rename(t, v, "a.md", "d/new.md")
	vaulttest.Rename(t, v, "b.md", "d/b.md")
	vaulttest.Write(t, v, "d/b.md", "above\nx\ny\n")
	vaulttest.Remove(t, v, "c.md")
	now, moves, err := g.Current(t.Context(), known)
	if err != nil || len(now) != 1 || now["c.md#L1-L2"].State != prompt.Deleted {
		t.Errorf("%+v, %v", now, err)
	}
	var got []string
	for _, m := range moves {
		got = append(got, fmt.Sprintf("%s → %s %d-%d", m.From.ID, m.To.ID, m.To.StartLine, m.To.EndLine))
	}
	wantList(t, "moves", got, []string{"a.md → d/new.md 0-0", "a.md#L1-L2 → d/new.md#L1-L2 1-2", "a.md#Head → d/new.md#Head 3-4", "b.md#L1-L2 → d/b.md#L1-L2 2-3"})
}

// TestSelectionTyped: what a person names in a new turn is the lines that have these
// numbers then.
func TestSelectionTyped(t *testing.T) {
	g, v := newGatherer(t, "-- a.md --\none\ntwo\nthree\n")
	vaulttest.Write(t, v, "a.md", "zero\none\ntwo\nthree\n")
	items, _, err := g.Gather(t.Context(), []prompt.Ref{prompt.Lines("a.md", 1, 2)})
	if err != nil || items[0].Content != "zero\none" {
		t.Errorf("%+v, %v", items, err)
	}
}

// BenchmarkFollow finds two hundred selections in a note of ten thousand lines, one
// line of which is new.
func BenchmarkFollow(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "line %d of a long note\n", i)
	}
	v := vaulttest.New(b, "-- a.md --\n")
	vaulttest.Write(b, v, "a.md", text.String())
	g := gather.New(v, gather.Options{})
	var refs []prompt.Ref
	for i := range 200 {
		refs = append(refs, prompt.Lines("a.md", 10*i+1, 10*i+9))
	}
	known, _, err := g.Gather(b.Context(), refs)
	if err != nil {
		b.Fatal(err)
	}
	vaulttest.Write(b, v, "a.md", "new\n"+text.String())
	old := time.Now().Add(-time.Hour) // of a file that was just written nothing is remembered
	if err := os.Chtimes(filepath.Join(v.Dir(), "a.md"), old, old); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if now, _, err := g.Current(b.Context(), known); err != nil || len(now) != 200 {
			b.Fatal(len(now), err)
		}
	}
}
