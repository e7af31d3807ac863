package gather_test

import (
	"fmt"
	"strings"
	"testing"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

const shelf = `
-- Plan.md --
# Plan

First line.

## To do list

- buy seeds ^seeds

## Why (2025)

Because.
-- Plan B.md --
second
-- plans/Garden plan.md --
---
aliases: [The big one]
---
#garden
-- plans/v1.2 notes.md --
x
-- C# notes.md --
# Sharp
-- 日記.md --
#日常
-- 東京 旅行.md --
x
-- 노트.md --
x
-- a long way down/to the place where/the notes of the year are kept/in folders of their own/Notes on long names and how to write them.md --
x
-- a/Same.md --
x
-- b/Same.md --
x
-- active learning.md --
x
-- pins.md --
x
-- Old chat.md --
---
epoch: 1
modelKey: "m|x"
---
**user**: #garden #onlychat
-- pics/photo.png --
x
`

// TestMentions runs the table of references in texts.
func TestMentions(t *testing.T) {
	g, _ := newGatherer(t, shelf)
	for _, row := range vaulttest.Rows(t, "mentions.txt", 3) {
		refs, missing := g.Mentions(t.Context(), row[0])
		wantList(t, row[0], ids(refs), row[1])
		wantList(t, row[0]+" missing", states(missing), row[2])
		for _, m := range missing {
			if m.Reason == "" {
				t.Errorf("%s: no words", row[0])
			}
		}
	}
}

func TestReference(t *testing.T) {
	g, _ := newGatherer(t, shelf)
	for _, row := range vaulttest.Rows(t, "references.txt", 3) {
		refs, missing := g.Reference(t.Context(), row[0])
		wantList(t, row[0], ids(refs), row[1])
		wantList(t, row[0]+" missing", states(missing), row[2])
		if strings.Contains(reasons(missing), "stays text") {
			t.Errorf("%s: %s", row[0], reasons(missing))
		}
	}
}

// TestNearMisses: what may have been meant is named.
func TestNearMisses(t *testing.T) {
	g, _ := newGatherer(t, shelf)
	_, missing := g.Mentions(t.Context(), "see @Gardn plan, @Same and @nobody")
	want := "@Gardn: there is no such note; did you mean plans/Garden plan.md?\n" +
		"@Same could be a/Same.md or b/Same.md: nothing is attached, name the one that is meant\n" +
		"@nobody: there is no such note; it stays text"
	is(t, reasons(missing), want)
	if c := missing[1].Candidates; len(c) != 2 {
		t.Errorf("%q", c)
	}
}

// TestManyMissing: a text that was pasted does not fill the screen with warnings.
func TestManyMissing(t *testing.T) {
	g, _ := newGatherer(t, shelf)
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "@person%d wrote to @Plan and\n", i)
	}
	refs, missing := g.Mentions(t.Context(), text.String())
	wantList(t, "refs", ids(refs), "Plan.md")
	if len(missing) != 9 || !strings.Contains(missing[8].Reason, "292 more") {
		t.Errorf("%d are missing, at last %q", len(missing), missing[len(missing)-1].Reason)
	}
}

// TestNewNote: a note that nobody has told of is found, and the disk is looked
// at once a text and not once a name.
func TestNewNote(t *testing.T) {
	g, v := newGatherer(t, shelf)
	vaulttest.Write(t, v, "Brand new.md", "x #fresh")
	refs, missing := g.Mentions(t.Context(), "@Brand new and #fresh and @nobody")
	wantList(t, "refs", ids(refs), "Brand new.md, tag:#fresh")
	wantList(t, "missing", states(missing), "missing nobody")
}

// TestPrivateNames: a private note can be named; it is refused when it is read.
func TestPrivateNames(t *testing.T) {
	g, _ := newGatherer(t, "-- diary.md --\n---\nprivate: true\n---\n# Head\nx\n")
	refs, _ := g.Mentions(t.Context(), "@diary")
	wantList(t, "refs", ids(refs), "diary.md")
	refs, missing := g.Mentions(t.Context(), "@diary#Head")
	if len(refs) > 0 || len(missing) != 1 || missing[0].State != "private" {
		t.Errorf("%v, %+v", refs, missing)
	}
}

