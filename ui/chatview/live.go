package chatview

import (
	"fmt"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/calltext"
	"ibid/ui/theme"
)

// liveReply is the state of a reply while it streams.
type liveReply struct {
	Wait          chains.Notice         // why nothing comes yet, zero once something does
	WaitsSince    time.Time             // since when it waits
	thinkingSince time.Time             // when the thinking began, zero if it has not or has ended
	Actions       *calltext.BlockReader // nil if no blocks in replies propose to write notes
	Advanced      int                   // ticks in whose place arriving text has advanced the spinner
}

// Waiting returns the reason why nothing comes yet, "" if something does. It counts the seconds down
// until the next attempt.
func (l *liveReply) Waiting(now time.Time) string {
	seconds := func(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
	left := " now"
	if d := l.Wait.Wait - now.Sub(l.WaitsSince); d > 0 {
		left = fmt.Sprintf(" in %d s", seconds(d))
	}
	return strings.Replace(l.Wait.Text, fmt.Sprintf(" in %d s", seconds(l.Wait.Wait)), left, 1)
}

// Preparing describes with a spinner what a turn does, and for how long, while no reply is open and no
// call runs. It is "" otherwise, and for the first moment.
func (t *Turn) Preparing(g *theme.Glyphs) string {
	d := t.Now().Sub(t.Began)
	if !t.Running() || t.Open || len(t.Rounds.running) > 0 || d < spinPace {
		return ""
	}
	text := g.Spinner[int(d/spinPace)%len(g.Spinner)] + " preparing"
	if d >= time.Second {
		text += fmt.Sprintf(" %s %d s", g.Dot, d/time.Second)
	}
	return text
}

// add returns the text that can be shown after text has arrived.
func (l *liveReply) add(text string) string {
	if l.Actions == nil {
		return text
	}
	return l.Actions.Write(text)
}

// end prepares for the next reply, and returns the text that was held back.
func (l *liveReply) end() (held string) {
	if l.Actions != nil {
		held = l.Actions.Close()
		l.Actions = calltext.NewBlockDrawer()
	}
	return held
}

// drawReply returns a complete reply as it is shown.
func (l *liveReply) drawReply(text string) string {
	if l.Actions == nil {
		return text
	}
	return calltext.DrawBlocks(text)
}
