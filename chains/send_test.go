package chains_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/history"
)

// TestTurn checks the order of the events of a turn, and S0-44: the message is on disk before
// the request is sent.
func TestTurn(t *testing.T) {
	r := newRig(t, garden)
	var before string
	r.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply {
		before = r.read("Chats/Where_do_tulips_stand@20250127_120000.md")
		return chaintest.Reply{
			Reasoning: "Hm.", Chunks: []string{"In the ", "north bed."},
			Usage: &chains.Usage{Prompt: 40, Cached: -1},
		}
	}})
	r.begin(func(o *chains.Options) {
		o.Now = func() time.Time { return time.Date(2025, 1, 27, 12, 0, 0, 0, time.UTC) }
	})
	h := r.say("Where do tulips stand?", note("beds.md"))
	want := `TurnStarted 1
ContextReady
ReasoningDelta "Hm."
TextDelta "In the"
TextDelta " north bed."
UsageReported 40
UsageReported 40
Saved
Done stop`
	is(t, h.String(), want, h)
	r.wants(before, "**user**: Where do tulips stand?", "Notes: beds.md")
	r.lacks(before, "**ai**")
	r.holds("u Where do tulips stand?", "a In the north bed.")
	if u := r.session.Snapshot().Usage; u == nil || u.Prompt != 40 {
		t.Errorf("usage %+v", u)
	}
	r.wants(r.sent(), "oriole", "[User query]:\nWhere do tulips stand?")
	r.lacks(r.file(), "oriole") // the expanded prompt is never saved
}

// TestCancel: whatever moment a turn is stopped at, by its context or by leaving
// the loop, what came is kept, marked, and the engine is where it was.
func TestCancel(t *testing.T) {
	tests := []struct {
		name   string
		chunks []string
		after  int // text events after which it is stopped
		file   []string
		notes  int
	}{
		{"before anything came", []string{"x"}, 0, []string{"u Where?"}, 0},
		{"after some text", []string{"In the ", "north"}, 1, []string{"u Where?", "a In the (cancelled)"}, 0},
		{
			"after a complete note",
			[]string{"Done. [NOTE TO SELF: dig]", " x", " y"},
			2,
			[]string{"u Where?", "a Done.  x (cancelled)", "n dig"},
			1,
		},
		{
			"in a dangling note",
			[]string{"Done. [NOTE TO SE", "LF: dig] more"},
			1,
			[]string{"u Where?", "a Done. (cancelled)"},
			0,
		},
	}
	for _, tt := range tests {
		for _, leave := range []bool{false, true} {
			r := newRig(t, garden, chaintest.Reply{Chunks: tt.chunks})
			r.model.Add(textReplies("The next.")...)
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			var last chains.Event
			for e := range eventsOf(t, r.session.Send(ctx, chains.Input{Text: "Where?", Attach: []prompt.Ref{note("beds.md")}})) {
				last = e
				switch e.(type) {
				case chains.ContextReady:
					if tt.after == 0 {
						n = tt.after
						cancel()
					}
				case chains.TextDelta:
					if n++; n == tt.after {
						cancel()
					}
				}
				if leave && ctx.Err() != nil {
					break
				}
			}
			cancel()
			if d, ok := last.(chains.Done); !leave && (!ok || d.Finish != chains.FinishCancelled || d.Err != nil) {
				t.Errorf("%s: ended with %+v", tt.name, last)
			}
			r.TB = t
			r.holds(tt.file...)
			if notes := r.chat(); len(notes.NotesToSelf()) != tt.notes {
				t.Errorf("%s: notes %q", tt.name, notes.NotesToSelf())
			}
			// What the cancelled turn attached is not known: it comes in full again.
			h := r.say("And now?", note("beds.md"))
			if at := h.envelope().Attached; len(at) != 1 || at[0].State != "new" {
				t.Errorf("%s: %+v", tt.name, at)
			}
			is(t, strings.Count(r.sent(), "oriole"), 1, tt.name)
			if tt.after == 0 { // nothing came of it: it goes when another is sent
				r.holds("u And now?", "a x")
			}
		}
	}
}

// TestDeadline: running out of time is a failure in words, and no fault of the
// configuration.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, chaintest.Reply{Text: "late", Delay: time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		d := collect(t, r.session.Send(ctx, chains.Input{Text: "Now?"})).ended(chains.FinishError).done()
		if d.Err.Kind != chains.ErrTimeout || !d.Err.Retryable {
			t.Errorf("%+v", d.Err)
		}
	})
}

