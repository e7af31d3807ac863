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

// TestMentions is the table of what a text may name.
func TestMentions(t *testing.T) {
	g, _ := newGatherer(t, shelf)
	tests := []struct {
		text    string
		refs    []string
		missing []string
	}{
		// The forms.
		{"@plans/Garden plan.md", []string{"plans/Garden plan.md"}, nil},
		{"@Plan", []string{"Plan.md"}, nil},
		{"@plan", []string{"Plan.md"}, nil},
		{"@Plan B", []string{"Plan B.md"}, nil},
		{`@"Plan B"`, []string{"Plan B.md"}, nil},
		{"[[Plan]]", []string{"Plan.md"}, nil},
		{"[[Plan|the plan]]", []string{"Plan.md"}, nil},
		{`| [[Plan\|p]] |`, []string{"Plan.md"}, nil},
		{"@[[Plan B]]", []string{"Plan B.md"}, nil},
		{"[[Plan#To do list]]", []string{"selection:Plan.md#To do list"}, nil},
		{"[[plan#to do LIST]]", []string{"selection:Plan.md#To do list"}, nil},
		{"[[Plan#^seeds]]", []string{"selection:Plan.md#^seeds"}, nil},
		{"@Plan#L1-L3", []string{"selection:Plan.md#L1-L3"}, nil},
		{"@Plan#L3 says it", []string{"selection:Plan.md#L3-L3"}, nil},
		{"@Plan#To do list says it", []string{"selection:Plan.md#To do list"}, nil},
		{"@plans/", []string{"folder:plans/"}, nil},
		{"@PLANS/ please", []string{"folder:plans/"}, nil},
		{"@plans", []string{"folder:plans/"}, nil},
		{"@/", []string{"folder:/"}, nil},
		{"#garden", []string{"tag:#garden"}, nil},
		{"@#garden", []string{"tag:#garden"}, nil},
		{"@https://example.com/a", []string{"url:https://example.com/a"}, nil},
		{"@active and @pins", []string{"workspace:@active", "workspace:@pins"}, nil},
		{"@The big one", []string{"plans/Garden plan.md"}, nil}, // an alias
		{"@Garden plan and @Plan and @Plan", []string{"plans/Garden plan.md", "Plan.md"}, nil},

		// The longest name wins; what stands behind a name does not matter.
		{"@Plan B or not", []string{"Plan B.md"}, nil},
		{"@Plan A or not", []string{"Plan.md"}, nil},
		{"@Plan, @Plan. @Plan! @Plan? @Plan; (@Plan) @Plan's “@Plan” …@Plan…", []string{"Plan.md"}, nil},
		{"Is it @Plan?", []string{"Plan.md"}, nil},
		{"@v1.2 notes.", []string{"plans/v1.2 notes.md"}, nil},
		{"@C# notes", []string{"C# notes.md"}, nil},
		{"@C# notes#Sharp!", []string{"selection:C# notes.md#Sharp"}, nil},
		{"@active learning is fun", []string{"active learning.md"}, nil},
		{"@active: what is it?", []string{"workspace:@active"}, nil},
		{`@"pins" and [[pins]]`, []string{"pins.md"}, nil},
		{"@Plan#Why (2025)", []string{"selection:Plan.md#Why (2025)"}, nil},

		// Scripts without spaces.
		{"昨日の@日記を読んで", []string{"日記.md"}, nil},
		{"@日記。", []string{"日記.md"}, nil},
		{"看看@東京 旅行吧", []string{"東京 旅行.md"}, nil},
		{"#日常", []string{"tag:#日常"}, nil},
		{"@노트를 봐", []string{"노트.md"}, nil},
		{"see @a long way down/to the place where/the notes of the year are kept/in folders of their own/Notes on long names and how to write them.md, all of it", []string{"a long way down/to the place where/the notes of the year are kept/in folders of their own/Notes on long names and how to write them.md"}, nil},

		// URLs.
		{"(@https://example.com/a_(b))", []string{"url:https://example.com/a_(b)"}, nil},
		{"@https://example.com/a?b=1,2.", []string{"url:https://example.com/a?b=1,2"}, nil},
		{"@https://example.com/a。次", []string{"url:https://example.com/a。次"}, nil},
		{"@https://example.com/a。", []string{"url:https://example.com/a"}, nil},
		{"<@https://example.com/a>", []string{"url:https://example.com/a"}, nil},
		{"https://example.com/@Plan and http://x.y/#garden", nil, nil},

		// What is no mention.
		{"", nil, nil},
		{"mail user@example.com or a@Plan", nil, nil},
		{`\@Plan and \[[Plan]] and \#garden`, nil, nil},
		{"`@Plan` and ``@Plan ` [[Plan]]``", nil, nil},
		{"```\n@Plan\n```\n@Plan B", []string{"Plan B.md"}, nil},
		{"~~~~\n@Plan\n~~~\n[[Plan]]\n~~~~\n#garden", []string{"tag:#garden"}, nil},
		{"```go\n@Plan", nil, nil},
		{"`open @Plan B", []string{"Plan B.md"}, nil},
		{"@ Plan, @@Plan, @, [[]], [[ ]], #, ##, #12, @\"\"", nil, nil},
		{"# Heading\n1 # 2", nil, nil},
		{"see [[Plan", nil, nil},

		// What names nothing, or several things, stays text and is told.
		{"@nobody", nil, []string{"missing nobody"}},
		{"@nobody at all, @nobody", nil, []string{"missing nobody"}},
		{"[[Nothing|x]] and #nothing", nil, []string{"missing Nothing", "missing #nothing"}},
		{"[[#Heading]]", nil, []string{"missing #Heading"}},
		{"@Same", nil, []string{"ambiguous Same"}},
		{"@a/Same and @b/Same", []string{"a/Same.md", "b/Same.md"}, nil},
		{"@Plan#Nowhere", nil, []string{"missing Plan.md#Nowhere"}},
		{"@Plan#L99", nil, []string{"missing Plan.md#L99"}},
		{"@.", nil, nil},
		{"#onlychat", nil, []string{"missing #onlychat"}}, // somebody typed it in a chat
		{"@../../etc/passwd", nil, []string{"missing ../../etc/passwd"}},
		{"![[photo.png]]", []string{"image:pics/photo.png"}, nil},
	}
	for _, tt := range tests {
		refs, missing := g.Mentions(t.Context(), tt.text)
		wantList(t, tt.text, ids(refs), tt.refs)
		wantList(t, tt.text+" missing", states(missing), tt.missing)
		for _, m := range missing {
			if m.Reason == "" {
				t.Errorf("%s: no words", tt.text)
			}
		}
	}
}

