package chains_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// reopener plays random turns in a session, and reopens its chat again and again.
type reopener struct {
	*rig
	rt      *rapid.T
	clock   *clock
	counter int
}

var playedReplies = []string{
	"Reply %d.", "Reply %d. [NOTE TO SELF: note %[1]d]", "Reply %d.\n[NOTE TO SELF: note %[1]d, [[beds]]]\n",
	"Reply %d.\n\n[NOTE TO SELF: note %[1]d]", "[NOTE TO SELF: only %d]", "Before %d [note to self : x] and after.\n",
	"**[NOTE TO SELF: bold %d]**", "Reply %d.\n\n```\n[Timestamp: \n**ai**: x\n```\n\n", "Reply %d [^1].",
}

func (p *reopener) draw(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(p.rt, label)
}

func (p *reopener) input() chains.Input {
	p.counter++
	words := p.draw("words", "", "", " @beds", " @diary", " #tools", " \n", " @composer")
	in := chains.Input{Text: fmt.Sprintf("question %d%s", p.counter, words)}
	for _, ref := range []prompt.Ref{
		note("beds.md"), note("tools/rake.md"), note("long.md"), note("trip.md"),
		{Kind: prompt.Folder, ID: "tools/"},
		prompt.Lines("beds.md", 1, 2),
		{Kind: prompt.Picture, ID: "photo.png"},
		{Kind: prompt.Selection, ID: "long.md#Part 2"},
		note("queries.md"),
	} {
		seen := ref.Kind != prompt.Picture || p.opts.Vision
		if rapid.IntRange(0, 5).Draw(p.rt, "attach "+ref.ID) == 0 && seen {
			in.Attach = append(in.Attach, ref)
		}
	}
	if active := p.draw("active", "", "", "beds.md", "trip.md"); active != "" {
		in.Active = note(active)
	}
	if rapid.IntRange(0, 3).Draw(p.rt, "pinned") == 0 {
		in.Pins = []prompt.Ref{note("tools/spade.md")}
	}
	return in
}

func (p *reopener) reply() chaintest.Reply {
	return reply(fmt.Sprintf(p.draw("reply", playedReplies...), p.counter))
}

// turn runs one turn; some end early.
func (p *reopener) turn() {
	in := p.input()
	if p.draw("calls", "", "", "calls") != "" {
		p.model.Add(chaintest.Reply{Text: p.draw("said", "", "I look."), ToolCalls: []prompt.ToolCall{
			{ID: "a", Name: "localSearch", Arguments: `{"query":"spade"}`},
		}})
	}
	if p.draw("ends", "", "", "", "breaks") != "" {
		p.model.Add(chaintest.Reply{
			Chunks:   []string{p.draw("partial", "Half", "Half [NOTE TO SELF: a whole note]", "[NOTE TO", ""), "!"},
			ErrAfter: 1, Err: &chains.ProviderError{Kind: chains.ErrRate, Message: "Later."},
		})
	}
	p.model.Add(p.reply())
	p.send(in)
}

// retry runs the last turn again.
func (p *reopener) retry() {
	p.model.Add(p.reply())
	for _, err := range p.session.Retry(p.Context()) {
		if err != nil && err != chains.ErrNothing {
			p.rt.Fatal(err)
		}
	}
}

func (p *reopener) change() {
	c := map[string]chains.Change{
		"forget": {Forget: []prompt.Ref{note("tools/rake.md")}}, "chat": {Chain: chains.Chat{}},
		"agent": {Chain: chains.Agent{}}, "vault": {Chain: chains.Vault{}},
		"strict": {Layout: prompt.Strict}, "auto": {Layout: prompt.Auto},
	}[p.draw("change", "forget", "chat", "agent", "vault", "strict", "auto")]
	check(p.rt, p.session.Apply(c))
}

