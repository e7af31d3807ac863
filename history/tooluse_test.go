package history

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ibid/context/prompt"
)

// talk returns a chat of one turn whose reply cites the results of tools.
func talk(text string, footer int, uses ...ToolUse) Chat {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	reply := Message{Role: Assistant, Text: text, Time: at}
	reply.Meta.Tools, reply.Meta.Footer = uses, footer
	return Chat{Epoch: at.UnixMilli(), Messages: []Message{{Role: User, Text: "q", Time: at}, reply}}
}

func decodeChat(t testing.TB, c *Chat) Chat {
	t.Helper()
	again, warnings, err := decode(Encode(c), time.UTC)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	return again
}

// TestManyCalls: what a reply costs to save grows with its calls, not with their square.
func TestManyCalls(t *testing.T) {
	bytesFor := func(n int) uint64 {
		uses := make([]ToolUse, n)
		for i := range uses {
			uses[i] = ToolUse{
				Name: "localSearch", Args: `{"query":"roof"}`, State: "done", Result: "1 note", First: i + 1, Count: 1,
				Sources: []prompt.Source{{ID: i + 1, Path: "Barn.md", From: 1, To: 2}},
			}
		}
		c := talk(strings.Repeat("1 22 333 4444 ", n), 0, uses...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		data := Encode(&c)
		runtime.ReadMemStats(&after)
		if more := len(data) - len(c.Messages[1].Text); more > 2*maxToolBytes {
			t.Errorf("%d calls take %d bytes of the file", n, more)
		}
		again := decodeChat(t, &c)
		if s, ok := again.Source(333, 1); n > 333 && (!ok || s.Path != "Barn.md") {
			t.Errorf("source 333 of %d is %+v", n, s)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := bytesFor(2000), bytesFor(16000)
	if many > 12*few {
		t.Errorf("2,000 calls allocate %d bytes, 16,000 allocate %d", few, many)
	}
}

// TestToolUse: a chat keeps what was looked up, in its variants too, and knows the
// sources by their numbers.
func TestToolUse(t *testing.T) {
	const text, footer = "In the shed [^4], [3].", "\n\n#### Sources:\n\n[^4]: [[tools/spade#Place]]"
	use := ToolUse{
		Name: "localSearch", Args: `{"query":"spade -- **"}`, State: "done", Milliseconds: 12,
		Result: "2 notes: a.md, b.md", At: 5, First: 3, Count: 3, Sources: []prompt.Source{
			{ID: 3, Path: "a#1: x@y.md", From: 1, To: 3, Revision: "0123abcd"},
			{ID: 4, Path: "tools/spade.md", Heading: "Place: the #2 @shed", From: 12, To: 31, Revision: "0123abcd"},
		},
	}
	c := talk(text+footer, len(footer), use)
	c.Restart(0)
	second := c.Messages[0].Variants[0].Messages[1]
	second.Time = second.Time.Add(time.Minute)
	c.Messages = append(c.Messages, second)
	again := decodeChat(t, &c)
	for _, m := range []Message{again.Messages[1], again.Messages[0].Variants[0].Messages[1]} {
		is(t, m.Meta.Tools, []ToolUse{use})
		is(t, m.TextWithoutSources(), text, "the reply")
	}
	if s, ok := again.Source(4, 1); !ok || s != use.Sources[1] || again.NextSource() != 6 {
		t.Errorf("source 4 is %+v, the next has %d", s, again.NextSource())
	}
	for _, n := range []int{0, 2, 5} {
		if s, ok := again.Source(n, 1); ok {
			t.Errorf("source %d is %+v", n, s)
		}
	}
	if _, ok := again.Source(4, 0); ok {
		t.Error("a message knows the sources of a later one")
	}
}

// TestToolUseIsSmall: whatever was looked up, a turn adds at most a kilobyte and
// keeps its numbers, and of what the reply cites the sources.
func TestToolUseIsSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var uses []ToolUse
		next := rapid.IntRange(1, 5000).Draw(t, "first")
		first := next
		for i := range rapid.IntRange(1, 24).Draw(t, "calls") {
			u := ToolUse{
				Name: "localSearch", State: "done", First: next, Args: strings.Repeat("wörd ", 40),
				Result: fmt.Sprint(i, strings.Repeat(" note", 40)),
			}
			for range rapid.IntRange(0, 12).Draw(t, "sources") {
				u.Sources = append(u.Sources, prompt.Source{
					ID: next, Path: strings.Repeat("folder/", 6) + fmt.Sprint(next) + ".md", Heading: "A heading", From: 1, To: 9,
					Revision: "0123abcd",
				})
				next, u.Count = next+1, u.Count+1
			}
			if u.Count == 0 {
				u.First = 0
			}
			uses = append(uses, u)
		}
		bare := talk("x", 0)
		bare.Messages[1].Status = StatusCut
		text := fmt.Sprintf("x [^%d], [^%d]", first, first+1)
		c := talk(text, 0, uses...)
		c.Messages[1].Status = StatusCut
		if more := len(Encode(&c)) - len(Encode(&bare)); more > 1024+len(text) {
			t.Fatalf("%d bytes", more)
		}
		again, _, err := decode(Encode(&c), time.UTC)
		check(t, err)
		if again.NextSource() != c.NextSource() {
			t.Fatalf("the next source is %d, and was %d", again.NextSource(), c.NextSource())
		}
		if s, ok := again.Source(first, 1); next > first &&
			(!ok || s.ID != first || !strings.Contains(s.Path, fmt.Sprint(first))) {
			t.Fatalf("source %d is %+v", first, s)
		}
	})
}
