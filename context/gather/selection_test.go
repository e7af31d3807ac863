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
	for _, row := range vaulttest.Rows(t, "follow.txt", 8) {
		t.Run(row[0], func(t *testing.T) {
			var from, to int
			_, _ = fmt.Sscanf(row[2], "%d-%d", &from, &to) // where they are
			state := map[bool]prompt.State{true: prompt.Changed}[from > 0]
			if row[2] == "-" {
				state = prompt.Deleted
			}
			g, v := newGatherer(t, "-- a.md --\n")
			vaulttest.Write(t, v, "a.md", text)
			sel := ref(prompt.Selection, "a.md#"+row[1])
			known, missing := itemsOf(t, g, sel)
			if len(missing) > 0 {
				t.Fatal(missing)
			}
			vaulttest.Write(t, v, "a.md", strings.NewReplacer(row[4:]...).Replace(text))
			now, moves, err := g.Current(t.Context(), known)
			if err != nil || len(moves) > 0 {
				t.Fatal(moves, err)
			}
			got, ok := now[sel.ID]
			if ok != (state != 0) || got.State != state {
				t.Fatalf("%+v", now)
			}
			if it := got.Item; it.StartLine != from || it.EndLine != to || it.Content != prompt.CanonicalText(row[3]) {
				t.Errorf("L%d-L%d %q, want L%d-L%d %q", it.StartLine, it.EndLine, it.Content, from, to, row[3])
			}
			if state != prompt.Changed {
				return
			}
			is(t, got.Item.Ref, sel)
			if again, _, _ := g.Current(t.Context(), []prompt.Item{got.Item}); len(again) > 0 {
				t.Errorf("and again: %+v", again)
			}
		})
	}
}

// TestSelectionsMove: a part of a note goes where the note goes.
func TestSelectionsMove(t *testing.T) {
	g, v := newGatherer(t, "-- a.md --\none\ntwo\n# Head\nthree\n-- b.md --\nx\ny\n-- c.md --\nlines\nof c\n")
	known, missing := itemsOf(t, g, prompt.Lines("a.md", 1, 2), note("a.md"), ref(prompt.Selection, "a.md#Head"),
		prompt.Lines("b.md", 1, 2), prompt.Lines("c.md", 1, 2))
	if len(missing) > 0 {
		t.Fatal(missing)
	}
	vaulttest.Rename(t, v, "a.md", "d/new.md")
	vaulttest.Rename(t, v, "b.md", "d/b.md")
	vaulttest.Write(t, v, "d/b.md", "above\nx\ny\n")
	vaulttest.Remove(t, v, "c.md")
	now, moves, err := g.Current(t.Context(), known)
	if err != nil || len(now) != 1 || now["c.md#L1-L2"].State != prompt.Deleted {
		t.Errorf("%+v, %v", now, err)
	}
	got := words(moves, func(m prompt.Move) string {
		return fmt.Sprintf("%s → %s %d-%d", m.From.ID, m.To.ID, m.To.StartLine, m.To.EndLine)
	})
	wantList(t, "moves", got,
		"a.md → d/new.md 0-0, a.md#L1-L2 → d/new.md#L1-L2 1-2, a.md#Head → d/new.md#Head 3-4, b.md#L1-L2 → d/b.md#L1-L2 2-3")
}

// TestSelectionTyped: what a person names in a new turn is the lines that have these
// numbers then.
func TestSelectionTyped(t *testing.T) {
	g, v := newGatherer(t, "-- a.md --\none\ntwo\nthree\n")
	vaulttest.Write(t, v, "a.md", "zero\none\ntwo\nthree\n")
	items, _ := itemsOf(t, g, prompt.Lines("a.md", 1, 2))
	is(t, items[0].Content, "zero\none", items)
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
	check(b, err)
	vaulttest.Write(b, v, "a.md", "new\n"+text.String())
	old := time.Now().Add(-time.Hour) // of a file that was just written nothing is remembered
	check(b, os.Chtimes(filepath.Join(v.Dir(), "a.md"), old, old))
	b.ReportAllocs()
	for b.Loop() {
		if now, _, err := g.Current(b.Context(), known); err != nil || len(now) != 200 {
			b.Fatal(len(now), err)
		}
	}
}
