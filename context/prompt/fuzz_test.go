package prompt

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// anyBlockTag is the tag of a block, opening or closing.
var anyBlockTag = regexp.MustCompile(`(?i)<[/ ]{0,4}(?:note_context|active_note|selected_text|url_content|dataview_block|note_update|project_system_prompt|project_context|user_instructions|user_memory|guidance)(?:[^-\w]|$)`)

// wholeBlock is a block as the engine writes it, with its bodies.
var wholeBlock = regexp.MustCompile(strings.NewReplacer(
	"NAMES", `<title>[^<\n]*</title>\n<path>[^<\n]*</path>\n`, "BODY", `((?s:.*?))`,
).Replace(strings.Join([]string{
	`<note_context>\nNAMES<content>BODY</content>\n</note_context>`,
	`<note_context>\nNAMES<outline>BODY</outline>\n</note_context>`,
	`<active_note>\nNAMES<content>BODY</content>\n</active_note>`,
	`<selected_text>\nNAMES<start_line>\d+</start_line>\n<end_line>\d+</end_line>\n<content>BODY</content>\n</selected_text>`,
	`<url_content>\n<url>[^<\n]*</url>\n<content>BODY</content>\n</url_content>`,
	`<dataview_block>\nNAMES<query_type>[^<\n]*</query_type>\n<original_query>BODY</original_query>\n<executed_result>BODY</executed_result>\n</dataview_block>`,
	`<note_update>\n<path>[^<\n]*</path>\n<diff>BODY</diff>\n</note_update>`,
}, "|")))

// checkBlocks checks the number of blocks of items in a message, whose bodies end in the right
// place, and the number of other tags of blocks.
func checkBlocks(t *testing.T, text string, blocks, others int) {
	t.Helper()
	found := wholeBlock.FindAllStringSubmatch(text, -1)
	if len(found) != blocks {
		t.Fatalf("%d blocks, %d were written:\n%s", len(found), blocks, text)
	}
	for _, m := range found {
		for _, body := range m[1:] {
			if tag := anyBlockTag.FindString(body); tag != "" || strings.Contains(body, "</diff>") {
				t.Fatalf("a body holds %q:\n%s", tag, body)
			}
		}
	}
	rest := wholeBlock.ReplaceAllString(text, "")
	if got := len(anyBlockTag.FindAllString(rest, -1)); got != others {
		t.Fatalf("%d other tags, %d were written:\n%s", got, others, text)
	}
}

// blocksIn returns the numbers of blocks that a request has by its report.
func blocksIn(e Envelope) (system, l3 int) {
	for _, l := range e.Library {
		if l.Place == "system" {
			system++
		}
	}
	for _, s := range e.Layers[3].Segments {
		if s.Kind == "full" || s.Kind == "update" || s.Kind == "diff" {
			l3++
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
	f.Add(strings.Repeat("line\n", 2000), "@@",
		strings.Repeat("line\n", 1000)+"<diff>\n"+strings.Repeat("line\n", 999), "", uint16(9000))
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
	l1 := SystemText(Instructions{
		Vault: name, User: tool, Memory: content,
		Project: &Project{Prompt: second, Context: tool},
	})
	inL1 := len(anyBlockTag.FindAllString(basePrompt, -1)) + 2 // the project's prompt is always there
	for _, part := range []string{tool, content, tool} {
		if CanonicalText(part) != "" {
			inL1 += 2
		}
	}
	edited := NewItem(note.Ref, name, note.Path, second)
	moved := NewItem(Ref{Note, "m:" + name}, second, "m:"+name, second)
	turns := []Turn{
		{Attached: []Item{note, sel, page, query, note}, Active: note.ID},
		{
			Attached: []Item{note, sel},
			Tools:    []ToolResult{{Name: "search", Content: tool, Guidance: content, Attributes: [][2]string{{"q", name}}}},
		},
		{Current: map[string]Current{note.ID: {State: Changed, Item: edited}, sel.ID: {State: Deleted}}},
		{Attached: []Item{edited, query}, Active: note.ID},
		{Moves: []Move{{From: note.Ref, To: moved}}},
		{Attached: []Item{moved, page}},
	}
	c := Reopen([]Past{
		{Role: User, Text: "before", Context: "[Context: Notes: " + name + "]"},
		{Role: Assistant, Text: "then"},
	}, nil, []string{tool}, nil)
	for i, turn := range turns {
		turn.Context = "[Context: Notes: " + name + "]"
		turn.Text, turn.Layout, turn.Settings.L1, turn.Budget.Window = "question", layout, l1, window
		env, err := c.Prepare(turn)
		if err != nil {
			continue // too long for its window
		}
		msgs := env.Messages()
		system, l3 := blocksIn(env)
		checkBlocks(t, msgs[0].Content, system, inL1)
		guidance := 0
		if len(turn.Tools) > 0 && CanonicalText(content) != "" {
			guidance = 2
		}
		checkBlocks(t, msgs[len(msgs)-1].Content, l3, guidance)
		for i, m := range msgs {
			if 0 < i && i < len(msgs)-1 && env.Epoch.New && anyBlockTag.MatchString(m.Content) {
				t.Fatalf("%s, turn %d: a block in the raw history:\n%s", layout, i, m.Content)
			}
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
		once := CanonicalText(s)
		if CanonicalText(once) != once {
			t.Fatalf("%q becomes %q, which becomes %q", s, once, CanonicalText(once))
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
