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
`

func TestFill(t *testing.T) {
	g, _ := newGatherer(t, orchard)
	typed := gather.Values{Text: "good morning"}
	pasted := gather.Values{Text: "a\nb"}
	open := gather.Values{Active: note("Pears.md")}
	part := gather.Values{Selected: []prompt.Ref{prompt.Lines("Pears.md", 1, 3)}, Active: note("Pears.md")}
	tests := []struct {
		name, prompt string
		with         gather.Values
		text         string
		refs         []string
		missing      string // words of what is said
	}{
		{"nothing to fill in", "Say hello.", gather.Values{}, "Say hello.", nil, ""},
		{"typed", "Translate: {}", typed, "Translate: good morning", nil, ""},
		{"typed, twice", "{} or { }", typed, "good morning or good morning", nil, ""},
		{"several lines, twice", "{} or { }", pasted, "{selected_text} or {selected_text}\n\n<selected_text>\na\nb\n</selected_text>", nil, ""},
		{"pasted", "Fix {}", gather.Values{Text: "a", Spans: []prompt.Span{{To: 1}}}, "Fix {selected_text}\n\n<selected_text>\na\n</selected_text>", nil, ""},
		{"typed, and not asked for", "Say hello.", typed, "Say hello.\n\ngood morning", nil, ""},
		{"typed before the open note", "About {}", gather.Values{Text: "x", Active: note("Pears.md")}, "About x", nil, ""},
		{"the open note for nothing", "About {}", open, "About [[Pears]]", []string{"Pears.md"}, ""},
		{"a selection", "About {}", part, "About [[Pears#L1-L3]]", []string{"selection:Pears.md#L1-L3"}, ""},
		{"nothing at all", "About {}", gather.Values{}, "About {}", nil, "no note is open"},
		{"the open note", "In {activenote} and { activeNote }", open, "In [[Pears]] and [[Pears]]", []string{"Pears.md", "Pears.md"}, ""},
		{"no open note", "In {activeNote}", typed, "In {activeNote}\n\ngood morning", nil, "no note is open"},
		{"a private open note", "In {activeNote}", gather.Values{Active: note("orchard/Deal.md")}, "In {activeNote}", nil, "private"},
		{"a private open note for nothing", "In {}", gather.Values{Active: note("orchard/Deal.md")}, "In {}", nil, "private"},
		{"a note of a name that two have", "In {activeNote}", gather.Values{Active: note("old/Rake.md")}, "In [[old/Rake]]", []string{"old/Rake.md"}, ""},
		{"a link", "Read {[[Pears]]} and not [[Apple]], @Plum or #stone", gather.Values{}, "Read [[Pears]] and not [[Apple]], @Plum or #stone", []string{"Pears.md"}, ""},
		{"a heading", "Read {[[Pears#winter|it]]}", gather.Values{}, "Read [[Pears#winter|it]]", []string{"selection:Pears.md#Winter"}, ""},
		{"no such note", "Read {[[Quince]]}", gather.Values{}, "Read {[[Quince]]}", nil, "[[Quince]]: there is no such note; it stays text"},
		{"no such heading", "Read {[[Pears#Summer]]}", gather.Values{}, "Read {[[Pears#Summer]]}", nil, "has no such heading"},
		{"two notes", "Read {[[Rake]]}", gather.Values{}, "Read {[[Rake]]}", nil, "could be"},
		{"a private note", "Read {[[Deal]]}", gather.Values{}, "Read {[[Deal]]}", nil, "private"},
		{"a tag", "Sum up {#fruit}.", gather.Values{}, "Sum up #fruit.", []string{"tag:#fruit"}, ""},
		{"tags", "Sum up {#fruit, #stone}.", gather.Values{}, "Sum up #fruit, #stone.", []string{"tag:#fruit", "tag:#stone"}, ""},
		{"one of two tags", "Sum up {#fruit, #nut}.", gather.Values{}, "Sum up #fruit, #nut.", []string{"tag:#fruit"}, "#nut: no note has this tag"},
		{"no such tag", "Sum up {#nut}.", gather.Values{}, "Sum up {#nut}.", nil, "no note has this tag"},
		{"a folder", "List {orchard}", gather.Values{}, "List @orchard/", []string{"folder:orchard/"}, ""},
		{"a folder with a comma", "List {Notes, mine}", gather.Values{}, `List @"Notes, mine/"`, []string{"folder:Notes, mine/"}, ""},
		{"folders", "List {orchard/, shed}", gather.Values{}, "List @orchard/, @shed/", []string{"folder:orchard/", "folder:shed/"}, ""},
		{"a path", "Read {orchard/Plum.md}", gather.Values{}, "Read [[Plum]]", []string{"orchard/Plum.md"}, ""},
		{"a name without its path", "Read {Plum}", gather.Values{}, "Read {Plum}", nil, "is no variable"},
		{"a path that leads out", "Read {../secret.md} {/etc}", gather.Values{}, "Read {../secret.md} {/etc}", nil, "is no variable"},
		{"unknown", "Use {tone}", gather.Values{}, "Use {tone}", nil, "{tone} is no variable and no folder"},
		{"JSON", `Return {"orchard": 1}`, open, `Return {"orchard": 1}`, nil, ""},
		{"LaTeX", `Explain \frac{orchard}{shed} and x^{shed} and \{shed}`, open, `Explain \frac{orchard}{shed} and x^{shed} and \{shed}`, nil, ""},
		{"a template", "Dear {{shed}}, {{activeNote}}", open, "Dear {{shed}}, {{activeNote}}", nil, ""},
		{"code", "Why `f() {}`?\n\n```\nfor {}\n{[[Pears]]}\n```", open, "Why `f() {}`?\n\n```\nfor {}\n[[Pears]]\n```", []string{"Pears.md"}, ""},
		{"a fence around the text", "Fix:\n\n```\n{}\n```", pasted, "Fix:\n\n```\n{selected_text}\n```\n\n<selected_text>\na\nb\n</selected_text>", nil, ""},
		{"after a word without spaces", "概要{}", open, "概要[[Pears]]", []string{"Pears.md"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := g.Fill(t.Context(), tt.prompt, tt.with)
			if f.Text != tt.text {
				t.Errorf("text %q, want %q", f.Text, tt.text)
			}
			wantList(t, "refs", ids(f.Refs()), tt.refs)
			said := reasons(f.Missing)
			if !strings.Contains(said, tt.missing) || tt.missing == "" && said != "" {
				t.Errorf("said %q, want %q", said, tt.missing)
			}
			if strings.Contains(f.Text, "Deal") != strings.Contains(tt.prompt, "Deal") {
				t.Errorf("the name of a private note: %q", f.Text)
			}
			// Read as a message, it names what the variables named and nothing else.
			refs, _ := g.Mentions(t.Context(), f.Text, f.Spans...)
			slices.SortFunc(refs, func(a, b prompt.Ref) int {
				return slices.Index(tt.refs, ids([]prompt.Ref{a})[0]) - slices.Index(tt.refs, ids([]prompt.Ref{b})[0])
			})
			wantList(t, "refs of the message", ids(refs), slices.Compact(slices.Clone(tt.refs)))
		})
	}
}

// TestFillTyped: what a person types behind the name of a prompt is a message as
// any other, but for what was pasted.
func TestFillTyped(t *testing.T) {
	g, _ := newGatherer(t, orchard)
	with := gather.Values{Text: "[[Apple]] and [[Plum]]", Spans: []prompt.Span{{From: 14, To: 22}}}
	for _, text := range []string{"About {}", "Hello [[Pears]]"} {
		f := g.Fill(t.Context(), text, with)
		refs, _ := g.Mentions(t.Context(), f.Text, f.Spans...)
		wantList(t, text, ids(refs), []string{"orchard/Apple.md"})
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
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
			items, _, err := g.Gather(t.Context(), f.Refs())
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, it := range items {
				files = append(files, it.Path)
			}
			slices.Sort(files)
			want := c.Expected.Files
			if strings.HasPrefix(c.Note, "UPSTREAM BUG") && !strings.Contains(c.Input.Prompt, "{}") {
				want = nil
			}
			if !slices.Equal(files, want) {
				t.Errorf("notes %q, want %q", files, want)
			}
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
