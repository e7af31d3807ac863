package prompt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestSystemText compares L1 with and without its parts (F9, S1-15, S1-16).
func TestSystemText(t *testing.T) {
	full := SystemText(Instructions{
		Vault: "Garden\nnotes", User: "Be brief.\r\n<path> </user_instructions>", Memory: "Likes peas.</user_memory>",
		Project: &Project{Prompt: "You plan beds.", Context: "Bed one.</project_context>"},
	})
	_, tail, ok := strings.Cut(full, notePrompt+"\n\n")
	const want = `<user_instructions>
Be brief.
<path> <\/user_instructions>
</user_instructions>

<user_memory>
Likes peas.<\/user_memory>
</user_memory>

<project_system_prompt>
You plan beds.
</project_system_prompt>

<project_context>
Bed one.<\/project_context>
</project_context>`
	if !ok || tail != want {
		t.Errorf("got\n%s\nwant\n%s", tail, want)
	}
	if !strings.HasPrefix(full, basePrompt+"\n\nThe vault is called \"Garden notes\".\n\n"+notePrompt) {
		t.Errorf("the base is not first:\n%s", full)
	}
	bare := SystemText(Instructions{NoNotes: true, Memory: " \n", Project: &Project{Prompt: "P"}})
	is(t, bare, basePrompt+"\n\n<project_system_prompt>\nP\n</project_system_prompt>", "with empty parts")
}

// TestDeterministic renders one turn a thousand times, its maps filled in
// another order each time (S0-38).
func TestDeterministic(t *testing.T) {
	var items []Item
	for i := range 12 {
		items = append(items, note(fmt.Sprintf("n%02d.md", i), "text"))
	}
	c, _ := say(t, Conversation{}, Turn{Text: "read", Attached: items, Layout: Append}, "ok")
	first := ""
	for range 1000 {
		turn := Turn{Text: "and now", Layout: Append, Current: map[string]Current{}}
		for i, it := range items {
			switch i % 3 {
			case 0:
				turn.Current[it.ID] = Current{State: Changed, Item: note(it.ID, "other")}
			case 1:
				turn.Current[it.ID] = Current{State: Deleted}
			}
		}
		env, err := c.Prepare(turn)
		check(t, err)
		if first == "" {
			first = env.Dump()
		}
		if env.Dump() != first {
			t.Fatal("another request for the same turn")
		}
	}
}

// TestBreakIsReported damages the state that a turn starts from, in each place
// that a bug could: every request tells its layer and the first byte that differs.
func TestBreakIsReported(t *testing.T) {
	c, _ := say(t, Conversation{},
		Turn{Text: "one", Layout: Append, Attached: []Item{note("a.md", "alpha")}, Settings: Settings{L1: "SYSTEM"}}, "first")
	c, _ = say(t, c, Turn{Text: "two", Layout: Append, Settings: Settings{L1: "SYSTEM"}}, "second")
	damage := func(i int, change func(*wire)) func(*Conversation) {
		return func(c *Conversation) {
			sent := slices.Clone(c.sent.all())
			change(&sent[i])
			c.sent = tape[wire]{&sent, len(sent)}
		}
	}
	for name, d := range map[string]struct {
		do   func(*Conversation)
		want Break
	}{
		"system message": {func(c *Conversation) { c.epoch.system.Content = "SYSTEN" }, Break{"system", 5}},
		"a reply":        {damage(1, func(w *wire) { w.Content = "fiRst" }), Break{"L4", 2}},
		"a question":     {damage(2, func(w *wire) { w.Content = "twofold" }), Break{"L4", 3}},
		"a role":         {damage(1, func(w *wire) { w.Role = User }), Break{"L4", 0}},
		"an image":       {damage(0, func(w *wire) { w.Images = []Image{{Name: "x.png"}} }), Break{"L4", 114}},
		"a lost message": {func(c *Conversation) { c.sent.n -= 2 }, Break{"L4", 1}},
		"a lost end":     {func(c *Conversation) { c.sent.n = 1 }, Break{"L4", 0}},
	} {
		broken := c
		d.do(&broken)
		text := "three"
		if name == "a lost message" {
			text = "twenty" // begins as the message that it stands for
			d.want.Offset = 2
		}
		env, err := broken.Prepare(Turn{Text: text, Layout: Append, Settings: Settings{L1: "SYSTEM"}})
		check(t, err)
		if env.Break == nil || *env.Break != d.want {
			t.Errorf("%s: reported %+v, want %+v", name, env.Break, d.want)
		}
		if env, _ := broken.Refresh().Prepare(Turn{Text: text, Layout: Append}); env.Break != nil {
			t.Errorf("%s: a break with a cause is reported: %+v", name, *env.Break)
		}
	}
}

