package chains_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/offline"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// asksSummary reports whether a request asks for a summary.
func asksSummary(r chains.Request) bool {
	return strings.HasPrefix(r.Messages[len(r.Messages)-1].Content, "Before we go on: summarize")
}

// newLadderSession returns a session in a small window whose model gives long answers, and this
// summary.
func newLadderSession(t *testing.T, summary chaintest.Reply) *rig {
	return newRig(t, garden, chaintest.Reply{Func: func(r chains.Request) chaintest.Reply {
		if asksSummary(r) {
			return summary
		}
		return chaintest.Reply{Text: strings.Repeat("ladder ", 150)}
	}}).begin(func(o *chains.Options) { o.Window, o.Reserve, o.Background.Summaries = 4000, 500, true })
}

// climb sends turns until a request was shortened. Background work ends between them.
func (r *rig) climb() turnResult {
	for range 30 {
		h := r.say("go on")
		if len(h.envelope().Shortened) > 0 {
			return h
		}
		synctest.Wait()
	}
	r.Fatal("nothing was shortened")
	return turnResult{}
}

// TestFold: after an answer the session asks for a summary, which replaces the turns that no
// longer fit. Without a summary the turns are left out. A notice says either, once.
func TestFold(t *testing.T) {
	for name, tt := range map[string]struct {
		summary chaintest.Reply
		want    string
		said    string
	}{
		"summarized": {
			reply("They spoke of ladders. [NOTE TO SELF: hidden]"),
			"They spoke of ladders.", "in a summary",
		},
		"the model fails": {chaintest.Reply{Err: &chains.ProviderError{
			Kind:    chains.ErrServer,
			Message: "down",
		}}, "I will ask if something", "left out"},
		"the model is silent": {reply("\n"), "I will ask if something", "left out"},
		"longer than they": {
			chaintest.Reply{Text: strings.Repeat("endless ", 3000)},
			"I will ask if something",
			"the summary of turns",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newLadderSession(t, tt.summary)
				h := r.climb()
				r.wants(r.sent(), tt.want)
				r.lacks(r.sent(), "hidden")
				if n := h.notices("shortened"); !strings.Contains(strings.Join(n, "\n"), tt.said) {
					t.Errorf("notices %q", n)
				}
				asked := 0
				all := r.model.Requests()
				for i, request := range all {
					if !asksSummary(request) {
						continue
					}
					asked++
					before := all[i-1].Messages
					if got := request.Messages; !slices.EqualFunc(before, got[:len(before)], sameMessage) ||
						len(got) != len(before)+2 {
						t.Errorf("the summary is not asked for behind the request just answered:\n%s",
							short(strings.Join(lines(got), "\n")))
					}
				}
				is(t, asked, 1)
				h = r.say("and then?")
				r.wants(r.sent(), tt.want)
				if n := h.notices("shortened"); len(n) > 0 {
					t.Errorf("said again: %q", n)
				}
				if err := r.session.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func sameMessage(a, b prompt.Message) bool { return a.Role == b.Role && a.Content == b.Content }

// TestFoldWithoutSummaries: a session that makes no summaries leaves the turns out.
func TestFoldWithoutSummaries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newLadderSession(t, chaintest.Reply{})
		r.begin(func(o *chains.Options) { o.Background.Summaries = false }).climb()
		r.wants(r.sent(), "are left out here")
		if slices.ContainsFunc(r.model.Requests(), asksSummary) {
			t.Error("a summary was asked for")
		}
	})
}

// TestSummaryInterrupted: a turn waits a moment for an unfinished summary, and then goes on
// without one for good, since the next one would be late too. Closing the session ends a
// summary at once.
func TestSummaryInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func() (*rig, func() int) {
			r := newLadderSession(t, chaintest.Reply{Text: "slow", Delay: time.Hour})
			asked := func() (n int) {
				for _, request := range r.model.Requests() {
					if asksSummary(request) {
						n++
					}
				}
				return n
			}
			for asked() == 0 {
				r.say("go on")
				synctest.Wait()
			}
			return r, asked
		}
		r, asked := slow()
		if _, _, err := r.session.Preview(t.Context(), chains.Input{Text: "next"}); err != nil {
			t.Error(err)
		}
		before := time.Now()
		r.say("next")
		if d := time.Since(before); d > 5*time.Second {
			t.Errorf("the turn was kept waiting for %v", d)
		}
		if synctest.Wait(); asked() != 1 {
			t.Errorf("asked %d times", asked())
		}
		closing, _ := slow()
		for _, s := range []*rig{r, closing} {
			before = time.Now()
			if err := s.session.Close(); err != nil || time.Since(before) > time.Second {
				t.Errorf("closed after %v: %v", time.Since(before), err)
			}
		}
	})
}