func FuzzMentions(f *testing.F) {
	for _, s := range []string{
		"@Plan B, [[Plan#To do list|x]] #garden `@x` @\"q\" @https://a.b/(c)", "~~~\n@\n~~~",
		"@\xff[[", "@日記を\\@",
	} {
		f.Add(s)
	}
	v := vaulttest.New(f, shelf)
	g := gather.New(v, gather.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		refs, missing := g.Mentions(t.Context(), text)
		again, _ := g.Mentions(t.Context(), text)
		wantList(t, text, ids(again), ids(refs))
		for i, r := range refs {
			if r.ID == "" || r.Kind == "" {
				t.Errorf("%q: %+v", text, r)
			}
			for _, o := range refs[:i] {
				if o == r {
					t.Errorf("%q: %v twice", text, r)
				}
			}
			if r.Kind == prompt.Note {
				if p, err := vault.ParsePath(r.ID); err != nil || string(p) != r.ID {
					t.Errorf("%q: %q is no path", text, r.ID)
				}
			}
		}
		for _, m := range missing {
			if m.Reason == "" || strings.ContainsAny(m.Reason, "\n") {
				t.Errorf("%q: %q", text, m.Reason)
			}
		}
		// In a code fence nothing is a mention.
		if refs, missing := g.Mentions(t.Context(),
			"`````````````\n"+strings.ReplaceAll(text, "`", "'")); len(refs)+len(missing) > 0 {
			t.Errorf("%q in a fence: %v, %v", text, refs, missing)
		}
	})
}

// TestSpans: what was pasted names nothing, and what was picked from a list is
// the thing that was picked.
func TestSpans(t *testing.T) {
	g, _ := newGatherer(t, `
-- Garden.md --
The garden.
-- Garden plan.md --
The plan.
-- a/Same.md --
One.
-- b/Same.md --
Other. #spring
`)
	for _, row := range vaulttest.Rows(t, "spans.txt", 4) {
		text, spans := marked(row[0], note(row[1]))
		refs, missing := g.Mentions(t.Context(), text, spans...)
		wantList(t, row[0], ids(refs), row[2])
		wantList(t, row[0]+" missing", states(missing), row[3])
	}
	// Spans of another text do no harm.
	if refs, _ := g.Mentions(t.Context(), "@Garden", prompt.Span{From: 50, To: 90}, prompt.Span{From: -3, To: -1},
		prompt.Span{From: 5, To: 2}); len(refs) != 1 {
		t.Errorf("spans outside of the text: %v", refs)
	}
}

// marked removes the marks of the parts from a text.
func marked(text string, picked prompt.Ref) (string, []prompt.Span) {
	var out strings.Builder
	var spans []prompt.Span
	for _, r := range text {
		switch r {
		case '«':
			spans = append(spans, prompt.Span{From: out.Len()})
		case '‹':
			spans = append(spans, prompt.Span{From: out.Len(), Ref: picked})
		case '»', '›':
			spans[len(spans)-1].To = out.Len()
		default:
			out.WriteRune(r)
		}
	}
	return out.String(), spans
}

// TestManyAtOnce: a folder or a tag in running text that stands for much attaches
// nothing, unless it is written so that it can mean nothing else.
func TestManyAtOnce(t *testing.T) {
	var archive strings.Builder
	for i := range 21 {
		fmt.Fprintf(&archive, "-- Log/day %d.md --\n#log\n", i)
	}
	for i := range 20 {
		fmt.Fprintf(&archive, "-- Few/%d.md --\n#few\n", i)
	}
	for i := range 20 {
		fmt.Fprintf(&archive, "-- Half/%d.md --\n---\nprivate: %v\ntags: half\n---\n", i, i > 10)
	}
	fmt.Fprintf(&archive, "-- Half/more/note.md --\n#half\n")
	fmt.Fprintf(&archive, "-- Long texts/a.md --\n#long %s\n", strings.Repeat("word ", 9000))
	g, _ := newGatherer(t, archive.String())
	for _, row := range vaulttest.Rows(t, "many.txt", 3) {
		refs, missing := g.Mentions(t.Context(), row[0])
		wantList(t, row[0], ids(refs), row[1])
		wantList(t, row[0]+" missing", states(missing), row[2])
	}
	_, missing := g.Mentions(t.Context(), "#log and @Log")
	if got, want := reasons(missing), "#log stands for 21 notes, about 26 tokens: nothing is attached; write @#log or pick it from the list to attach them all\n"+
		"Log/ stands for 21 notes, about 26 tokens: nothing is attached; write @Log/ or pick it from the list to attach them all"; got != want {
		t.Errorf("%s", got)
	}
	picked, spans := marked("‹#log›", ref(prompt.Tag, "#log"))
	if refs, missing := g.Mentions(t.Context(), picked, spans...); len(refs) != 1 || len(missing) > 0 {
		t.Errorf("picked: %v, %v", refs, missing)
	}
	for _, name := range []string{"#log", "@#log", "Log/", "Log", `"Log"`, "[[Log/]]"} {
		if refs, missing := g.Reference(t.Context(), name); len(refs) != 1 || len(missing) > 0 {
			t.Errorf("%s on its own: %v, %v", name, refs, missing)
		}
	}
}