// reopened compares the next request with that of a session that opens the chat anew, and goes on with the latter.
func (p *reopener) reopened() {
	if p.session.Snapshot().Path == "" {
		return
	}
	in := p.input()
	want, _, wantErr := p.session.Preview(p.Context(), in)
	chain, layout := p.session.Options().Chain, p.session.Options().Layout
	path := p.session.Snapshot().Path
	check(p.rt, p.store.Close())
	notices := p.open(vault.Path(path), func(o *chains.Options) { o.Chain, o.Layout = chain, layout })
	got, _, err := p.session.Preview(p.Context(), in)
	if wantErr != nil {
		is(p.rt, fmt.Sprint(err), fmt.Sprint(wantErr))
		return
	}
	check(p.rt, err)
	if want.Epoch.Cause == prompt.CauseForget {
		return // the library has another order, which no cache has yet
	}
	a, b := exactLines(want.Messages()), exactLines(got.Messages())
	for i := range max(len(a), len(b)) {
		x, y := append(a, "", "")[min(i, len(a))], append(b, "", "")[min(i, len(b))]
		if x == y {
			continue
		}
		at := prompt.CommonPrefix(x, y)
		p.rt.Fatalf("message %d differs at byte %d\nuninterrupted (%s):\n…%s\n\nreopened (%s):\n…%s\n\n%s", i, at,
			want.Epoch.Words(), short(x[at:]), got.Epoch.Words(), short(y[at:]), p.file())
	}
	// The sizes of parts of a message are estimates, and the words before a call, with which a reply begins, are not
	// recorded.
	lost := want.Predicted.Cached - got.Predicted.Cached
	if want.Predicted.Prompt != got.Predicted.Prompt || max(lost, -lost) > 16 {
		p.rt.Fatalf("uninterrupted: %+v, reopened: %+v\n%s", want.Predicted, got.Predicted, p.file())
	}
	for _, n := range notices {
		if n.Kind == "changed_note" {
			p.rt.Fatalf("notice %q", n.Text)
		}
	}
}

// exactLines returns the messages as text, with their marks and images.
func exactLines(messages []prompt.Message) (lines []string) {
	for _, m := range messages {
		line := fmt.Sprintf("%s %v: %s", m.Role, m.Parts, m.Content)
		for _, im := range m.Images {
			line += fmt.Sprintf("\nimage %s %d", im.Name, len(im.Data))
		}
		lines = append(lines, line)
	}
	return lines
}

// TestReopenedGoesOn: whatever happened in a chat, its next request is the same after reopening, and so is what the
// provider is predicted to have of it, as long as no note has another text.
func TestReopenedGoesOn(t *testing.T) {
	t.Parallel()
	long := "-- long.md --\n# Part 1\n\n" + strings.Repeat("A line of a long note.\n", 300) +
		"\n# Part 2\n\nThe end. Marker: heron.\n"
	files := garden + long + `
-- trip.md --
A trip. ![[photo.png]] Marker: kite.
-- queries.md --
` + "```dataview\nLIST FROM #tools\n```\n" + `
-- photo.png --
` + picture('a')
	caches := []prompt.Cache{
		{Kind: prompt.CacheSteps, Min: 16, Step: 16},
		{Kind: prompt.CacheSlot},
		{Kind: prompt.CacheBoundaries, Min: 16, Marks: "cache_control"},
		{Kind: prompt.CacheBlocks, Min: 16, Marks: "cache_control"},
		{Kind: prompt.CacheRequests},
	}
	played := 0
	rapid.Check(t, func(rt *rapid.T) {
		if played++; played > 12 && !vaulttest.Slow {
			return
		}
		p := &reopener{rig: newRig(t, files), rt: rt, clock: newClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))}
		tool := &chaintest.Tool{ToolSpec: chains.ToolSpec{Name: "localSearch"}}
		tool.ToolSpec.Schema = `{"type":"object","properties":{"query":{"type":"string"}}}`
		tool.Func = func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			return chains.ToolOutput{Text: "Nothing [1] found."}, nil
		}
		p.begin(func(o *chains.Options) {
			p.clock.use(o)
			o.Layout = prompt.Layout(p.draw("layout", "auto", "strict", "append"))
			o.Vision = rapid.Bool().Draw(rt, "vision")
			o.Cache.Cache = rapid.SampledFrom(caches).Draw(rt, "cache")
			o.Cache.Lifetime = 3 * time.Hour
			o.Instructions.NoNotes = false
			o.Window = rapid.SampledFrom([]int{0, 0, 3000, 8000}).Draw(rt, "window")
			o.Tools.List = []chains.Tool{tool}
			o.Chain = chains.Chat{}
		})
		do := func(f func()) func(*rapid.T) {
			return func(t *rapid.T) {
				p.rt = t
				f()
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"turn": do(p.turn), "turn again": do(p.turn), "third turn": do(p.turn), "reopen": do(p.reopened),
			"change": do(p.change), "retry": do(p.retry),
			"pause": do(func() { p.clock.pass(time.Duration(rapid.IntRange(1, 300).Draw(p.rt, "minutes")) * time.Minute) }),
		})
		p.rt = rt
		p.reopened()
	})
}

// warmRig returns a session with notes that are attached in the first and the third of three turns.
func warmRig(t *testing.T, change func(*chains.Options)) *rig {
	t.Helper()
	r := newRig(t, garden, textReplies("One.", "Two.", "Three.", "Four.", "Five.")...)
	r.begin(func(o *chains.Options) {
		o.Layout = prompt.Append
		o.Cache.Cache = prompt.Cache{Kind: prompt.CacheSteps}
		if change != nil {
			change(o)
		}
	})
	r.say("1 @beds")
	r.say("2")
	r.say("3 @tools/rake.md")
	return r
}

