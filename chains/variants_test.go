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
	"ibid/history"
	"ibid/vault/vaulttest"
)

// visible returns the part of the file that other programs read.
func (r *rig) visible() string {
	r.Helper()
	_, text, _ := strings.Cut(r.file(), "\n**user**")
	return text
}

// endsOf returns the variants of a chat's turns, one turn per line: "q1/reply *q2/reply", with
// a star at the displayed one, and a dash in front of undone turns.
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

// turns compares the variants of all turns, in memory and on disk.
func (r *rig) turns(want ...string) {
	r.Helper()
	c := r.chat()
	saved, _, err := history.Decode([]byte(r.file()))
	check(r, err)
	for where, got := range map[string][]string{"in memory": endsOf(&c), "on disk": endsOf(&saved)} {
		is(r, got, want, where)
	}
}

func (r *rig) show(n int) {
	r.Helper()
	check(r, r.session.ShowVariant(n))
}

// TestVariantsCostNothing: switching to another reply and back keeps the provider's cache.
func TestVariantsCostNothing(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.", "Better.", "Three.")...)
	r.say("1", note("beds.md"))
	r.say("2")
	first := r.last()
	r.retry().ended(chains.FinishStop)
	r.show(1)
	r.show(2)
	r.show(1)
	e := r.say("3").envelope()
	if next := r.last(); e.Epoch.New || !slices.Equal(next[:len(first)-1], first[:len(first)-1]) ||
		next[len(first)] != "assistant: Two." {
		t.Errorf("after %q\nwas sent %q", first, next)
	}
}

// TestKilledRetry: a crash during a retry loses at most the last second of the new reply. When
// the chat is opened again, that reply is a variant.
func TestKilledRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden, textReplies("One.")...)
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
			check(t, err)
			want := strings.TrimSpace(strings.Repeat(word, int(time.Since(began)/time.Second)-1))
			got := endsOf(&c)
			if len(got) != 1 || !strings.HasPrefix(got[0], "*1/One. 1/"+want) ||
				!strings.HasSuffix(got[0], " (cut)") || strings.Count(got[0], "1/") != 2 {
				t.Fatalf("after %s: %s", time.Since(began), short(fmt.Sprint(got)))
			}
		}
		if looked < 10 {
			t.Errorf("looked %d times", looked)
		}
	})
}

// TestNothingIsLost: after any actions every reply is in the file, and requests have exactly
// the displayed replies.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, garden)
		var came []string
		n := 0
		turn := func(run func() turnResult) {
			n++
			text := fmt.Sprintf("r%d;", n)
			reply := chaintest.Reply{Text: text + fmt.Sprintf(" [NOTE TO SELF: n%d;]", n)}
			if rapid.IntRange(0, 3).Draw(rt, "breaks") == 0 {
				reply = chaintest.Reply{
					Chunks: []string{text, " and"},
					Err:    &chains.ProviderError{Kind: chains.ErrCutOff, Message: "gone"}, ErrAfter: 1,
				}
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
				if strings.Contains(sent, text) &&
					!slices.ContainsFunc(before.Messages, func(m history.Message) bool { return strings.Contains(m.Text, text) }) {
					rt.Fatalf("%q, which is not shown, is in\n%s", text, sent)
				}
			}
		}
		turn(func() turnResult { return r.send(chains.Input{Text: "q0;"}) })
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{
				"say", "again", "again", "undo", "redo", "edit", "show", "show",
				"note", "reopen",
			}).Draw(rt, "step") {
			case "say":
				turn(func() turnResult { return r.send(chains.Input{Text: fmt.Sprintf("q%d; @beds.md", n)}) })
			case "again":
				turn(r.retry)
			case "undo":
				_, _ = r.session.Undo(t.Context()) // there may be nothing
			case "edit":
				_, _ = r.session.TakeBack(t.Context())
			case "redo":
				_ = r.session.Redo()
			case "show":
				_ = r.session.ShowVariant(rapid.IntRange(1, 3).Draw(rt, "variant"))
			case "note":
				vaulttest.Write(t, r.vault, "beds.md", fmt.Sprint("Bed ", n))
			case "reopen":
				r.reopen()
			}
			c := r.chat()
			saved, _, err := history.Decode([]byte(r.file()))
			check(rt, err)
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