// TestNoteOnly: a reply that consists of a note to self alone leaves no reply.
func TestNoteOnly(t *testing.T) {
	r := newRig(t, garden, textReplies("[NOTE TO SELF: wait for the answer]", "Right.")...)
	is(t, r.say("Hold on").text(), "")
	r.holds("u Hold on", "n wait for the answer")
	r.say("And?")
	r.holds("u Hold on", "n wait for the answer", "u And?", "a Right.")
	is(t, strings.Count(r.sent(), "wait for the answer"), 1)
}

// TestTooLong: what cannot fit is refused before anything is sent.
func TestTooLong(t *testing.T) {
	r := newRig(t, garden+"-- big.md --\n"+strings.Repeat("heap of soil ", 400)).begin(func(o *chains.Options) {
		o.Window, o.Reserve = 500, 100
	})
	d := r.send(chains.Input{Text: "What is it?", Attach: []prompt.Ref{note("big.md")}}).ended(chains.FinishError).done()
	if d.Err.Kind != chains.ErrContext || !strings.HasPrefix(d.Err.Message, "Too long: ") ||
		!strings.Contains(d.Err.Message, "big.md") {
		t.Errorf("%+v", d.Err)
	}
	is(t, len(r.model.Requests()), 0)
	r.holds("u What is it?")
}

// TestWindowLearned: an error that names the window is learned from; the turn is
// shortened and sent again, once.
func TestWindowLearned(t *testing.T) {
	long := &chains.ProviderError{Kind: chains.ErrContext, Window: 1500, Message: "Too long."}
	r := newRig(t, garden,
		textReplies(strings.Repeat("first ", 300), strings.Repeat("second ", 300), strings.Repeat("third ", 300))...)
	learned := 0
	r.begin(func(o *chains.Options) { o.Calibrate.Window = func(w int) { learned = w } })
	r.say("1")
	r.say("2")
	r.say("3")
	r.model.Add(chaintest.Reply{Err: long}, reply("Short."))
	h := r.send(chains.Input{Text: "4 @nobody"}).ended(chains.FinishStop)
	if learned != 1500 || len(h.notices("window")) != 1 || h.text() != "Short." {
		t.Errorf("learned %d\n%s", learned, h)
	}
	is(t, len(h.notices("missing_note")), 1)
	if strings.Contains(r.sent(), "first first") || !strings.HasSuffix(r.sent(), "4 @nobody") {
		t.Errorf("not shortened:\n%s", short(r.sent()))
	}
	r.model.Add(chaintest.Reply{Err: long})
	d := r.send(chains.Input{Text: "5"}).ended(chains.FinishError).done()
	if d.Err.Kind != chains.ErrContext || r.model.Left() != 0 {
		t.Errorf("%v", d.Err)
	}
}

// TestReports: the numbers that come back are told, unless they say that the
// server cut the prompt.
func TestReports(t *testing.T) {
	for _, cut := range []bool{false, true} {
		r := newRig(t, garden, chaintest.Reply{Text: "Yes.", Usage: &chains.Usage{Prompt: 77}})
		observed := 0
		r.begin(func(o *chains.Options) {
			o.Calibrate.Observe = func(_, reported int) { observed = reported }
			o.Calibrate.Truncated = func(_, reported int) bool { return cut && reported == 77 }
		})
		h := r.say("Is it?")
		if n := len(h.notices("truncated_by_server")); (n == 1) != cut || (observed == 77) == cut {
			t.Errorf("cut %v: %d notices, observed %d", cut, n, observed)
		}
	}
}

// A server may leave the list of tools out of its count: that is no cut prompt.
func TestCutWithTools(t *testing.T) {
	for _, chain := range []chains.Chain{chains.Chat{}, chains.Agent{}} {
		r := newRig(t, garden, chaintest.Reply{Text: "Yes.", Usage: &chains.Usage{Prompt: 77}})
		expected := 0
		r.begin(func(o *chains.Options) {
			o.Chain, o.Tools = chain, chains.Toolbox{List: []chains.Tool{chaintest.Texts("look", "A spade.")}}
			o.Calibrate.Truncated = func(counted, _ int) bool { expected = counted; return false }
		})
		env, list := r.say("Is it?").envelope(), 0
		for _, l := range env.Layers {
			if l.ID == "list" {
				list = l.Tokens
			}
		}
		if offers := chain.Name() == "agent"; expected != env.Predicted.Counted-list || (list > 0) != offers {
			t.Errorf("%s: %d tokens expected of %d, %d of them the list", chain.Name(), expected, env.Predicted.Counted, list)
		}
	}
}