// sharedMessages returns the number of messages with which both requests begin, and the bytes of them and of the
// beginning of the next one.
func sharedMessages(a, b []prompt.Message) (messages, bytes int) {
	for i := range min(len(a), len(b)) {
		n := prompt.CommonPrefix(a[i].Content, b[i].Content)
		bytes += n
		if a[i].Content != b[i].Content {
			break
		}
		messages++
	}
	return messages, bytes
}

// TestReopenedChange: a note with another text goes out anew from its place on. What stands before it is as it was, no
// more is predicted to be cached, and one line names it, to the person and to the model.
func TestReopenedChange(t *testing.T) {
	for file, same := range map[string]int{"beds.md": 1, "tools/rake.md": 5} {
		r := warmRig(t, nil)
		vaulttest.Write(r, r.vault, vault.Path(file), "Marker: quail.\n")
		notices := r.reopen()
		is(t, len(notices), 1, file)
		r.wants(notices[0].Text, file)
		h := r.say("4")
		all := r.model.Requests()
		messages, bytes := sharedMessages(all[2].Messages, all[3].Messages)
		is(t, messages, same, file)
		if got := h.envelope().Predicted; got.Bytes == 0 || got.Bytes > bytes {
			t.Errorf("%s: %d bytes are predicted to be the same, and %d are", file, got.Bytes, bytes)
		}
		r.wants(r.sent(), "quail", file+" was edited since your last reply; the messages above have the new text.")
		is(t, len(r.reopen()), 0, "said once")
		h = r.say("5")
		if h.envelope().Epoch.New {
			t.Errorf("%s: a new epoch", file)
		}
		all = r.model.Requests()
		messages, _ = sharedMessages(all[3].Messages, all[4].Messages)
		is(t, messages, len(all[3].Messages), file)
	}
}

// TestReopenedLate: after the life of the provider's cache a reopened chat is cold, and before that it is not, however
// the time between is cut into sessions.
func TestReopenedLate(t *testing.T) {
	for minutes, cold := range map[int]bool{4: false, 6: true} {
		at := newClock(noon(1))
		r := warmRig(t, func(o *chains.Options) {
			at.use(o)
			o.Cache.Lifetime = 5 * time.Minute
		})
		at.pass(time.Duration(minutes) * time.Minute)
		r.reopen()
		env := r.say("4").envelope()
		is(t, env.Predicted.Cached == 0, cold, minutes)
		is(t, env.Epoch.Cause == prompt.CauseCold, cold, minutes)
	}
}

// TestReopenedElsewhere: what another provider, other instructions or another list of tools have is nothing.
func TestReopenedElsewhere(t *testing.T) {
	for name, change := range map[string]func(*chains.Options){
		"provider":     func(o *chains.Options) { o.Cache.At = "elsewhere" },
		"model":        func(o *chains.Options) { o.ModelName = "n" },
		"instructions": func(o *chains.Options) { o.Instructions.User = "Be brief." },
	} {
		r := warmRig(t, nil)
		r.reopen(change)
		env := r.say("4").envelope()
		is(t, env.Predicted.Cached, 0, name)
	}
}

// TestReopenedByHand: what was written into the file by hand counts, and the turns before it are still warm; so is a
// chat whose last turn was cut off.
func TestReopenedByHand(t *testing.T) {
	r := warmRig(t, nil)
	r.outside(func(s string) string { return strings.Replace(s, "**ai**: Two.", "**ai**: Two and a half.", 1) })
	r.reopen()
	env := r.say("4").envelope()
	all := r.model.Requests()
	messages, bytes := sharedMessages(all[2].Messages, all[3].Messages)
	is(t, messages, 4)
	if got := env.Predicted.Bytes; got == 0 || got > bytes {
		t.Errorf("%d bytes are predicted to be the same, and %d are", got, bytes)
	}
	r.wants(r.sent(), "Two and a half.")

	r = warmRig(t, nil)
	r.model.Add(reply("Four."))
	for e := range r.session.Send(r.Context(), chains.Input{Text: "broken off @tools/spade.md"}) {
		if _, ok := e.(chains.TextDelta); ok {
			break
		}
	}
	r.reopen()
	r.say("4")
	all = r.model.Requests()
	messages, _ = sharedMessages(all[2].Messages, all[4].Messages)
	is(t, messages, len(all[2].Messages), "after a turn that was cut off")
}
