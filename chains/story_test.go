package chains_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestStories: whatever a person does in whatever order, and whatever goes wrong,
// what is in memory is on disk, what is attached is sent as it is now, what was
// forgotten or is private is not sent, and the prompt changes for a cause only.
func TestStories(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := &story{T: rt, rig: newRig(t, "-- a.md --\na-v0-\n-- b.md --\nb-v0-\n-- sub/c.md --\nc-v0- #t\n-- diary.md --\n---\nprivate: true\n---\nsecret-\n"), version: map[string]int{}}
		w.rig.TB = quiet{t, rt}
		layout := rapid.SampledFrom([]prompt.Layout{prompt.Auto, prompt.Strict, prompt.Append}).Draw(rt, "layout")
		w.begin(func(o *chains.Options) { o.Layout = layout })
		w.say()
		acts := []struct {
			name string
			do   func()
		}{
			{"say", w.say},
			{"say", w.say},
			{"edit", w.edit},
			{"retry", w.again},
			{"undo", w.back},
			{"forget", w.forget},
			{"mute", w.mute},
			{"refresh", func() { w.apply(chains.Change{Refresh: true}) }},
			{"reopen", func() { w.reopen() }},
			{"outside", w.elsewhere},
		}
		for range rapid.IntRange(1, 12).Draw(rt, "acts") {
			act := rapid.SampledFrom(acts).Draw(rt, "act")
			if w.session.Snapshot().Turns == 0 {
				act = acts[0]
			}
			rt.Log(act.name)
			act.do()
			w.check()
		}
	})
}

// quiet fails the story and not the test around it, whose cleanups it uses.
type quiet struct {
	testing.TB
	rt *rapid.T
}

func (q quiet) Helper()                           {}
func (q quiet) Errorf(format string, args ...any) { q.rt.Errorf(format, args...) }
func (q quiet) Fatalf(format string, args ...any) { q.rt.Fatalf(format, args...) }
func (q quiet) Fatal(args ...any)                 { q.rt.Fatal(args...) }
func (q quiet) Error(args ...any)                 { q.rt.Error(args...) }

type story struct {
	*rapid.T
	*rig
	version   map[string]int
	forgotten []prompt.Ref // as it must be
	n         int
}

func (w *story) Errorf(format string, args ...any) { w.T.Errorf(format, args...) }
func (w *story) Fatalf(format string, args ...any) { w.T.Fatalf(format, args...) }

var paths = map[string]string{"a": "a.md", "b": "b.md", "c": "sub/c.md"}

func (w *story) pick() string { return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(w.T, "note") }

// reply returns a random reply, complete or with a failure.
func (w *story) reply() chaintest.Reply {
	w.n++
	text := fmt.Sprintf("reply %d.", w.n)
	failure := &chains.ProviderError{Kind: chains.ErrServer, Message: "down"}
	return rapid.SampledFrom([]chaintest.Reply{
		{Text: text},
		{Text: text + " [NOTE TO SELF: n" + fmt.Sprint(w.n) + "]", Split: 3},
		{Err: failure},
		{Chunks: []string{text, " more"}, Err: failure, ErrAfter: 1},
		{},
	}).Draw(w.T, "reply")
}

// run plays a turn, leaving the loop at a moment of its own now and then.
func (w *story) run(turn func() turnResult) {
	before := len(w.model.Requests())
	w.model.Add(w.reply())
	if w.model.Left() != 1 {
		w.Fatalf("%d replies are left", w.model.Left())
	}
	h := turn()
	if h.err != nil {
		w.Fatalf("%v", h.err)
	}
	if len(w.model.Requests()) == before { // stopped before it was sent
		for range w.model.Stream(w.Context(), chains.Request{}) {
		}
		return
	}
	if n := h.notices("prefix_changed"); len(n) > 0 {
		w.Errorf("%q", n)
	}
	w.request(h)
}

func (w *story) play(in chains.Input) {
	w.forgotten = slices.DeleteFunc(w.forgotten, func(r prompt.Ref) bool { return slices.Contains(in.Attach, r) })
	leave := rapid.IntRange(0, 12).Draw(w.T, "leave")
	w.run(func() turnResult {
		h := turnResult{TB: w.rig.TB}
		for e, err := range w.session.Send(w.Context(), in) {
			h.err = err
			h.events = append(h.events, e)
			if len(h.events) == leave {
				break
			}
		}
		return h
	})
}

func (w *story) say() {
	w.n++
	in := chains.Input{Text: fmt.Sprintf("question %d", w.n)}
	switch rapid.IntRange(0, 5).Draw(w.T, "how") {
	case 0:
		in.Active = note(paths[w.pick()])
	case 1:
		in.Pins = []prompt.Ref{note(paths[w.pick()])}
	case 2:
		in.Text += " @sub/ #t @diary"
	case 3, 4:
		in.Attach = []prompt.Ref{note(paths[w.pick()]), note(paths[w.pick()])}
	}
	w.play(in)
}