func TestReference(t *testing.T) {
	g, _ := newGatherer(t, shelf)
	tests := []struct {
		ref     string
		refs    []string
		missing []string
	}{
		{"Plan B", []string{"Plan B.md"}, nil},
		{"@Plan B", []string{"Plan B.md"}, nil},
		{` @"Plan B" `, []string{"Plan B.md"}, nil},
		{`"Plan B"`, []string{"Plan B.md"}, nil},
		{"[[Plan B|x]]", []string{"Plan B.md"}, nil},
		{"![[Plan]]", []string{"Plan.md"}, nil},
		{"Plan#To do list", []string{"selection:Plan.md#To do list"}, nil},
		{"plans", []string{"folder:plans/"}, nil},
		{"plans/", []string{"folder:plans/"}, nil},
		{"#garden", []string{"tag:#garden"}, nil},
		{"https://example.com/x", []string{"url:https://example.com/x"}, nil},
		{"active", []string{"workspace:@active"}, nil},
		{"@active", []string{"workspace:@active"}, nil},
		{"@pins", []string{"workspace:@pins"}, nil},
		{`"pins"`, []string{"pins.md"}, nil},
		{"[[pins]]", []string{"pins.md"}, nil},
		{"Plan A", nil, []string{"missing Plan A"}},
		{"", nil, []string{"missing "}},
	}
	for _, tt := range tests {
		refs, missing := g.Reference(t.Context(), tt.ref)
		wantList(t, tt.ref, ids(refs), tt.refs)
		wantList(t, tt.ref+" missing", states(missing), tt.missing)
		if strings.Contains(reasons(missing), "stays text") {
			t.Errorf("%s: %s", tt.ref, reasons(missing))
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
	if got := reasons(missing); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
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
	wantList(t, "refs", ids(refs), []string{"Plan.md"})
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
	wantList(t, "refs", ids(refs), []string{"Brand new.md", "tag:#fresh"})
	wantList(t, "missing", states(missing), []string{"missing nobody"})
}

// TestPrivateNames: a private note can be named; it is refused when it is read.
func TestPrivateNames(t *testing.T) {
	g, _ := newGatherer(t, "-- diary.md --\n---\nprivate: true\n---\n# Head\nx\n")
	refs, _ := g.Mentions(t.Context(), "@diary")
	wantList(t, "refs", ids(refs), []string{"diary.md"})
	refs, missing := g.Mentions(t.Context(), "@diary#Head")
	if len(refs) > 0 || len(missing) != 1 || missing[0].State != "private" {
		t.Errorf("%v, %+v", refs, missing)
	}
}

func FuzzMentions(f *testing.F) {
	for _, s := range []string{"@Plan B, [[Plan#To do list|x]] #garden `@x` @\"q\" @https://a.b/(c)", "~~~\n@\n~~~", "@\xff[[", "@日記を\\@"} {
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
		if refs, missing := g.Mentions(t.Context(), "`````````````\n"+strings.ReplaceAll(text, "`", "'")); len(refs)+len(missing) > 0 {
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
	tests := []struct {
		text    string // pasted parts between « and », picked ones between ‹ and ›
		picked  prompt.Ref
		refs    []string
		missing []string
	}{
		{text: "see @Garden and [[Garden plan]]", refs: []string{"Garden.md", "Garden plan.md"}},
		{text: "see «@Garden and [[Garden plan]] #spring»"},
		{text: "«@Garden» @Garden", refs: []string{"Garden.md"}},
		{text: "@Garden« plan» is short", refs: []string{"Garden.md"}},
		{text: "@Garden«, the place»", refs: []string{"Garden.md"}},
		{text: "@Gar«den»"},
		{text: "@«Garden»"},
		{text: "[[Gar«den]] and» [[Garden]]", refs: []string{"Garden.md"}},
		{text: "me«x»@Garden"},
		{text: "«```» @Garden", refs: []string{"Garden.md"}},
		{text: "«`»@Garden «`»"},
		{text: "@Same", missing: []string{"ambiguous Same"}},
		{text: "@Garden, ‹@Same› and @nobody", picked: note("b/Same.md"), refs: []string{"Garden.md", "b/Same.md"}, missing: []string{"missing nobody"}},
		{text: "‹@Gone›", picked: note("a/Gone.md"), refs: []string{"a/Gone.md"}},
		{text: "‹@Garden› @Garden", picked: note("Garden.md"), refs: []string{"Garden.md"}},
	}
	for _, tt := range tests {
		text, spans := marked(tt.text, tt.picked)
		refs, missing := g.Mentions(t.Context(), text, spans...)
		wantList(t, tt.text, ids(refs), tt.refs)
		wantList(t, tt.text+" missing", states(missing), tt.missing)
	}
	// Spans of another text do no harm.
	if refs, _ := g.Mentions(t.Context(), "@Garden", prompt.Span{From: 50, To: 90}, prompt.Span{From: -3, To: -1}, prompt.Span{From: 5, To: 2}); len(refs) != 1 {
		t.Errorf("spans outside of the text: %v", refs)
	}
}

// marked takes the marks of the parts out of a text.
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
	for text, want := range map[string]struct{ refs, missing string }{
		"what of #log?":              {missing: "many #log"},
		"what of [[Log/]]?":          {missing: "many Log/"},
		"what of @Log, then":         {missing: "many Log/"},
		`and @"Log" there`:           {missing: "many Log/"},
		"#log and #log":              {missing: "many #log"},
		"what of #long?":             {missing: "many #long"},
		"[[Long texts/]]":            {missing: "many Long texts/"},
		"#few #half [[Few/]] @Half":  {refs: "tag:#few tag:#half folder:Few/ folder:Half/"},
		"@#log and @Log/":            {refs: "tag:#log folder:Log/"},
		"@log/ @[[Log/]] @#long":     {refs: "folder:Log/ tag:#long"},
		`@"Long texts/"`:             {refs: "folder:Long texts/"},
		"@Long texts/ as they stand": {refs: "folder:Long texts/"},
		"#log, that is @#log":        {refs: "tag:#log", missing: "many #log"},
	} {
		refs, missing := g.Mentions(t.Context(), text)
		if got := strings.Join(ids(refs), " "); got != want.refs {
			t.Errorf("%s: %s, want %s", text, got, want.refs)
		}
		if got := strings.Join(states(missing), " "); got != want.missing {
			t.Errorf("%s: missing %s, want %s", text, got, want.missing)
		}
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
