package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/reading"
	"ibid/context/prompt"
	"ibid/history"
)

// cited returns the citations of a turn.
func (h turnResult) cited() (c chains.Citations) {
	for _, e := range h.events {
		if e, ok := e.(chains.Citations); ok {
			c = e
		}
	}
	return c
}

const spadeFooter = "\n\n#### Sources:\n\n[^1]: [[tools/spade]]"

// TestFooter: the sources of a reply are listed in the file, and not in a delta or a later
// request (S0-111, S1-32). Numbers continue over the chat.
func TestFooter(t *testing.T) {
	r, _ := newVaultSession(t, garden, textReplies("In the shed [^1].", "Lent out [^2], unlike the spade [^1].", "Thanks [^1].")...)
	h := r.say("the spade")
	is(t, h.text(), "In the shed [^1].")
	want := chains.Citations{
		Sources: []chains.Source{{ID: 1, Path: "tools/spade.md", From: 1, To: 3}},
		Footer:  spadeFooter, Drawn: "In the shed [1].\n\n#### Sources:\n\n1. [[tools/spade]]",
	}
	is(t, h.cited(), want)
	r.wants(r.file(), "**ai**: In the shed [^1]."+spadeFooter+"\n[Timestamp: ", "| Tools: localSearch]"[2:],
		`"src":{"1":"tools/spade.md:1-3@"}`)
	h = r.say("the rake")
	r.wants(r.sent(), "assistant: In the shed [^1].\n", "<id>2</id>\n<title>rake", "[^2]: [[tools/rake]]",
		"[NOTE TO SELF: looked up: localSearch \"the spade\" → tools/spade.md]")
	r.lacks(r.sent(), "#### Sources", "[Context: Tools")
	if got := h.cited(); got.Footer != "\n\n#### Sources:\n\n[^2]: [[tools/rake]]" || len(got.Struck) > 0 {
		t.Errorf("an earlier source is listed again, or struck: %+v", got)
	}
	r.say("thanks")
	running := r.sent()
	r.reopen()
	r.model.Add(textReplies("Again [^1].")...)
	collect(r, r.session.Retry(t.Context())).ended(chains.FinishStop)
	said := func(text string) string {
		text = text[strings.Index(text, "user: the spade"):]
		return regexp.MustCompile(`\n\n\[NOTE TO SELF: .*\]`).ReplaceAllString(text, "")
	}
	if got := r.sent(); said(got) != said(running) {
		t.Errorf("reopened:\n%s\nrunning:\n%s", said(got), said(running))
	}
}

// TestNumbersOfABranch: a branch keeps the numbers of its turns, and each variant has its own
// list of sources.
func TestNumbersOfABranch(t *testing.T) {
	r, _ := newVaultSession(t, garden, textReplies("One [^1].", "Two [^2].", "Two again [^2].")...)
	r.say("the spade")
	r.say("the rake")
	r.retry().ended(chains.FinishStop)
	r.show(1)
	c := r.chat()
	if c.Messages[len(c.Messages)-1].Meta.Footer == 0 {
		t.Error("a variant does not know its list of sources")
	}
	branch := history.Branch(&c, 2, c.Messages[0].Time)
	is(t, branch.NextSource(), 2)
}

// TestCitesAtAnySplit: the references of a reply do not depend on its pieces, and invented ones are nowhere: not in
// the deltas, the file, or the next request.
func TestCitesAtAnySplit(t *testing.T) {
	t.Parallel()
	const reply = "In the shed [^1][^1], not [^9]; see [[tools/spade]], [[Nowhere]] and `[[code]] [^1]`.\n\n```\n[^2]\n```"
	kept := strings.Replace(reply, ", not [^9];", ", not;", 1)
	for split := 1; split <= len(reply); split += 3 {
		r, _ := newVaultSession(t, garden, chaintest.Reply{Text: reply, Split: split}, chaintest.Reply{Text: "So."})
		h := r.say("the spade")
		got := h.cited()
		if h.text() != kept || got.Footer != spadeFooter || !slices.Equal(got.Struck, []int{9}) ||
			!slices.Equal(got.Dead, []string{"Nowhere"}) {
			t.Fatalf("split %d: %+v", split, got)
		}
		if said := h.notices("links"); !slices.Equal(said, []string{"links: 1 of 2 leads nowhere: [[Nowhere]]"}) {
			t.Fatalf("said %q", said)
		}
		if said := h.notices("citations"); len(said) != 1 || !strings.Contains(said[0], "[^9]") {
			t.Fatalf("said %q", said)
		}
		r.wants(r.file(), "**ai**: "+kept+spadeFooter)
		r.say("thanks")
		r.wants(r.sent(), "assistant: "+kept+"\n")
	}
}