// TestSummaryOfAnotherPast: a summary of turns that were undone meanwhile is dropped.
func TestSummaryOfAnotherPast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newLadderSession(t, chaintest.Reply{Text: "They spoke of ladders.", Delay: time.Second})
		for !slices.ContainsFunc(r.model.Requests(), asksSummary) {
			r.say("go on")
			synctest.Wait()
		}
		_, err := r.session.Undo(t.Context())
		check(t, err)
		time.Sleep(2 * time.Second)
		r.say("another way")
		synctest.Wait()
		time.Sleep(2 * time.Second)
		h := r.climb()
		summaries := 0
		for _, m := range h.envelope().Messages() {
			summaries += strings.Count(m.Content, "They spoke of ladders.")
		}
		is(t, summaries, 1)
		if err := r.session.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestOfflineSummary: the offline model writes summaries like its other replies, by quoting
// attachments.
func TestOfflineSummary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, garden+"-- rain.md --\n"+
			strings.Repeat("Rain fills the barrel. It is green, and it leaks in winter.\n\n", 40))
		r.begin(func(o *chains.Options) {
			o.Model, o.Window, o.Reserve, o.Background.Summaries = offline.New(offline.Options{}), 3000, 300, true
		})
		r.say("What of the rain?", note("rain.md"))
		for range 40 {
			h := r.say("Where do the tulips stand, and what of the barrel?", note("beds.md"))
			synctest.Wait()
			if len(h.envelope().Shortened) == 0 {
				continue
			}
			dump := h.envelope().Dump()
			r.wants(dump, "Summarize turns 1 to", "Tulips stand in the north bed.")
			if err := r.session.Close(); err != nil {
				t.Error(err)
			}
			return
		}
		t.Error("nothing was folded")
	})
}

// slotModel is the model of a server with one slot and a window: it keeps the last request and
// its reply, and reads only the part of the next request that differs.
type slotModel struct {
	*rand.Rand
	window   int
	kept     string
	uncached int
	requests int
	asked    int // of them for summaries
	err      error
}

func (m *slotModel) words(tokens int) string {
	var b strings.Builder
	for b.Len() < 4*tokens {
		fmt.Fprintf(&b, "w%05d ", m.IntN(100000))
	}
	return b.String()[:4*tokens-1] + "."
}

func (m *slotModel) Stream(_ context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		var b strings.Builder
		for _, msg := range r.Messages {
			b.WriteString("<|" + string(msg.Role) + "|>" + msg.Content + "<|end|>")
		}
		text := b.String()
		same := 0
		for same < min(len(text), len(m.kept)) && text[same] == m.kept[same] {
			same++
		}
		m.requests++
		m.uncached += (len(text)+3)/4 - same/4
		reply := m.words(500)
		switch n := m.IntN(40); {
		case asksSummary(r):
			m.asked++
			reply = m.words(280)
		case n == 0:
			reply += "\n\n[NOTE TO SELF: " + m.words(m.window/8) + "]"
		default:
			reply += "\n\n[NOTE TO SELF: " + m.words(30+m.IntN(120)) + "]"
		}
		if need := (len(text) + len(reply)) / 4; (len(text)+3)/4 > m.window || asksSummary(r) && need > m.window {
			m.err = fmt.Errorf("%d tokens in a window of %d", need, m.window)
		}
		m.kept = text + "<|assistant|>" + reply + "<|end|>"
		_ = yield(chains.Delta{Text: reply}, nil) && yield(chains.Delta{Finish: chains.FinishStop}, nil)
	}
}

// TestSmallWindowsOnTheWire measures a chat of 200 turns on a server with one slot, by the
// requests that the session sends: the tokens that the server reads per turn, with summaries,
// have a limit.
func TestSmallWindowsOnTheWire(t *testing.T) {
	vaulttest.SkipUnlessSlow(t)
	if testing.Short() {
		t.Skip("long chats")
	}
	for window, most := range map[int]int{2048: 1500, 4096: 1600, 8192: 1600, 16384: 1600, 32768: 2600} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &slotModel{Rand: rand.New(rand.NewPCG(7, uint64(window))), window: window}
				r := newRig(t, garden).begin(func(o *chains.Options) {
					o.Model, o.Store, o.Window, o.Reserve, o.Background.Summaries = m, nil, window, window*3/10, true
					o.Instructions = prompt.Instructions{Vault: "Garden"}
				})
				for i := range 200 {
					in := chains.Input{Text: fmt.Sprintf("%d: %s", i, m.words(60+m.IntN(150)))}
					if i%50 == 3 {
						in.Attach = []prompt.Ref{note("beds.md")}
					}
					r.send(in).ended(chains.FinishStop)
					synctest.Wait()
				}
				if m.err != nil {
					t.Error(m.err)
				}
				if got := m.uncached / 200; got > most {
					t.Errorf("%d tokens a turn are read anew, at most %d", got, most)
				}
				t.Logf("%d tokens a turn are read anew, in %d requests, %d of them for summaries", m.uncached/200,
					m.requests, m.asked)
				if err := r.session.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
