package chatview

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// How a turn reaches the screen. The turn's goroutine waits when backlog events
// are not taken yet, so a slow screen slows the connection and nothing piles up.
// Text that comes is gathered for settle at least: a reply is read in pieces of
// several events, and one frame shows them all.
const (
	backlog = 1024
	settle  = 4 * time.Millisecond
)

// handover takes the events of a turn from its goroutine to the screen. It wakes the
// other side as seldom as it can: that costs more than an event.
type handover struct {
	mu    sync.Mutex
	got   []TurnEvent
	hurry bool          // to be taken at once
	ended bool          // no more will come
	ready chan struct{} // holds one: something came, or hurry was set
	room  chan struct{} // holds one: got was taken
}

func newHandover() *handover {
	return &handover{ready: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// signal leaves a sign, unless there is one.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// put adds an event, and waits until there is room for the next. Once ctx has ended
// it does neither: nobody reads any more.
func (h *handover) put(ctx context.Context, e TurnEvent) {
	if ctx.Err() != nil {
		return
	}
	h.mu.Lock()
	h.got = append(h.got, e)
	full := len(h.got) >= backlog
	hurry := full || isUrgent(e)
	h.hurry = h.hurry || hurry
	wake := hurry || len(h.got) == 1
	h.mu.Unlock()
	if wake {
		signal(h.ready)
	}
	for full {
		select {
		case <-h.room: // of now, or of a time before
		case <-ctx.Done():
			return
		}
		h.mu.Lock()
		full = len(h.got) >= backlog
		h.mu.Unlock()
	}
}

// end says that no more will come.
func (h *handover) end() {
	h.mu.Lock()
	h.ended, h.hurry = true, true
	h.mu.Unlock()
	signal(h.ready)
}

// take takes what is there, if it is due or in a hurry.
func (h *handover) take(due bool) (got []TurnEvent, ended bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.hurry && !due {
		return nil, false
	}
	got, h.got, h.hurry = h.got, nil, false
	signal(h.room)
	return got, h.ended
}

// Wait waits for further events. Text waits until its pace has passed since the last
// time; everything else comes at once, and what came before with it.
func (last TurnMsg) Wait(t *theme.Theme) term.Work {
	every := stepTime(t, pace)
	return func(ctx context.Context) tea.Msg {
		msg := TurnMsg{Of: last.Of, ID: last.ID, Events: last.Events}
		timer := time.NewTimer(0)
		defer timer.Stop()
		timer.Stop()
		for timed := false; ; {
			due := false
			select {
			case <-last.Events.ready:
			case <-timer.C:
				due, timed = true, false
			case <-ctx.Done():
				return nil
			}
			if msg.Got, msg.Ended = last.Events.take(due); len(msg.Got) > 0 || msg.Ended {
				msg.at = time.Now()
				return msg
			}
			if !due && !timed {
				timer.Reset(max(every-time.Since(last.at), settle))
				timed = true
			}
		}
	}
}

// Urgent reports whether some of the events are worth a look at once.
func (last TurnMsg) Urgent() bool { return slices.ContainsFunc(last.Got, isUrgent) }

// isUrgent reports whether an event is worth a look at once.
func isUrgent(e TurnEvent) bool {
	switch e.Event.(type) {
	case chains.TextDelta, chains.ReasoningDelta, chains.Saved:
		return false
	}
	return true
}

// pumpTurn ranges over the turn and hands its events over. When ctx ends it goes on, so
// that the reply is saved.
func pumpTurn(seq iter.Seq2[chains.Event, error], events *handover) term.Work {
	return func(ctx context.Context) tea.Msg {
		defer events.end()
		for e, err := range seq {
			events.put(ctx, TurnEvent{e, err})
		}
		return nil
	}
}
