package chatview

import (
	"context"
	"iter"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// The way from a turn to the screen. The turn's goroutine waits while maxBacklog events are not taken, so
// a slow screen slows the connection and nothing piles up. Arriving text is gathered for gatherTime at
// least: a reply is read in pieces of several events, and one frame shows them all.
const (
	maxBacklog = 1024
	gatherTime = 4 * time.Millisecond
)

// Wait waits for further events. Text waits for its pace since the last time; every other event comes at
// once, with those before it.
func (last TurnMsg) Wait(t *theme.Theme) term.Work {
	every := tickTime(t, min(textPace+time.Duration(len(last.Got))*eventPace, slowestPace))
	return func(ctx context.Context) tea.Msg {
		msg := TurnMsg{Of: last.Of, ID: last.ID, Events: last.Events}
		var due <-chan time.Time
		for hurry := false; !hurry && len(msg.Got) < maxBacklog; {
			select {
			case e, more := <-last.Events:
				hurry, msg.Ended = !more || isUrgent(e), !more
				if more {
					msg.Got = append(msg.Got, e)
				}
				if due == nil {
					due = time.After(max(every-time.Since(last.at), gatherTime))
				}
			case <-due:
				hurry = true
			case <-ctx.Done():
				return nil
			}
		}
		msg.at = time.Now()
		return msg
	}
}

// Urgent reports whether some of the events must be shown at once.
func (last TurnMsg) Urgent() bool { return slices.ContainsFunc(last.Got, isUrgent) }

// isUrgent reports whether an event must be shown at once.
func isUrgent(e TurnEvent) bool {
	switch e.Event.(type) {
	case chains.TextDelta, chains.ReasoningDelta, chains.Saved:
		return false
	}
	return true
}

// pumpTurn ranges over the turn and sends its events. It goes on after ctx ends, so that the reply is
// saved.
func pumpTurn(seq iter.Seq2[chains.Event, error], events chan<- TurnEvent) term.Work {
	return func(ctx context.Context) tea.Msg {
		defer close(events)
		send := func(e TurnEvent) {
			select {
			case events <- e:
			case <-ctx.Done(): // nobody reads any more
			}
		}
		fault := term.Guard("ended this turn", func() {
			for e, err := range seq {
				send(TurnEvent{e, err})
			}
		})
		if fault != nil { // the turn has saved what came
			send(TurnEvent{Event: chains.Done{Finish: chains.FinishCutOff, Err: &chains.ProviderError{
				Kind: chains.ErrCutOff, Message: "A fault of ibid ended this turn. What came is kept; /retry asks again.",
				Err: fault,
			}}})
			return fault
		}
		return nil
	}
}
