package gather_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

const orchard = `
-- Pears.md --
# Pears

## Winter

They keep until March.
-- orchard/Apple.md --
---
tags: [fruit]
---
Red ones.
-- orchard/Plum.md --
---
tags: [fruit, stone]
---
Blue ones.
-- orchard/Deal.md --
---
private: true
---
What was paid.
-- shed/Rake.md --
Lean it on the wall.
-- old/Rake.md --
The handle is broken.
-- Notes, mine/One.md --
one
-- shed/C# and F.md --
sharp
`

func TestFill(t *testing.T) {
	g, _ := newGatherer(t, orchard)
	with := map[string]gather.Values{
		"typed": {Text: "good morning"}, "pasted": {Text: "a\nb"},
		"a word": {Text: "a", Spans: []prompt.Span{{To: 1}}}, "open": {Active: note("Pears.md")},
		"part":            {Selected: []prompt.Ref{prompt.Lines("Pears.md", 1, 3)}, Active: note("Pears.md")},
		"typed, open":     {Text: "x", Active: note("Pears.md")},
		"orchard/Deal.md": {Active: note("orchard/Deal.md")}, "old/Rake.md": {Active: note("old/Rake.md")}, "": {},
		"C#":      {Active: note("shed/C# and F.md")},
		"C# part": {Selected: []prompt.Ref{prompt.Lines("shed/C# and F.md", 1, 1)}},
	}
	for _, row := range vaulttest.Rows(t, "fill.txt", 6) {
		t.Run(row[0], func(t *testing.T) {
			with, ok := with[row[2]]
			if !ok {
				t.Fatal(row[2])
			}
			f := g.Fill(t.Context(), row[1], with)
			wantList(t, "text", f.Text, row[3])
			wantList(t, "refs", ids(f.Refs()), row[4])
			if said := reasons(f.Missing); !strings.Contains(said, row[5]) || row[5] == "" && said != "" {
				t.Errorf("said %q, want %q", said, row[5])
			}
			is(t, strings.Contains(f.Text, "Deal"), strings.Contains(row[1], "Deal"),
				"the name of a private note in", f.Text)
			// Read as a message, it names what the variables named and nothing else.
			refs, _ := g.Mentions(t.Context(), f.Text, f.Spans...)
			wantList(t, "refs of the message", inOrder(refs), inOrder(f.Refs()))
		})
	}
}

// inOrder returns the ids of references, each once, sorted by name.
func inOrder(refs []prompt.Ref) string {
	refs = slices.Clone(refs)
	slices.SortFunc(refs, func(a, b prompt.Ref) int { return strings.Compare(a.ID, b.ID) })
	return ids(slices.Compact(refs))
}

// TestFillTyped: what a person types behind the name of a prompt is a message as
// any other, but for what was pasted.
func TestFillTyped(t *testing.T) {
	g, _ := newGatherer(t, orchard)
	with := gather.Values{Text: "[[Apple]] and [[Plum]]", Spans: []prompt.Span{{From: 14, To: 22}}}
	for _, text := range []string{"About {}", "Hello [[Pears]]"} {
		f := g.Fill(t.Context(), text, with)
		refs, _ := g.Mentions(t.Context(), f.Text, f.Spans...)
		wantList(t, text, ids(refs), "orchard/Apple.md")
	}
}

// TestSharedVariables: as Obsidian Copilot fills them in, but for where it sends
// more than was meant. It puts the notes behind the text; here they are attached.
func TestSharedVariables(t *testing.T) {
	name := vaulttest.Shared(t, "cases/prompt-variables.json")
	if name == "" {
		t.Skip("IBID_SHARED names no folder")
	}
	data, err := os.ReadFile(name)
	check(t, err)
	var file struct {
		Cases []struct {
			ID, Note string
			Input    struct {
				Prompt, Selected, Active string
				Notes                    map[string]string
				Tags                     map[string][]string
				SystemPrompt             bool
			}
			Expected struct {
				Text  string
				Files []string
			}
		}
	}
	check(t, json.Unmarshal(data, &file))
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			if c.Input.SystemPrompt {
				t.Skip("no variables are filled in there")
			}
			var archive strings.Builder
			for name, text := range c.Input.Notes {
				if tags := c.Input.Tags[name]; len(tags) > 0 {
					text = "---\ntags: [" + strings.Join(tags, ", ") + "]\n---\n" + text
				}
				archive.WriteString("-- " + name + " --\n" + text + "\n")
			}
			g, _ := newGatherer(t, archive.String())
			with := gather.Values{Text: c.Input.Selected, Spans: []prompt.Span{{To: len(c.Input.Selected)}}}
			if !strings.Contains(c.Input.Prompt, "{}") {
				with.Text = "" // here it would be put behind the prompt
			}
			if c.Input.Active != "" {
				with.Active = note(c.Input.Active)
			}
			f := g.Fill(t.Context(), c.Input.Prompt, with)
			items, _ := itemsOf(t, g, f.Refs()...)
			var files []string
			for _, it := range items {
				files = append(files, it.Path)
			}
			slices.Sort(files)
			want := c.Expected.Files
			if strings.HasPrefix(c.Note, "UPSTREAM BUG") && !strings.Contains(c.Input.Prompt, "{}") {
				want = nil
			}
			is(t, files, want)
			_, block, ok := strings.Cut(c.Expected.Text, "<selected_text>\n")
			block, _, _ = strings.Cut(block, "\n</selected_text>")
			if ok && !strings.HasSuffix(f.Text, "\n\n<selected_text>\n"+block+"\n</selected_text>") {
				t.Errorf("text %q", f.Text)
			}
			if first, _, _ := strings.Cut(c.Expected.Text, "\n\n"); len(f.Refs()) == 0 && !strings.HasPrefix(f.Text, first) {
				t.Errorf("text %q, want %q", f.Text, first)
			}
		})
	}
}