// TestThinking: thinking is not sent back.
func TestThinking(t *testing.T) {
	r := newRig(t, garden, chaintest.Reply{Reasoning: "a secret thought", Text: "Yes."}, reply("No."))
	r.say("One")
	r.say("Two")
	r.lacks(r.sent(), "secret thought")
	r.lacks(r.file(), "secret thought")
}

// TestSaveThinking: where it is asked for, thinking stands in the file as Copilot
// writes it, is there again when the chat is opened, and is not sent back.
func TestSaveThinking(t *testing.T) {
	r := newRig(t, garden, chaintest.Reply{Reasoning: "a secret </think> thought\n**user**: me", Text: "Yes."},
		reply("No."), reply("So."))
	r.begin(func(o *chains.Options) { o.SaveThinking = true })
	r.say("One")
	r.say("Two")
	r.lacks(r.sent(), "secret")
	r.wants(r.file(), "**ai**: <think>\na secret </ think> thought\n\\**user**: me\n</think>\n\nYes.\n[Timestamp")
	r.wants(r.file(), "**ai**: No.\n")
	r.reopen()
	c := r.chat()
	if m := c.Messages[1]; m.Thought != "a secret </ think> thought\n**user**: me" || m.Text != "Yes." ||
		c.Messages[3].Thought != "" {
		t.Errorf("%+v", c.Messages)
	}
	before := r.file()
	r.say("Three")
	r.lacks(r.sent(), "secret")
	r.wants(r.file(), before[strings.Index(before, "**user**: One"):])
}

// TestBusy: while a turn runs, everything but looking says so, from whatever goroutine.
func TestBusy(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.")...)
	r.say("First")
	ran := false
	for e := range r.session.Send(t.Context(), chains.Input{Text: "Second"}) {
		if _, ok := e.(chains.TextDelta); !ok {
			continue
		}
		ran = true
		errs := make(chan error)
		go func() {
			defer close(errs)
			errs <- collect(t, r.session.Send(t.Context(), chains.Input{Text: "x"})).err
			errs <- collect(t, r.session.Retry(t.Context())).err
			errs <- r.session.Apply(chains.Change{Refresh: true})
			_, err := r.session.Undo(t.Context())
			errs <- err
			errs <- r.session.Redo()
			_, _, err = r.session.Preview(t.Context(), chains.Input{})
			errs <- err
			_, _, err = r.session.Price(t.Context(), chains.Input{}, chains.Change{Refresh: true})
			errs <- err
			_, err = r.session.Chat()
			errs <- err
			_, err = r.session.Requests()
			errs <- err
			errs <- r.session.SetTitle("x")
		}()
		for err := range errs {
			if !errors.Is(err, chains.ErrBusy) {
				t.Errorf("%v", err)
			}
		}
		if r.session.Snapshot().Turns != 2 || r.session.Options().ModelName != "m" {
			t.Errorf("%+v", r.session.Snapshot())
		}
	}
	if !ran {
		t.Error("no text came")
	}
	r.holds("u First", "a One.", "u Second", "a Two.")
}

// TestSendWaits: a turn that was prepared begins after what else is being done with the
// chat, such as a forecast; it is not refused.
func TestSendWaits(t *testing.T) {
	var holds atomic.Bool
	held, release := make(chan struct{}), make(chan struct{})
	r := newRig(t, garden, textReplies("One.")...)
	r.begin(func(o *chains.Options) {
		o.Count = func(s string) int {
			if holds.CompareAndSwap(true, false) {
				close(held)
				<-release
			}
			return len(s) / 4
		}
	})
	p := value(r.session.Begin(t.Context(), chains.Input{Text: "First"}))(t)
	holds.Store(true)
	forecast, sent := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := r.session.Forecast(t.Context(), chains.Input{Text: "Another text"})
		forecast <- err
	}()
	<-held
	go func() { sent <- collect(t, p.Send(t.Context())).err }()
	select {
	case err := <-sent:
		t.Errorf("the turn did not wait: %v", err)
		sent <- nil
	case <-time.After(20 * time.Millisecond): // it waits, or will
	}
	close(release)
	if err := errors.Join(<-forecast, <-sent); err != nil {
		t.Error(err)
	}
	r.holds("u First", "a One.")
}