// TestFootnoteOfPart: of a passage with several headings, the section that the reply is about
// is cited, in the file too.
func TestFootnoteOfPart(t *testing.T) {
	const barn = "\n-- tools/barn.md --\nThe barn is red and old.\n\n## Roof\n\nSlate on battens.\n\n```\n# no heading\n```\n\n## Floor\n\nClay from the river.\n"
	for reply, want := range map[string]string{
		"It is red [^1].": "tools/barn",
		"Red as it is [^9], it has battens below slate [^1].": "tools/barn#Roof",
		"From the note:\n\n> Clay from the river. [^1]":       "tools/barn#Floor",
		"Red and old.\n\nClay [^1][^1].":                      "tools/barn#Floor",
		"Something else [^1].":                                "tools/barn",
	} {
		r, _ := newVaultSession(t, barn, textReplies(reply)...)
		got := r.say("the barn").cited()
		if len(got.Sources) != 1 || got.Sources[0].Link() != "[["+want+"]]" ||
			!strings.HasSuffix(got.Footer, "[^1]: [["+want+"]]") {
			t.Errorf("%s: %+v", reply, got)
			continue
		}
		if s := got.Sources[0]; want == "tools/barn#Roof" && (s.From != 3 || s.To != 9) {
			t.Errorf("lines %d-%d", s.From, s.To)
		}
		r.wants(r.file(), "[^1]: [["+want+"]]", `"1":"tools/barn.md`+strings.TrimPrefix(want, "tools/barn")+":")
	}
}

// TestNumbersWhileLooking: the sources that each call reports have the numbers that the model
// gets and cites, in the order of the calls and not of their ends.
func TestNumbersWhileLooking(t *testing.T) {
	call := func(id, name string) prompt.ToolCall {
		return prompt.ToolCall{ID: id, Name: name, Arguments: `{"query":"` + id + `"}`}
	}
	slow := chaintest.Reader("shed", "tools/spade.md", "The spade hangs in the shed.")
	find := slow.Func
	slow.Func = func(ctx context.Context, args json.RawMessage) (chains.ToolOutput, error) {
		time.Sleep(20 * time.Millisecond)
		return find(ctx, args)
	}
	r := newRig(t, garden,
		chaintest.Reply{ToolCalls: []prompt.ToolCall{call("one", "shed"), call("two", "lent")}},
		chaintest.Reply{ToolCalls: []prompt.ToolCall{call("three", "beds")}},
		chaintest.Reply{Text: "Beds [^3], spade [^1], rake [^2]."})
	r.begin(func(o *chains.Options) {
		o.Chain = chains.Agent{}
		o.Tools.List = []chains.Tool{
			slow, chaintest.Reader("lent", "tools/rake.md", "The rake is lent out."),
			chaintest.Reader("beds", "beds.md", "Tulips stand in the north bed."),
		}
	})
	h := r.say("Where is what?")
	said := map[int]string{}
	for _, e := range h.events {
		if e, ok := e.(chains.ToolDone); ok {
			for _, s := range e.Sources {
				said[s.ID] = s.Path
				if !strings.Contains(e.Result, fmt.Sprintf("<id>%d</id>", s.ID)) {
					t.Errorf("source %d, and the result has\n%s", s.ID, e.Result)
				}
			}
		}
	}
	is(t, said, map[int]string{1: "tools/spade.md", 2: "tools/rake.md", 3: "beds.md"})
	is(t, len(h.cited().Sources), 3)
}

// TestWhereCallsStood: the calls of a reply are between the texts of its rounds, in the file
// and in the displayed text, where references are shorter.
func TestWhereCallsStood(t *testing.T) {
	call := func(n, query string) prompt.ToolCall {
		return prompt.ToolCall{ID: n, Name: "localSearch", Arguments: `{"query":"` + query + `"}`}
	}
	r, _ := newLoopSession(
		t, []chains.Tool{roofs()}, chaintest.Answer{ToolCalls: []prompt.ToolCall{call("a", "roof")}},
		chaintest.Answer{
			Text:      "Slate [^1] [^1], not [^8].",
			ToolCalls: []prompt.ToolCall{call("b", "more"), call("c", "most")},
		},
		answer("All of it [^1]."),
	)
	r.say("What is the roof?").ended(chains.FinishStop)
	r.reopen()
	c := r.chat()
	drawn := reading.Chat(&c)
	for _, tt := range []struct {
		chat   *history.Chat
		before string
	}{{&c, "Slate [^1] [^1], not."}, {&drawn, "Slate [1], not."}} {
		m := tt.chat.Messages[1]
		var at []string
		for _, u := range m.Meta.Tools {
			at = append(at, m.Text[:u.At])
		}
		is(t, at, []string{"", tt.before, tt.before}, "calls behind")
	}
}

