package offline

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/context/prompt"
)

// Whatever a note holds and whatever is asked: no panic, every quoted line
// stands in the note, and a second run says the same.
func FuzzReply(f *testing.F) {
	for _, s := range []struct{ content, question string }{
		{"# A\n\ntext. More text!\n\n- a\n  - b\n\n1. c\n", "text"},
		{"---\ntags: [a\n---\n| a | b |\n|---|\n| c | d |\n> [!x]\n> y", "list the tags"},
		{"```\nopen", "open"},
		{"- [ ] a\n\n      code\n- [x] b\n\t- c\n---\n", "tasks?"},
		{"$$\nx\n\nSet\n===\nb\n---\n%% c\n%%\n<!-- d", "summarize this"},
		{"人が 山に、登る。가나다 ภาษาไทย\n\xff\x00`[[a`", "山に登る「人」"},
		{"a ^b\n\n> q ^c\n\n\t- t | u\n-|-\n", "and the second?"},
		{"", ""},
	} {
		f.Add(s.content, s.question, uint8(0))
		f.Add(s.content, s.question, uint8(7))
	}
	f.Fuzz(func(t *testing.T, content, question string, shape uint8) {
		check(t, content, question, shape)
	})
}

func check(t *testing.T, content, question string, shape uint8) {
	it := prompt.NewItem(prompt.Ref{Kind: prompt.Note, ID: "Dir/N [x].md"}, "N", "Dir/N [x].md", content)
	switch shape & 3 {
	case 1:
		it = prompt.NewItem(prompt.Lines("N.md", 5, 9), "N", "N.md", content)
		it.StartLine, it.EndLine = 5, 9
	case 2:
		it = prompt.NewItem(prompt.Ref{Kind: prompt.URL, ID: "https://example.com/"}, question,
			"https://example.com/", content)
	}
	r := chains.Request{Documents: []prompt.Item{it}, Question: question}
	if shape&4 != 0 {
		r.Messages = conversation(content, question)
		r.Documents = append(r.Documents, note("N.md", question))
	}
	got, err := New(Options{}).reply(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if utf8.ValidString(question) && !utf8.ValidString(got) {
		t.Errorf("invalid UTF-8: %q", got)
	}
	if len(got) > 40_000+4*len(question) {
		t.Errorf("a reply of %d bytes", len(got))
	}
	verbatim(t, r.Documents, got)
	again, err := New(Options{}).reply(t.Context(), r)
	if err != nil || again != got {
		t.Errorf("not the same again: %v\n%s\n%s", err, got, again)
	}
	is(t, strings.Join(piece.FindAllString(got, -1), ""), got)
}

// Random markdown that is more like notes than what a fuzzer makes, and
// questions of its words.
func TestVerbatimProperty(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields("the walrus herring ice `ice` [[Ice|x]] Grüße 海 海の氷 лёд tide. tide! (tide) **Tide**: a|b #ice ^id list tasks summarize second"))
	line := rapid.Map(rapid.SliceOfN(word, 1, 14), func(w []string) string { return strings.Join(w, " ") })
	marker := rapid.SampledFrom([]string{
		"", "", "", "# ", "## ", "### ", "- ", "  - ", "    - ", "1. ", "- [ ] ",
		"* [x] ", "> ", "> [!tip] ", "| ", "|---|---|", "```", "    ", "\t", "---", "===", "$$", "%%", "<!-- ", "-->",
	})
	text := rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 40).Draw(t, "lines") {
			b.WriteString(marker.Draw(t, "marker"))
			b.WriteString(line.Draw(t, "line"))
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n\n", " |\n"}).Draw(t, "end"))
		}
		return b.String()
	})
	rapid.Check(t, func(rt *rapid.T) {
		content, question := text.Draw(rt, "note"), line.Draw(rt, "question")
		shape := uint8(rapid.IntRange(0, 7).Draw(rt, "shape"))
		check(t, content, question, shape)
		if t.Failed() {
			rt.Fatalf("note:\n%s\nquestion: %s", content, question)
		}
	})
}

// Every passage is a stretch of its document, in order and without overlap,
// and nothing but markup, comments and frontmatter is left between them.
func TestPassagesCoverTheText(t *testing.T) {
	const content = "---\ntags: a\n---\nOne. Two.\n\n## H\n\n- a\n  - b\n\n1. c\n\n| x | y |\n|---|---|\n| z | w |\n\n```\ncode\n```\n> quote\nlast"
	d := newDocument(note("N.md", content))
	at := 0
	for _, p := range d.passages {
		if p.text.start < at || p.text.end <= p.text.start {
			t.Errorf("passage %q begins before the end of the one before", d.slice(p.text))
		}
		gap := d.item.Content[at:p.text.start]
		if at > 0 && strings.Trim(gap, " \n#H|-xy") != "" {
			t.Errorf("lost: %q", gap)
		}
		at = p.text.end
	}
	is(t, at, len(content), content[at:])
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		{"See e.g. the list, z. B. this one, on p. 4. Done.", []string{"See e.g. the list, z. B. this one, on p. 4. Done."}},
		{"On the 3. of March. Version 1.26 runs.", []string{"On the 3. of March.", "Version 1.26 runs."}},
		{"He said \"go.\" Then (he went.) Off.", []string{"He said \"go.\"", "Then (he went.)", "Off."}},
		{"Call `a. b` and [[c. d]]. End.", []string{"Call `a. b` and [[c. d]].", "End."}},
		{"今日は。明日！晴れ？", []string{"今日は。", "明日！", "晴れ？"}},
		{"  \n ", nil},
	} {
		var got []string
		for _, s := range sentences(c.text, span{0, len(c.text)}) {
			got = append(got, c.text[s.start:s.end])
		}
		is(t, strings.Join(got, "¶"), strings.Join(c.want, "¶"), c.text, got)
	}
}

func TestIsForm(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"tomato", "tomatoes", true},
		{"berry", "berries", true},
		{"plant", "planting", true},
		{"connect", "connection", true},
		{"directed", "director", true},
		{"brotchen", "brotchens", true},
		{"яблоню", "яблони", true},
		{"cost", "costume", false},
		{"internal", "internet", false},
		{"stein", "steinmauer", true},
	} {
		word := term{text: c.a}
		is(t, word.isForm(c.b), c.want, c.b, c.a)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Straße": "strasse", "ÉTÉ": "ete", "Ёлка": "елка", "garden’s": "gardens", "Łódź": "lodz", "Ærø": "aero",
		"Ὀδυσσεύς": "οδυσσευσ", "какой": "какой", "plain": "plain", "ABC9": "abc9", "Iğdır": "igdir",
	} {
		is(t, foldWord(in), want, in)
	}
}