// TestDiskFull: what cannot be saved is not sent; what cannot be saved later is
// kept in memory, said once, and written as soon as it can be.
func TestDiskFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, textReplies("One.")...)
		full := errors.New("write Chats/x.md: " + syscall.ENOSPC.Error())
		r.disk.before = func() error { return full }
		h := r.send(chains.Input{Text: "Will this do?"})
		if !errors.Is(h.err, full) || len(h.events) != 0 || len(r.model.Requests()) != 0 {
			t.Fatalf("%v\n%s", h.err, h)
		}
		if c := r.chat(); len(c.Messages) != 0 || c.Path != "" {
			t.Errorf("left behind: %+v", c)
		}
		r.disk.before = nil
		r.say("Now?")
		r.model.Add(chaintest.Reply{Text: "slow words here", Split: 5, Delay: 2 * time.Second})
		saves := 0
		r.disk.before = func() error {
			if saves++; saves > 1 {
				return full
			}
			return nil
		}
		h = r.send(chains.Input{Text: "And then?"}).ended(chains.FinishStop)
		if n := h.notices("not_saved"); len(n) != 1 || !strings.Contains(n[0], syscall.ENOSPC.Error()) ||
			!strings.Contains(n[0], "memory") {
			t.Errorf("notices %q", n)
		}
		if c := r.chat(); !strings.HasSuffix(transcript(t, c), "u And then?\na slow words here") {
			t.Errorf("in memory\n%s", transcript(t, c))
		}
		r.disk.before = nil
		if err := r.session.SetActive("off"); err != nil {
			t.Error(err)
		}
		r.holds("u Now?", "a One.", "u And then?", "a slow words here")
	})
}

// TestUnsavedAtTheEnd: a reply that could not be saved is tried again when the
// session is closed, and else written elsewhere, for its owner alone.
func TestUnsavedAtTheEnd(t *testing.T) {
	full := errors.New("the disk is full")
	for _, again := range []error{nil, full} {
		r := newRig(t, garden, textReplies("One.", "Two.")...)
		r.say("First")
		saves := 0
		r.disk.before = func() error {
			if saves++; saves > 1 { // the message, then the reply
				return full
			}
			return nil
		}
		r.say("Second")
		r.disk.before = func() error { return again }
		err := r.session.Close()
		if again == nil {
			if err != nil {
				t.Error(err)
			}
			r.holds("u First", "a One.", "u Second", "a Two.")
			continue
		}
		var unsaved *chains.UnsavedError
		if !errors.As(err, &unsaved) || !errors.Is(err, full) || !strings.Contains(err.Error(), unsaved.Path) {
			t.Fatalf("closed with %v", err)
		}
		data := value(os.ReadFile(unsaved.Path))(t)
		chat, _, err := history.Decode(data)
		if got := transcript(t, chat); err != nil || got != "u First\na One.\nu Second\na Two." {
			t.Errorf("rescued %q, %v", got, err)
		}
		if info, err := os.Stat(unsaved.Path); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if err := r.session.Close(); err != nil {
			t.Errorf("closed again: %v", err)
		}
	}
}

// TestSameScript: the same turns give the same bytes on the wire.
func TestSameScript(t *testing.T) {
	play := func() []chains.Request {
		r := newRig(t, garden, textReplies("One. [NOTE TO SELF: a]", "Two.", "Three. [NOTE TO SELF: b]", "Four.")...)
		now := time.Date(2025, 1, 27, 12, 0, 0, 0, time.UTC)
		r.begin(func(o *chains.Options) { o.Now = func() time.Time { now = now.Add(time.Second); return now } })
		r.say("1 @tools/ and @beds")
		r.say("2", note("beds.md"), note("tools/rake.md"))
		r.say("3 #tools")
		r.say("4")
		return r.model.Requests()
	}
	a, b := play(), play()
	for i := range a {
		if a[i].CacheKey != b[i].CacheKey || !slices.Equal(lines(a[i].Messages), lines(b[i].Messages)) {
			t.Errorf("request %d differs:\n%s\n\n%s", i+1, lines(a[i].Messages), lines(b[i].Messages))
		}
	}
}