// TestDrawnPage: a block that was a proposal is displayed as one line, and other blocks as they
// are.
func TestDrawnPage(t *testing.T) {
	const block = "Here:\n<writeToFile>\n<path>A.md</path>\n<content>\nx\ny\n</content>\n</writeToFile>\nDone."
	c := history.Chat{Messages: []history.Message{
		{Role: history.Assistant, Text: block, Meta: history.Meta{Tools: []history.ToolUse{{Name: "writeToFile"}}}},
		{Role: history.Assistant, Text: block},
	}}
	drawn := reading.Page(&c)
	is(t, drawn.Messages[0].Text, "Here:\n> proposes to write [[A]], 2 lines\n\nDone.")
	if drawn.Messages[1].Text != block || c.Messages[0].Text != block {
		t.Error("what was no proposal, or the chat, was changed")
	}
}

// TestFootnoted: a reply that is put into a note has its sources, without the model's thinking
// and its proposals.
func TestFootnoted(t *testing.T) {
	const block = "<writeToFile>\n<path>A</path>\n<content>\nx [^1]\n</content>\n</writeToFile>"
	c := history.Chat{Messages: []history.Message{
		{Role: history.User, Text: "Q [^1]"},
		{
			Role: history.Assistant, Text: "<think>\nhm\n</think>\n\nSo [^1].\n\n" + block + "\n\nDone.",
			Meta: history.Meta{Tools: []history.ToolUse{
				{Name: "writeToFile"},
				{Name: "localSearch", Sources: []chains.Source{{ID: 1, Path: "A.md"}}},
			}},
		},
		{Role: history.Assistant, Text: "Such a block:\n\n" + block},
		{Role: history.Assistant, Text: block, Meta: history.Meta{Tools: []history.ToolUse{{Name: "writeToFile"}}}},
	}}
	for at, want := range []string{"Q [^1]", "So [^3].\n\nDone.\n\n[^3]: [[A]]\n", c.Messages[2].Text, ""} {
		is(t, reading.ForNote(&c, at, "before [^2]"), want, at)
	}
}

// TestCitedTooEarly: text from before a source was found has no citations, in the request of the next round, in the
// file, on the screen and when the chat is opened later.
func TestCitedTooEarly(t *testing.T) {
	r, _ := newLoopSession(
		t, []chains.Tool{roofs()},
		chaintest.Answer{
			Text:      "I guess gold [^1].",
			ToolCalls: []prompt.ToolCall{call("localSearch", `{"query":"roof"}`, 1)},
		},
		answer("It is slate [^1]."),
		chaintest.Answer{Text: "Gold [^2] [^1].", ToolCalls: []prompt.ToolCall{call("localSearch", `{"query":"beds"}`, 2)}},
		answer("I do not know."),
	)
	h := r.say("What is the roof?")
	c := h.cited()
	if !slices.Equal(c.Struck, []int{1}) ||
		h.text() != "I guess gold.\n\nIt is slate [^1]." ||
		c.Footer != "\n\n#### Sources:\n\n[^1]: [[roof]]" || len(h.notices("citations")) != 1 {
		t.Errorf("%+v, %q", c, h.notices("citations"))
	}
	h = r.say("And the beds?")
	if c := h.cited(); !slices.Equal(c.Struck, []int{2}) || c.Footer != "" || len(c.Sources) > 0 {
		t.Errorf("%+v", c)
	}
	r.reopen()
	chat := r.chat()
	for at, want := range map[int]string{
		1: "I guess gold.\n\nIt is slate [1].\n\n#### Sources:\n\n1. [[roof]]",
		3: "Gold [1].\n\nI do not know.\n\n#### Sources:\n\n1. [[roof]]",
	} {
		drawn := reading.Message(&chat, at)
		is(t, drawn.String(), want)
		is(t, reading.Chat(&chat).Messages[at].Text, want)
	}
	if got, want := reading.ForNote(&chat, 1, ""),
		"I guess gold.\n\nIt is slate [^1].\n\n[^1]: [[roof]]\n"; got != want {
		t.Errorf("as a note: %q, want %q", got, want)
	}
}