// TestLostEndIsReported damages the state so that the request before begins
// with all of this one.
func TestLostEndIsReported(t *testing.T) {
	turn := Turn{Text: "one", Layout: Append, Settings: Settings{L1: "SYSTEM"}}
	c, _ := say(t, Conversation{}, turn, "first")
	c, _ = say(t, c, turn, "second")
	c.sent = tape[wire]{}
	env, err := c.Prepare(turn)
	if err != nil || env.Break == nil || *env.Break != (Break{Layer: "L4"}) {
		t.Errorf("reported %+v, %v", env.Break, err)
	}
}

// TestFactor: all numbers are in the provider's tokens, and the count is kept for the next
// correction.
func TestFactor(t *testing.T) {
	turn := Turn{
		Text: strings.Repeat("x", 400), Settings: Settings{L1: strings.Repeat("y", 400)},
		Attached: []Item{note("a.md", strings.Repeat("z", 400))},
	}
	plain, _ := Conversation{}.Prepare(turn)
	turn.Budget.Factor = 1.5
	scaled, _ := Conversation{}.Prepare(turn)
	is(t, scaled.Predicted.Counted, plain.Predicted.Prompt, "beside the count without a factor")
	if want := int(float64(plain.Predicted.Prompt)*1.5 + 0.5); scaled.Predicted.Prompt != want {
		t.Errorf("predicted %d, want %d", scaled.Predicted.Prompt, want)
	}
	sum := 0
	for _, l := range plain.Layers {
		sum += l.Tokens
	}
	is(t, sum, plain.Predicted.Prompt, "tokens of all layers")
}

// TestLayerHashes: equal bytes have equal hashes (S0-84), and L1's hash stays the same until L1
// changes (S0-15).
func TestLayerHashes(t *testing.T) {
	sums := func(e Envelope) map[string]string {
		out := map[string]string{}
		for _, l := range e.Layers {
			out[l.ID] = l.SHA256
		}
		return out
	}
	tool := []ToolResult{{Name: "search", Content: "found"}}
	c, one := say(t, Conversation{}, Turn{Text: "find", Tools: tool, Settings: Settings{L1: "L1"}}, "ok")
	_, two := say(t, c, Turn{Text: "find", Tools: tool, Settings: Settings{L1: "L1"}}, "ok")
	_, other := say(t, c, Turn{Text: "lost", Tools: tool, Settings: Settings{L1: "L1"}}, "ok")
	a, b, o := sums(one), sums(two), sums(other)
	for _, id := range []string{"L1", "L2", "L3", "L5"} {
		is(t, a[id], b[id], "hash of", id)
	}
	if b["L4"] == a["L4"] || o["L5"] == b["L5"] || o["L4"] != b["L4"] {
		t.Error("a hash does not follow its bytes")
	}
	is(t, slices.Sorted(maps.Keys(a)), []string{"L1", "L2", "L3", "L4", "L5"}, "layers")
}

// TestMovesInAnyOrder: the result of a chain of renames does not depend on their order.
func TestMovesInAnyOrder(t *testing.T) {
	c, _ := say(t, Conversation{},
		Turn{Text: "read", Layout: Append, Attached: []Item{note("a.md", "alpha"), note("b.md", "beta")}}, "ok")
	moves := []Move{{Ref{Note, "a.md"}, note("b.md", "alpha")}, {Ref{Note, "b.md"}, note("c.md", "beta")}}
	for range 2 {
		slices.Reverse(moves)
		env, err := c.Prepare(Turn{Text: "and now", Layout: Append, Moves: moves})
		check(t, err)
		known := env.Commit("ok", "").Known()
		if len(known) != 2 || known[0].ID != "b.md" || known[0].Content != "alpha" || known[1].ID != "c.md" ||
			known[1].Path != "c.md" {
			t.Errorf("known: %+v", known)
		}
	}
	onto := []Move{{Ref{Note, "a.md"}, note("b.md", "alpha")}, {Ref{Note, "b.md"}, note("a.md", "beta")}}
	env, err := c.Prepare(Turn{Text: "swapped", Layout: Append, Moves: onto})
	check(t, err)
	for _, l := range env.Library { // neither name is free, so neither moved: both are other notes now
		is(t, l.State, "changed", l.Ref)
	}
}

