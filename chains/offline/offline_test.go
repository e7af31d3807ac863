package offline

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"ibid/chains"
	"ibid/context/prompt"
)

var update = flag.Bool("update", false, "rewrite the replies in testdata")

// TestReplies asks the questions of each archive about the notes in it.
func TestReplies(t *testing.T) {
	files, err := filepath.Glob("testdata/replies/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m := New(Options{})
			var r chains.Request
			for i, f := range a.Files {
				number, kind, _ := strings.Cut(f.Name, ".")
				text := strings.TrimSuffix(string(f.Data), "\n")
				switch kind {
				default:
					r.Documents = append(r.Documents, note(f.Name, text))
				case "question":
					r.Question = text
					r.Messages = []prompt.Message{{Role: prompt.User, Content: text}}
				case "before":
					r.Messages = conversation(text, r.Question)
				case "reply":
					got := stream(t, m, r)
					is(t, stream(t, New(Options{}), r), got, number, "again")
					verbatim(t, r.Documents, got)
					if *update {
						a.Files[i].Data = []byte(got + "\n")
						continue
					}
					is(t, got, text, number, r.Question)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// conversation returns the messages of a request after one turn with an attachment.
func conversation(before, now string) []prompt.Message {
	return []prompt.Message{
		{Role: prompt.System, Content: "You answer."},
		{
			Role:    prompt.User,
			Content: "<note_context>\nlots of zebras here\n\nand giraffes\n</note_context>\n\n---\n\n[User query]:\n" + before,
		},
		{Role: prompt.Assistant, Content: "A reply about walruses."},
		{Role: prompt.User, Content: now},
	}
}

// stream joins the deltas of a reply and checks their form.
func stream(t *testing.T, m *Model, r chains.Request) string {
	t.Helper()
	var text strings.Builder
	var last chains.Delta
	for d, err := range m.Stream(t.Context(), r) {
		if err != nil {
			t.Fatalf("%s: %v", r.Question, err)
		}
		is(t, last.Finish, "", r.Question)
		if len(d.Text) > 64 {
			t.Errorf("%s: a delta of %d bytes: %q", r.Question, len(d.Text), d.Text)
		}
		if !utf8.ValidString(d.Text) {
			t.Errorf("%s: a delta cuts a character: %q", r.Question, d.Text)
		}
		text.WriteString(d.Text)
		last = d
	}
	if last.Finish != chains.FinishStop || last.Usage == nil {
		t.Fatalf("%s: the last delta is %+v", r.Question, last)
	}
	return text.String()
}

// verbatim checks that every quoted line is in a document.
func verbatim(t *testing.T, docs []prompt.Item, reply string) {
	t.Helper()
lines:
	for line := range strings.SplitSeq(reply, "\n") {
		quoted, ok := strings.CutPrefix(line, ">")
		quoted = strings.TrimPrefix(quoted, " ")
		if !ok || quoted == "" {
			continue
		}
		for _, d := range docs {
			if strings.Contains(d.Content, quoted) || strings.Contains(d.Content, line) {
				continue lines
			}
		}
		t.Errorf("quoted, but in no document: %q", line)
	}
}

// TestUnfound: the reply to a search without hits contains the search's explanation.
func TestUnfound(t *testing.T) {
	got := stream(t, New(Options{}),
		chains.Request{Question: "how deep is the lake?", Unfound: "No note matches. Near titles: Lakes (Lakes.md)"})
	if want := "No note matches. Near titles: Lakes (Lakes.md)\n\nAsk in the words of your notes, or attach one with @."; got != want {
		t.Errorf("got %q", got)
	}
}

func TestWithoutText(t *testing.T) {
	for _, c := range []struct {
		name string
		docs []prompt.Item
		want string
	}{
		{"no documents", nil, "No note is attached to this conversation, so there is nothing to quote."},
		{"empty note", []prompt.Item{note("A.md", "  \n")}, "What is attached to this conversation has no text"},
		{"only frontmatter", []prompt.Item{note("A.md", "---\ntags: [a]\n---\n")}, "Nothing in [[A]] answers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := stream(t, New(Options{}), chains.Request{Documents: c.docs, Question: "how deep is the lake?"})
			if !strings.HasPrefix(got, c.want) || strings.Contains(got, "language model") {
				t.Errorf("reply = %q, want %q…", got, c.want)
			}
		})
	}
}

// TestPlaces: links to places have the path of the note and a heading, or an address.
func TestPlaces(t *testing.T) {
	body := "# Top\n\nnothing here\n\n## Deep [[Links]] | and #more\n\nA walrus sleeps.\n"
	sel := func(id string, from, to int, text string) prompt.Item {
		it := prompt.NewItem(prompt.Ref{Kind: prompt.Selection, ID: id}, "Sea", "Zoo/Sea.md", text)
		it.StartLine, it.EndLine = from, to
		return it
	}
	page := prompt.NewItem(prompt.Ref{Kind: prompt.URL, ID: "https://example.com/a(b)"}, "Wal [rus]",
		"https://example.com/a(b)", "A walrus sleeps.")
	for _, c := range []struct {
		name string
		docs []prompt.Item
		want string
	}{
		{"heading", []prompt.Item{note("Zoo/Sea.md", body)}, "From [[Zoo/Sea#Deep Links and more]]:"},
		{"note", []prompt.Item{note("Zoo/Sea.md", "A walrus sleeps.")}, "From [[Zoo/Sea]]:"},
		{"own title", []prompt.Item{note("Zoo/Sea.md", "# sea\n\nA walrus sleeps.")}, "From [[Zoo/Sea]]:"},
		{
			"no wikilink possible",
			[]prompt.Item{note("Zoo/C# [old].md", "A walrus sleeps.")},
			"From [C# \\[old\\]](Zoo/C%23%20%5Bold%5D.md):",
		},
		{
			"selected lines",
			[]prompt.Item{sel("Zoo/Sea.md#L7-L9", 7, 9, "one\n\nA walrus sleeps.")},
			"From [[Zoo/Sea]]:",
		},
		{
			"selected section",
			[]prompt.Item{sel("Zoo/Sea.md#Deep", 0, 0, "## Deep\n\nA walrus sleeps.")},
			"From [[Zoo/Sea#Deep]]:",
		},
		{"selected block", []prompt.Item{sel("Zoo/Sea.md#^b1", 0, 0, "A walrus sleeps.")}, "From [[Zoo/Sea]]:"},
		{"page", []prompt.Item{page}, "From [example.com/a(b)](https://example.com/a%28b%29):"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := stream(t, New(Options{}), chains.Request{Documents: c.docs, Question: "where is the walrus?"})
			lead, rest, _ := strings.Cut(got, "\n\n")
			if lead != c.want || !strings.HasPrefix(rest, "> A walrus sleeps.") {
				t.Errorf("got  %q\nwant %q and the quote, then %q", lead, c.want, rest)
			}
		})
	}
}

// TestMentions: a reference in the question limits the reply to that item.
func TestMentions(t *testing.T) {
	docs := []prompt.Item{
		note("Zoo/Sea lion.md", "A sea lion eats fish."), note("Zoo/Sea.md", "In the sea there are fish."),
		note("Pond.md", "---\naliases: [Small water]\n---\nThe pond has fish."),
		prompt.NewItem(prompt.Ref{Kind: prompt.URL, ID: "https://example.com/x"}, "X", "https://example.com/x",
			"No fish here."),
	}
	s, err := newShelf(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		question, text string
		docs           []int
	}{
		{"fish in @Sea lion?", "fish in  ?", []int{0}},
		{"fish in @Sea?", "fish in  ?", []int{1}},
		{"fish in @sea and @Pond", "fish in   and  ", []int{1, 2}},
		{"fish in @Zoo/Sea.md#L1-L2 now", "fish in   now", []int{1}},
		{"fish in @\"Small water\"", "fish in  ", []int{2}},
		{"[[Sea|the sea]], [[Pond#Fish]]", " ,  ", []int{1, 2}},
		{"see @https://example.com/x", "see  ", []int{3}},
		{"@active and @pins", "  and  ", nil},
		{"mail me@Sea.example", "mail me@Sea.example", nil},
		{"@Seaweed", "@Seaweed", nil},
		{"[[Nowhere]]", " ", nil},
		{"@", "@", nil},
		{"[[", "[[", nil},
	} {
		text, found := s.mentions(c.question)
		var at []int
		for _, d := range found {
			at = append(at, slices.Index(s.docs, d))
		}
		if text != c.text || !cmp.Equal(at, c.docs) {
			t.Errorf("mentions(%q) = %q, %v; want %q, %v", c.question, text, at, c.text, c.docs)
		}
	}
}

// TestClip: a long quote ends after a line, and the reply says that it is cut.
func TestClip(t *testing.T) {
	fence := "```go\n" + strings.Repeat("walrus := feed(walrus, herring, herring, herring)\n", 100) + "```\n\nafter"
	for name, c := range map[string]struct{ content, want string }{
		"fence": {fence, "\n> ```\n\n(The first 24 of 102 lines.)"},
		"quote": {
			strings.Repeat("> the walrus sleeps on the ice, and the herring is safe\n", 80),
			"(The first 21 of 80 lines.)",
		},
		"one line": {"- walrus " + strings.Repeat("and the herring ", 300), "(The beginning of a long line.)"},
	} {
		t.Run(name, func(t *testing.T) {
			docs := []prompt.Item{note("A.md", c.content)}
			got := stream(t, New(Options{}), chains.Request{Documents: docs, Question: "walrus herring"})
			if !strings.Contains(got, c.want) || len(got) > 3*clipBytes {
				t.Errorf("%d bytes, want %q in\n%s", len(got), c.want, got)
			}
			verbatim(t, docs, got)
		})
	}
}

func TestUsage(t *testing.T) {
	count := func(s string) int { return len(strings.Fields(s)) }
	r := chains.Request{
		Messages: []prompt.Message{{Role: prompt.System, Content: "one two"}, {Role: prompt.User, Content: "three"}},
	}
	var text string
	var usage *chains.Usage
	for d := range New(Options{Count: count}).Stream(t.Context(), r) {
		text += d.Text
		if d.Usage != nil {
			usage = d.Usage
		}
	}
	want := &chains.Usage{Prompt: 3, Cached: -1, CacheWrite: -1, Completion: count(text)}
	is(t, usage, want)
	r.MaxTokens = 5
	text = ""
	var finish chains.Finish
	for d := range New(Options{Count: count}).Stream(t.Context(), r) {
		text, finish = text+d.Text, d.Finish
	}
	if count(text) != 5 || finish != chains.FinishLength {
		t.Errorf("with a limit of 5: %q, %s", text, finish)
	}
}

// TestDelayAndCancel: the pause is between deltas, and the end of the context ends it.
func TestDelayAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := New(Options{Delay: time.Second})
		start := time.Now()
		n := 0
		var last error
		for d, err := range m.Stream(ctx, chains.Request{Question: "hello"}) {
			if last = err; err != nil {
				if !cmp.Equal(d, chains.Delta{}) {
					t.Errorf("a delta beside the error: %+v", d)
				}
				break
			}
			if n++; n == 3 {
				time.AfterFunc(time.Second/2, cancel)
			}
		}
		if n != 3 || !errors.Is(last, context.Canceled) {
			t.Errorf("%d deltas, error %v", n, last)
		}
		is(t, time.Since(start), 2500*time.Millisecond)
	})
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, docs := range [][]prompt.Item{nil, {note("A.md", "text")}} {
		n := 0
		for d, err := range New(Options{}).Stream(ctx, chains.Request{Documents: docs, Question: "text"}) {
			n++
			if d.Text != "" || !errors.Is(err, context.Canceled) {
				t.Errorf("got %+v, %v", d, err)
			}
		}
		is(t, n, 1)
	}
}

func TestStopEarly(t *testing.T) {
	n := 0
	for range New(Options{}).Stream(t.Context(), chains.Request{}) {
		n++
		break
	}
	is(t, n, 1)
}

// is fails the test with a diff if got differs from want; of names the values.
func is[T any](t testing.TB, got, want T, of ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%v (-want +got)\n%s", of, diff)
	}
}