// TestTypedPath: a path behind "@" means its own file or none, and never the note that has the name of its beginning or
// its end. A link may name the end of a path.
func TestTypedPath(t *testing.T) {
	v := vaulttest.New(t, `
-- Archive/Plan.md --
-- Archive/Deep/My plan.md --
-- 日記.md --
-- Twin.md --
-- Archive/Twin.md --
-- Plan (2025).md --
-- pics/map.png --
-- Archive/v1.2 notes.md --
`)
	g := gather.New(v, gather.Options{})
	for text, want := range map[string]string{
		"of @Archive/Plan and":     "Archive/Plan.md",
		"of @archive/plan.md.":     "Archive/Plan.md",
		"of @Plan, too":            "Archive/Plan.md",
		"of @Plan. And":            "Archive/Plan.md",
		"of @Projects/Plan and":    "@Projects/Plan: there is no such note; there is Archive/Plan.md",
		`of @"Projects/Plan#Top"`:  `@"Projects/Plan#Top": there is no such note; there is Archive/Plan.md`,
		"of @Plan.md and":          "@Plan.md: there is no such note; there is Archive/Plan.md",
		"of @Plan.md.":             "@Plan.md: there is no such note; there is Archive/Plan.md",
		"of @My plan.md and":       "@My: there is no such note; there is Archive/Deep/My plan.md",
		"of @My plan and":          "Archive/Deep/My plan.md",
		"of @Deep/My plan and":     "@Deep/My: there is no such note; there is Archive/Deep/My plan.md",
		"of [[Deep/My plan]] and":  "Archive/Deep/My plan.md",
		"of [[Projects/Plan]] and": "[[Projects/Plan]]: there is no such note; there is Archive/Plan.md",
		"@日記を":                     "日記.md",
		"@日記/計画":                   "@日記/計画: there is no such note; did you mean 日記.md?",
		"of @Plan (2025), and":     "Plan (2025).md",
		"of @Twin and": "@Twin could be Archive/Twin.md or Twin.md: nothing is attached, name the one that is " +
			"meant",
		"of @Twin.md and @/Twin and": "Twin.md",
		"of [[Twin]] and":            "Twin.md",
		"of @map.png and":            "pics/map.png",
		"of @v1.2 notes and":         "Archive/v1.2 notes.md",
	} {
		refs, missing := g.Mentions(t.Context(), text)
		var got []string
		for _, r := range refs {
			got = append(got, r.ID)
		}
		for _, m := range missing {
			got = append(got, m.Reason)
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s:\n%s\nwant %s", text, all, want)
		}
	}
}

// TestPlainlyTyped: names may be typed with escaped spaces, without accents and with straight quotes.
func TestPlainlyTyped(t *testing.T) {
	g := gather.New(vaulttest.New(t, `
-- Car Kit.md --
-- Rooms/Car Kit (2025).md --
-- Café Müller.md --
-- Anna’s notes.md --
-- The “big” plan.md --
`), gather.Options{})
	for text, want := range map[string]string{
		`see @Car\ Kit and`:                   "Car Kit.md",
		`see @Car\ Kit.`:                      "Car Kit.md",
		`@Rooms/Car\ Kit\ \(2025\).md, then`:  "Rooms/Car Kit (2025).md",
		`@cafe\ muller and`:                   "Café Müller.md",
		"from @cafe muller, please":           "Café Müller.md",
		"from [[cafe muller]]":                "Café Müller.md",
		`from @"cafe muller"`:                 "Café Müller.md",
		"in @Anna's notes of":                 "Anna’s notes.md",
		`in @the "big" plan of`:               "The “big” plan.md",
		`an escaped \@Car\ Kit is no mention`: "",
	} {
		refs, missing := g.Mentions(t.Context(), text)
		wantList(t, text, ids(refs), want)
		wantList(t, text+" missing", states(missing), "")
	}
}
