package chatview

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"ibid/chains"
	"ibid/ui/theme"
)

// readTurn reads the messages of a turn as the screen does, and calls check with each. It
// returns the number of messages and the text in them.
func looksAt(ctx context.Context, seq func(func(chains.Event, error) bool),
	check func(TurnMsg),
) (looks int, text string) {
	msg := TurnMsg{Events: make(chan TurnEvent, maxBacklog)}
	go pumpTurn(seq, msg.Events)(ctx)
	for !msg.Ended {
		msg = msg.Wait(&theme.Theme{})(ctx).(TurnMsg)
		looks++
		for _, e := range msg.Got {
			if e, ok := e.Event.(chains.TextDelta); ok {
				text += e.Text
			}
		}
		check(msg)
	}
	return looks, text
}

// TestHandover: all text arrives in order. Text that was read at once is one message, other
// events are not delayed, and a turn with too many unread events waits for the screen.
func TestHandover(t *testing.T) {
	word := func(i int) chains.Event { return chains.TextDelta{Text: strconv.Itoa(i) + " "} }
	// Of reads of 4 events some two are one look, of 300, which nobody follows, each two.
	for size, want := range map[int]struct{ looks, longest int }{4: {22, 8}, 300: {12, 600}} {
		synctest.Test(t, func(t *testing.T) {
			all, longest := "", 0
			looks, text := looksAt(t.Context(), func(yield func(chains.Event, error) bool) {
				for i := range 20 * size {
					if i%size == 0 {
						time.Sleep(100 * time.Millisecond) // as often as a fast stream is read
					}
					yield(word(i), nil)
					all += strconv.Itoa(i) + " "
				}
			}, func(m TurnMsg) { longest = max(longest, len(m.Got)) })
			if text != all {
				t.Errorf("%d bytes of text, want %d", len(text), len(all))
			}
			if looks > want.looks || longest != want.longest {
				t.Errorf("%d looks at up to %d events, want %+v", looks, longest, want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		looksAt(t.Context(), func(yield func(chains.Event, error) bool) {
			yield(word(1), nil)
			yield(chains.Notice{Text: "news"}, nil)
		}, func(m TurnMsg) {
			if len(m.Got) > 0 && (len(m.Got) != 2 || !time.Now().Equal(began)) {
				t.Errorf("%d events after %v, want both at once", len(m.Got), time.Since(began))
			}
		})
	})
	synctest.Test(t, func(t *testing.T) {
		events, given := make(chan TurnEvent, maxBacklog), 0
		ctx, cancel := context.WithCancel(t.Context())
		go pumpTurn(func(yield func(chains.Event, error) bool) {
			for ; given < 3*maxBacklog; given++ {
				yield(word(given), nil)
			}
		}, events)(ctx)
		for looks := range 2 {
			synctest.Wait()
			if want := maxBacklog * (looks + 1); given != want {
				t.Errorf("%d events given after %d looks, want %d", given, looks, want)
			}
			(TurnMsg{Events: events}).Wait(&theme.Theme{})(ctx)
		}
		cancel()
		synctest.Wait()
		if given != 3*maxBacklog {
			t.Errorf("%d events given after the end of the screen, want all %d", given, 3*maxBacklog)
		}
	})
}
