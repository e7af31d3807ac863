package chains_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault/vaulttest"
)

// visible is the part of the file that other programs read.
func (r *rig) visible() string {
	r.Helper()
	_, text, _ := strings.Cut(r.file(), "\n**user**")
	return text
}

// endsOf is what a chat holds of its turns, a line each: "q1/reply *q2/reply" with
// a star at the end that is shown, and a dash in front of turns that were taken
// back.
func endsOf(c *history.Chat) []string {
	var lines []string
	line := func(open string, ends []history.Variant, shown int) {
		var texts []string
		for k, v := range ends {
			text, status := v.Reply()
			text = v.Messages[0].Text + "/" + strings.TrimSpace(text)
			if status != "" {
				text += " (" + string(status) + ")"
			}
			if k == shown {
				text = "*" + text
			}
			texts = append(texts, text)
		}
		lines = append(lines, open+strings.Join(texts, " "))
	}
	for i := range c.Messages {
		if c.Messages[i].Role == history.User {
			ends, shown := c.Ends(i)
			line("", ends, shown)
		}
	}
	for _, u := range c.Undone {
		line("- ", u, -1)
	}
	return lines
}

// turns compares the ends of all turns, in memory and on disk.
func (r *rig) turns(want ...string) {
	r.Helper()
	c := r.chat()
	saved, _, err := history.Decode([]byte(r.file()))
	if err != nil {
		r.Fatal(err)
	}
	for where, got := range map[string][]string{"in memory": endsOf(&c), "on disk": endsOf(&saved)} {
		if !slices.Equal(got, want) {
			r.Errorf("%s:\n%s\nwant\n%s", where, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func (r *rig) show(n int) {
	r.Helper()
	value(r.session.ShowVariant(n))(r)
}

// TestShowVariant: the end that is shown is what the model knows, with its note to
// self and what it attached.
func TestShowVariant(t *testing.T) {
	for _, reopened := range []bool{false, true} {
		t.Run(fmt.Sprint("reopened ", reopened), func(t *testing.T) {
			r := newRig(t, garden, said("One.", "Two. [NOTE TO SELF: second]", "Better. [NOTE TO SELF: third]", "Three.", "Four.")...)
			r.say("1")
			r.say("2", note("beds.md"))
			r.retry().ended(chains.FinishStop)
			requests := len(r.model.Requests())
			if reopened {
				r.reopen()
			}
			r.show(1)
			r.turns("*1/One.", "*2/Two. 2/Better.")
			r.holds("u 1", "a One.", "u 2", "a Two.", "n second")
			if len(r.model.Requests()) != requests {
				t.Error("something was sent")
			}
			h := r.say("3 @beds.md")
			r.wants(r.sent(), "One.", "Two.", "second", "oriole")
			r.lacks(r.sent(), "Better", "third")
			if at := h.envelope().Attached; len(at) != 1 || at[0].State != "known" {
				t.Errorf("%+v", at)
			}
			r.turns("*1/One.", "*2/Two. 2/Better.", "*3 @beds.md/Three.")
			if _, err := r.session.ShowVariant(2); err == nil {
				t.Error("a turn that was sent once has a second variant")
			}
		})
	}
}

// TestVariantsCostNothing: going from one reply to another and back keeps what the
// provider has cached.
func TestVariantsCostNothing(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Better.", "Three.")...)
	r.say("1", note("beds.md"))
	r.say("2")
	first := r.last()
	r.retry().ended(chains.FinishStop)
	r.show(1)
	r.show(2)
	r.show(1)
	e := r.say("3").envelope()
	if next := r.last(); e.Epoch.New || !slices.Equal(next[:len(first)-1], first[:len(first)-1]) || next[len(first)] != "assistant: Two." {
		t.Errorf("after %q\nwas sent %q", first, next)
	}
}

// TestVariantsOfQuestions: a turn that is taken back and sent in other words has
// both, each with what it attached, also after the program was killed between.
func TestVariantsOfQuestions(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprint("killed ", killed), func(t *testing.T) {
			r := newRig(t, garden, said("One.", "Two.", "Uno.", "Due.", "Tre.")...)
			r.say("1")
			r.say("2", note("tools/rake.md"))
			u, _, err := r.session.TakeBack(t.Context())
			if err != nil || u.Turn.Text != "2" || len(u.Turn.Attach) != 1 {
				t.Fatalf("%+v, %v", u, err)
			}
			r.turns("*1/One.", "- 2/Two.")
			if killed {
				r.reopen()
			}
			r.say("2, please", note("tools/spade.md"))
			r.turns("*1/One.", "2/Two. *2, please/Uno.")
			r.lacks(r.sent(), "Two.", "finch")
			r.show(1)
			r.retry().ended(chains.FinishStop)
			if q := r.last(); !strings.HasSuffix(q[len(q)-1], "2") {
				t.Errorf("the question was %q", q[len(q)-1])
			}
			r.wants(r.sent(), "finch")
			r.lacks(r.sent(), "wren", "Uno.", "Two.")
			r.turns("*1/One.", "2/Two. 2, please/Uno. *2/Due.")
			r.show(2)
			r.say("3")
			r.wants(r.sent(), "wren", "Uno.")
			r.lacks(r.sent(), "finch", "Due.")
		})
	}
}

// TestUndoVariants: undo and redo go back and forth over what was answered anew,
// shown and taken back, and nothing leaves the file.
func TestUndoVariants(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Better.", "Three.")...)
	r.say("1")
	r.say("2")
	r.retry().ended(chains.FinishStop)
	r.show(1)
	r.show(2)
	steps := [][]string{
		{"*1/One.", "2/Two. *2/Better."},
		{"*1/One.", "*2/Two. 2/Better."},
		{"*1/One.", "2/Two. *2/Better."},
		{"*1/One.", "*2/Two. 2/Better."}, // before it was answered anew
		{"*1/One.", "- 2/Two. 2/Better."},
		{"- 1/One.", "- 2/Two. 2/Better."},
	}
	for i, want := range steps {
		if i > 0 {
			u := r.undo()
			if u.Other != (i <= 3) {
				t.Errorf("step %d took back %+v", i, u)
			}
			r.turns(want...)
			r.redo()
			r.turns(steps[i-1]...)
			r.undo()
		}
		r.turns(want...)
	}
	if _, _, err := r.session.Undo(t.Context()); !errors.Is(err, chains.ErrNothing) {
		t.Errorf("%v", err)
	}
	r.say("again")
	r.turns("1/One. *again/Three.", "- 2/Two. 2/Better.")
}

// TestTakeBackKeepsChanges: what was withdrawn since the turn stays so while its
// message is edited.
func TestTakeBackKeepsChanges(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Three.")...)
	r.say("1", note("tools/rake.md"))
	r.say("2")
	r.apply(chains.Change{Forget: []prompt.Ref{note("tools/rake.md")}})
	if _, _, err := r.session.TakeBack(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.say("2!")
	r.lacks(r.sent(), "finch", "rake")
	r.lacks(r.file(), "[Context")
	r.turns("*1/One.", "2/Two. *2!/Three.")
}

// TestVariantAfterAnotherReply: an end of the last turn that was reached before an earlier
// turn was answered anew is shown behind the new reply, and sent so.
func TestVariantAfterAnotherReply(t *testing.T) {
	r := newRig(t, garden, said("One.", "Two.", "Uno.", "Three.", "Four.")...)
	r.say("1")
	r.say("2")
	r.undo()
	r.retry()
	r.say("3")
	r.show(1)
	r.turns("1/One. *1/Uno.", "*2/Two. 3/Three.")
	r.say("4")
	r.wants(r.sent(), "Uno.", "Two.")
	r.lacks(r.sent(), "One.", "Three.")
}

// TestVariantsOfACutTurn: a message that was stopped before anything came leaves
// the variants of its turn behind.
func TestVariantsOfACutTurn(t *testing.T) {
	r := newRig(t, garden, said("One.")...)
	r.say("1")
	r.undo()
	r.model.Add(chaintest.Reply{Err: &chains.ProviderError{Kind: chains.ErrRate, Message: "Later."}})
	r.send(chains.Input{Text: "one?"}).ended(chains.FinishError)
	r.turns("1/One. *one?/")
	r.show(1)
	r.turns("*1/One. one?/")
	r.show(2)
	r.model = chaintest.New(said("Uno.")...)
	r.reopen(func(o *chains.Options) { o.Model = r.model })
	r.retry().ended(chains.FinishStop)
	r.turns("1/One. *one?/Uno.")
}

// TestKilledRetry: of a reply that streams beside a whole one a crash takes at most
// what came in the last second; who opens the chat then finds it as a variant.
func TestKilledRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, said("One.")...)
		r.say("1")
		word := strings.Repeat("slow words ", 30)
		r.model.Add(chaintest.Reply{Text: strings.Repeat(word, 30), Split: len(word), Delay: time.Second})
		began, looked := time.Now(), 0
		for e := range r.session.Retry(t.Context()) {
			if _, ok := e.(chains.TextDelta); !ok || time.Since(began) < 15*time.Second {
				continue
			}
			looked++
			synctest.Wait()
			store := value(history.NewStore(r.vault, history.Options{Zone: time.UTC, StateDir: r.state}))(t)
			c, _, err := store.Read(t.Context(), r.session.Snapshot().Path)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSpace(strings.Repeat(word, int(time.Since(began)/time.Second)-1))
			got := endsOf(&c)
			if len(got) != 1 || !strings.HasPrefix(got[0], "*1/One. 1/"+want) || !strings.HasSuffix(got[0], " (cut)") || strings.Count(got[0], "1/") != 2 {
				t.Fatalf("after %s: %s", time.Since(began), short(fmt.Sprint(got)))
			}
		}
		if looked < 10 {
			t.Errorf("looked %d times", looked)
		}
	})
}

