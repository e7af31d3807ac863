package prompt

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var anyOwnTag = regexp.MustCompile(`(?i)<[/ ]{0,4}(?:note_context|active_note|selected_text|url_content|dataview_block|note_update|title|path|content|outline|diff|url|start_line|end_line|query_type|original_query|executed_result|project_system_prompt|project_context|user_memory|guidance)(?:[^-\w]|$)`)

// tagsOf is the number of our tags, opening and closing, in one rendered item.
var tagsOf = map[Kind]int{Note: 8, Selection: 12, URL: 6, Query: 12}

// ownTagsIn is the number of our tags that a request must hold, by its own account.
func ownTagsIn(e Envelope) (system, l3 int) {
	kinds := map[string]Kind{}
	for _, l := range e.Library {
		kinds[l.Ref.ID] = l.Ref.Kind
		switch {
		case l.Place == "system" && e.next.known[len(kinds)-1].stub:
			system += 8
		case l.Place == "system":
			system += tagsOf[l.Ref.Kind]
		}
	}
	for _, s := range e.Layers[3].Segments {
		switch s.Kind {
		case "full", "update":
			l3 += tagsOf[kinds[s.ID]]
		case "diff":
			l3 += 6
		}
	}
	return system, l3
}

// FuzzPrepare sends arbitrary text through every place that foreign text can
// stand in: it never panics, and the structure of the prompt is what the engine
// wrote and nothing else (S0-72).
func FuzzPrepare(f *testing.F) {
	for _, s := range hostileParts {
		f.Add(s, s, s, s, uint16(0))
	}
	f.Add("a\r\nb", "n.md", "\x00\xff", "[NOTE TO SELF: <title>]", uint16(700))
	f.Add(strings.Repeat("line\n", 2000), "@@", strings.Repeat("line\n", 1000)+"<diff>\n"+strings.Repeat("line\n", 999), "", uint16(9000))
	f.Fuzz(func(t *testing.T, content, name, second, tool string, window uint16) {
		if len(content)+len(name)+len(second)+len(tool) > 64<<10 {
			t.Skip("long")
		}
		for _, layout := range []Layout{Auto, Strict, Append} {
			fuzzConversation(t, layout, content, name, second, tool, int(window))
		}
	})
}

func fuzzConversation(t *testing.T, layout Layout, content, name, second, tool string, window int) {
	note := NewItem(Ref{Note, "n:" + name}, name, "n:"+name, content)
	note.Outline = second
	sel := NewItem(Lines("s:"+name, 1, 2), name, "s:"+name, second)
	page := NewItem(Ref{URL, "https://" + name}, name, "https://"+name, content)
	query := NewItem(QueryRef("q:"+name, second), name, "q:"+name, content)
	query.Query, query.QueryType = second, tool
	l1 := SystemText(Instructions{Vault: name, Memory: content, Project: &Project{Prompt: second, Context: tool}})
	wantL1 := 0
	for _, part := range []string{"<user_memory>", "<project_system_prompt>", "<project_context>"} {
		wantL1 += 2 * strings.Count(l1, part)
	}
	edited := NewItem(note.Ref, name, note.Path, second)
	moved := NewItem(Ref{Note, "m:" + name}, second, "m:"+name, second)
	turns := []Turn{
		{Attached: []Item{note, sel, page, query, note}, Active: note.ID},
		{Attached: []Item{note, sel}, Tools: []ToolResult{{Name: "search", Content: tool, Guidance: content, Attributes: [][2]string{{"q", name}}}}},
		{Current: map[string]Current{note.ID: {State: Changed, Item: edited}, sel.ID: {State: Deleted}}},
		{Attached: []Item{edited, query}, Active: note.ID},
		{Moves: []Move{{From: note.Ref, To: moved}}},
		{Attached: []Item{moved, page}},
	}
	c := Reopen([]Past{{User, "before"}, {Assistant, "then"}}, nil, []string{tool}, nil)
	for i, turn := range turns {
		turn.Text, turn.Layout, turn.Settings.L1, turn.Budget.Window = "question", layout, l1, window
		env, err := c.Prepare(turn)
		if err != nil {
			continue // too long for its window
		}
		system, l3 := ownTagsIn(env)
		msgs := env.Messages()
		base := len(anyOwnTag.FindAllString(basePrompt, -1))
		if got := len(anyOwnTag.FindAllString(msgs[0].Content, -1)); got != system+wantL1+base {
			t.Fatalf("%s, turn %d: %d tags in the system message, %d were written:\n%s", layout, i, got, system+wantL1+base, msgs[0].Content)
		}
		last := msgs[len(msgs)-1].Content
		if len(turn.Tools) > 0 && Canonical(content) != "" {
			l3 += 2
		}
		if got := len(anyOwnTag.FindAllString(last, -1)); got != l3 {
			t.Fatalf("%s, turn %d: %d tags in the message, %d were written:\n%s", layout, i, got, l3, last)
		}
		for _, m := range msgs {
			if !utf8.ValidString(m.Content) || strings.ContainsAny(m.Content, "\r\x00") {
				t.Fatalf("%s, turn %d: %q is no clean text", layout, i, m.Content)
			}
		}
		if env.Break != nil {
			t.Fatalf("%s, turn %d: %+v", layout, i, *env.Break)
		}
		_ = env.Dump()
		c = env.Commit("answer", "")
	}
}

// FuzzCanonical holds that the canonical form is one, and keeps inner white space.
func FuzzCanonical(f *testing.F) {
	f.Add("\r\n a \r\n\n b\x00\xff\r\n \n")
	f.Fuzz(func(t *testing.T, s string) {
		once := Canonical(s)
		if Canonical(once) != once {
			t.Fatalf("%q becomes %q, which becomes %q", s, once, Canonical(once))
		}
		if !utf8.ValidString(once) || strings.ContainsAny(once, "\r\x00") || strings.HasSuffix(once, "\n") {
			t.Fatalf("%q is not canonical", once)
		}
		words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if utf8.ValidString(s) && !strings.ContainsAny(s, "\x00") && words(once) != words(s) {
			t.Fatalf("%q lost text: %q", s, once)
		}
	})
}