// TestOwnList: a list of sources that the model writes gives way to the true sources, and invented ones are told, in
// the deltas, the file and the next request.
func TestOwnList(t *testing.T) {
	for reply, want := range map[string]string{
		"In the shed [^1].\n\n[^1]: Wikipedia":                                             "In the shed [^1]." + spadeFooter,
		"In the shed [^1], old [^9].\n\n## Sources\n\n[^1]: [[rake]]\n[^9]: [[Telefonie]]": "In the shed [^1], old." + spadeFooter,
		"In the shed.\n\n**Sources:**\n- [^1]: [[tools/spade]]":                            "In the shed." + spadeFooter,
		"In the shed 【1†source】.\n\n```\nx\n\n[^9]: y\n```":                                "In the shed [^1].\n\n```\nx\n\n[^9]: y\n```" + spadeFooter,
	} {
		r, _ := newVaultSession(t, garden, textReplies(reply, "So.")...)
		h := r.say("the spade")
		is(t, h.text()+h.cited().Footer, want, reply)
		r.wants(r.file(), "**ai**: "+want+"\n[Timestamp: ")
		var invented []int
		if strings.Contains(reply, "Telefonie") {
			invented = []int{9}
		}
		if got := h.cited().Struck; !slices.Equal(got, invented) || len(h.notices("citations")) != len(invented) {
			t.Errorf("%q: struck %v, said %q", reply, got, h.notices("citations"))
		}
		chat := r.chat()
		if drawn := reading.Message(&chat, 1); strings.Contains(drawn.String(), "Telefonie") {
			t.Errorf("drawn: %s", drawn.String())
		}
		r.say("thanks")
		r.wants(r.sent(), "assistant: "+strings.TrimSuffix(want, spadeFooter)+"\n")
	}
}

// TestQuotedFootnotes: footnotes of the question stay as they are, also when the chat was opened again, and are not
// taken for sources.
func TestQuotedFootnotes(t *testing.T) {
	const reply = "The spade cuts [^1] well [^4].\n\n[^1]: Smith 1999\n\nIt hangs there [^9]."
	const kept = "The spade cuts [^1] well [^4].\n\n[^1]: Smith 1999\n\nIt hangs there."
	r, _ := newVaultSession(t, garden, textReplies(reply)...)
	h := r.say("Correct: the spade cut [^1] good [^4].\n\n[^1]: Smith 1999")
	is(t, h.text(), kept)
	is(t, h.cited().Footer, "")
	is(t, h.cited().Struck, []int{9})
	r.reopen()
	chat := r.chat()
	is(t, chat.Messages[1].Text, kept)
	drawn := reading.Message(&chat, 1)
	is(t, drawn.String(), kept)
	is(t, reading.ForNote(&chat, 1, ""), kept)
}

// TestInventedInARound: the request of the next round has no invented marks either, and a source of an earlier turn
// can be cited.
func TestInventedInARound(t *testing.T) {
	r, server := newLoopSession(
		t, []chains.Tool{roofs()},
		chaintest.Answer{
			Text:      "I look [^9].",
			ToolCalls: []prompt.ToolCall{call("localSearch", `{"query":"roof"}`, 1)},
		},
		answer("Slate [^1] [^2]."),
		answer("As I said [^1], not [^2] and [^3]."),
	)
	h := r.say("What is the roof?")
	is(t, h.text(), "I look.\n\nSlate [^1].")
	round, _ := onWire(t, server, 1)
	h = r.say("And?")
	is(t, h.text(), "As I said [^1], not.")
	next, _ := onWire(t, server, 2)
	r.wants(strings.Join(next, "\n"), "assistant: I look.\n\nSlate [^1].")
	r.lacks(strings.Join(append(round, next...), "\n"), "[^9]", "[^2].")
}

// TestOldReplies: replies of earlier versions, which the file has as they came, are checked when they are shown; but
// not one that was edited elsewhere, nor one of another program.
func TestOldReplies(t *testing.T) {
	const text = "Gold [^2]. Slate [^1], not [^9].\n\n## Sources\n[^1]: Wikipedia\n[^9]: [[Telefonie]]"
	search := history.ToolUse{Name: "localSearch", First: 1, Count: 1, Sources: []chains.Source{{ID: 1, Path: "roof.md"}}}
	later := history.ToolUse{
		Name: "localSearch", At: len("Gold [^2]."), First: 2, Count: 1, Sources: []chains.Source{{ID: 2, Path: "gold.md"}},
	}
	c := history.Chat{Messages: []history.Message{
		{Role: history.User, Text: "Q"},
		{Role: history.Assistant, Text: text, Meta: history.Meta{Tools: []history.ToolUse{search, later}}},
		{Role: history.User, Text: "Q"},
		{Role: history.Assistant, Text: "Slate [^9].\n\n#### Sources:\n\n[^9]: [[Edited]]"},
	}}
	for at, want := range map[int]string{
		1: "Gold. Slate [1], not.\n\n#### Sources:\n\n1. [[roof]]",
		3: "Slate [1].\n\n#### Sources:\n\n1. [[Edited]]",
	} {
		drawn := reading.Message(&c, at)
		is(t, drawn.String(), want, at)
	}
	is(t, c.Messages[1].Text, text, "the file")
}