// TestNothingIsLost: whatever a person does, every reply that came is in the file,
// the requests hold what is shown, and none that is not.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, garden)
		var came []string
		n := 0
		turn := func(run func() happened) {
			n++
			text := fmt.Sprintf("r%d;", n)
			reply := chaintest.Reply{Text: text + fmt.Sprintf(" [NOTE TO SELF: n%d;]", n)}
			if rapid.IntRange(0, 3).Draw(rt, "breaks") == 0 {
				reply = chaintest.Reply{Chunks: []string{text, " and"}, Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "gone"}, ErrAfter: 1}
			}
			before := r.chat()
			r.model.Add(reply)
			if h := run(); h.err != nil {
				if !errors.Is(h.err, chains.ErrNothing) {
					rt.Fatal(h.err)
				}
				r.model = chaintest.New() // the reply was not asked for
				r.reopen(func(o *chains.Options) { o.Model = r.model })
				return
			}
			came = append(came, text)
			sent := r.sent()
			kept := before.Messages[:max(before.LastTurn(), 0)]
			for _, m := range kept {
				if m.Role != history.User && !strings.Contains(sent, m.Text) {
					rt.Fatalf("no %q in\n%s", m.Text, sent)
				}
			}
			for _, text := range came {
				if strings.Contains(sent, text) && !slices.ContainsFunc(before.Messages, func(m history.Message) bool { return strings.Contains(m.Text, text) }) {
					rt.Fatalf("%q, which is not shown, is in\n%s", text, sent)
				}
			}
		}
		turn(func() happened { return r.send(chains.Input{Text: "q0;"}) })
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"say", "again", "again", "undo", "redo", "edit", "show", "show", "note", "reopen"}).Draw(rt, "step") {
			case "say":
				turn(func() happened { return r.send(chains.Input{Text: fmt.Sprintf("q%d; @beds.md", n)}) })
			case "again":
				turn(r.retry)
			case "undo":
				_, _, _ = r.session.Undo(t.Context()) // there may be nothing
			case "edit":
				_, _, _ = r.session.TakeBack(t.Context())
			case "redo":
				_, _ = r.session.Redo()
			case "show":
				_, _ = r.session.ShowVariant(rapid.IntRange(1, 3).Draw(rt, "variant"))
			case "note":
				vaulttest.Write(t, r.vault, "beds.md", fmt.Sprint("Bed ", n))
			case "reopen":
				r.reopen()
			}
			c := r.chat()
			saved, _, err := history.Decode([]byte(r.file()))
			if err != nil {
				rt.Fatal(err)
			}
			memory, disk := strings.Join(endsOf(&c), "\n"), strings.Join(endsOf(&saved), "\n")
			if memory != disk {
				rt.Fatalf("in memory\n%s\non disk\n%s", memory, disk)
			}
			for _, text := range came {
				if strings.Count(disk, text) != 1 {
					rt.Fatalf("%q is %d times in\n%s", text, strings.Count(disk, text), disk)
				}
			}
		}
	})
}