// TestKnownAfterMove checks the contract between Known and Current: Known returns the present
// name and the revision that was sent last, and an item that is absent from Current is
// unchanged.
func TestKnownAfterMove(t *testing.T) {
	long := strings.Repeat("a line of a long note\n", 500)
	c, _ := say(t, Conversation{}, Turn{Text: "one", Attached: []Item{note("old.md", long)}}, "ok")
	c, _ = say(t, c, Turn{Text: "two", Layout: Strict}, "ok") // in the library now
	edited := note("old.md", strings.Replace(long, "a line", "one line", 1))
	c, _ = say(t, c, Turn{Text: "three", Attached: []Item{edited}}, "ok")
	moved := note("new.md", edited.Content)
	c, _ = say(t, c, Turn{Text: "four", Moves: []Move{{edited.Ref, moved}}}, "ok")
	if k := c.Known()[0]; k.Ref != moved.Ref || k.Revision != edited.Revision || k.Path != "new.md" {
		t.Errorf("known as %v %s", k.Ref, k.Path)
	}
	other := note("other.md", "x")
	c, _ = say(t, c, Turn{Text: "five", Attached: []Item{other}}, "ok")
	// promotes other.md: the library's copy of the first is older than what was shown
	env, err := c.Prepare(Turn{Text: "six"})
	check(t, err)
	last := lastMessage(env)
	for _, line := range []string{
		"The note old.md is now new.md.",
		"The note new.md changed on disk, the text above is outdated.",
	} {
		if !strings.Contains(last, line) {
			t.Errorf("%q is not said in\n%s", line, last)
		}
	}
	is(t, env.Commit("ok", "").Known()[0].Content, strings.TrimSuffix(long, "\n"))
}

func TestUnknownLayout(t *testing.T) {
	if _, err := (Conversation{}).Prepare(Turn{Layout: "sideways"}); err == nil ||
		!strings.Contains(err.Error(), "sideways") {
		t.Errorf("got %v", err)
	}
}

// TestReports compares the reports of an envelope for people and offline models.
func TestReports(t *testing.T) {
	c, _ := say(t, Conversation{},
		Turn{
			Text: "one", Attached: []Item{note("a.md", "alpha"), note("b.md", "beta")},
			Settings: Settings{L1: "L1"},
		}, "first\n\n[NOTE TO SELF: n]")
	c = c.Mute("b.md", true)
	_, env := say(t, c,
		Turn{Text: "two", Attached: []Item{note("c.md", "<content>")}, Settings: Settings{L1: "L1"}}, "second")
	want := map[string]string{
		"L1": "L1", "L2": libraryHeading + "\n\n" + block(note("a.md", "alpha"), false) + "\n\n" +
			block(note("b.md", "beta"), false),
		"notes": "RECENT NOTES TO SELF:\nn", "L4": "--- user ---\none\n\n--- assistant ---\nfirst\n\n", "L5": "two",
		"none": "",
		"L3":   block(note("c.md", "<content>"), false) + "\n\n---\n\n[User query]:\n",
	}
	for id, text := range want {
		is(t, env.Text(id), text, id)
	}
	var documents []string
	for _, d := range env.Documents() {
		documents = append(documents, d.ID+"="+d.Content)
	}
	is(t, strings.Join(documents, " "), "a.md=alpha c.md=<content>", "documents")
	if env.Content("b.md") != "beta" || env.Content("x.md") != "" || env.question != "two" {
		t.Error("content or question")
	}
}

// TestFoldWithoutMessages folds turns that left nothing in the history.
func TestFoldWithoutMessages(t *testing.T) {
	var c Conversation
	for i := range 12 {
		env, err := c.Prepare(Turn{
			Attached: []Item{note(fmt.Sprint(i), strings.Repeat("x", 4000))}, Layout: Auto,
			Budget: Budget{Window: 4000},
		})
		check(t, err)
		c = env.Commit("[NOTE TO SELF: quiet]", "")
	}
}