func (w *story) again() { w.run(w.retry) }

func (w *story) back() {
	before, forgotten := w.file(), slices.Clone(w.forgotten)
	change := w.undo().Change
	now := w.chat().Forgotten
	for _, r := range forgotten {
		if !slices.Contains(now, r) && change != "forget "+r.ID {
			w.Errorf("undoing %q brings %s back", change, r.ID)
		}
	}
	w.forgotten = slices.Clone(now)
	w.check()
	if rapid.Bool().Draw(w.T, "redo") {
		w.redo()
		w.forgotten = forgotten
		is(w.T, w.file(), before, "brought back")
	}
}

func (w *story) edit() {
	name := w.pick()
	w.version[name]++
	vaulttest.Write(w.rig.TB, w.vault, vault.Path(paths[name]), fmt.Sprintf("%s-v%d- #t\n", name, w.version[name]))
}

func (w *story) forget() {
	r := note(paths[w.pick()])
	w.apply(chains.Change{Forget: []prompt.Ref{r}, Done: "forget " + r.ID})
	if !slices.Contains(w.forgotten, r) {
		w.forgotten = append(w.forgotten, r)
	}
}

func (w *story) mute() {
	c := chains.Change{Mute: []prompt.Ref{note(paths[w.pick()])}}
	if rapid.Bool().Draw(w.T, "unmute") {
		c = chains.Change{Unmute: c.Mute}
	}
	w.apply(c)
}

func (w *story) elsewhere() {
	w.n++
	w.outside(func(s string) string {
		return s + fmt.Sprintf("\n\n**user**: elsewhere %d\n[Timestamp: 2025/01/27 12:00:00]\n\n**ai**: indeed\n[Timestamp: 2025/01/27 12:00:01]", w.n)
	})
	w.play(chains.Input{Text: fmt.Sprintf("after %d", w.n)})
	if c := w.chat(); !strings.Contains(transcript(w.rig.TB, c), fmt.Sprintf("u elsewhere %d\na indeed", w.n-1)) &&
		!strings.Contains(w.file(), "elsewhere") {
		w.Errorf("what was written elsewhere is lost:\n%s", w.file())
	}
}

// check compares memory and disk.
func (w *story) check() {
	c := w.chat()
	if c.Path == "" {
		return
	}
	saved, _, err := history.Decode([]byte(w.file()))
	if err != nil {
		w.Fatalf("%v\n%s", err, w.file())
	}
	// What was cancelled before anything came goes when another message is sent.
	if a, b := transcript(w.rig.TB, c), transcript(w.rig.TB, saved); a != b {
		w.Errorf("in memory\n%s\non disk\n%s", a, b)
	}
	for _, r := range w.forgotten {
		if !slices.Contains(c.Forgotten, r) {
			w.Errorf("%s is no longer forgotten: %v", r.ID, c.Forgotten)
		}
	}
	if !slices.Equal(c.Forgotten, saved.Forgotten) || !slices.Equal(c.Muted, saved.Muted) {
		w.Errorf("forgotten %v, muted %v; on disk %v, %v", c.Forgotten, c.Muted, saved.Forgotten, saved.Muted)
	}
}

// request checks the last request.
func (w *story) request(h turnResult) {
	sent := w.sent()
	if _, rest, ok := strings.Cut(sent, "from being read as one."); ok {
		sent = rest // without what is always the same
	}
	if strings.Contains(sent, "secret-") {
		w.Errorf("a private note was sent:\n%s", sent)
	}
	for _, r := range w.forgotten {
		for name, p := range paths {
			if r.ID == p && strings.Contains(sent, name+"-v") {
				w.Errorf("%s was forgotten and sent:\n%s", p, sent)
			}
		}
	}
	for _, a := range h.envelope().Attached {
		for name, p := range paths {
			marker := fmt.Sprintf("%s-v%d-", name, w.version[name])
			if a.Ref.ID == p && a.State != "muted" && strings.Count(sent, marker) != 1 {
				w.Errorf("%s is attached (%s), and %s is there %d times:\n%s", p, a.State, marker,
					strings.Count(sent, marker), sent)
			}
		}
	}
	messages := w.last()
	for i, m := range messages {
		role, _, _ := strings.Cut(m, ":")
		if i > 0 && strings.HasPrefix(messages[i-1], role+":") {
			w.Errorf("two messages of the %s in a row:\n%s", role, sent)
		}
	}
}

// TestMain limits the number of stories; -rapid.checks=1000 runs more.
func TestMain(m *testing.M) {
	checks := "10"
	if vaulttest.Slow {
		checks = "30"
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
