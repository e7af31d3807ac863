package chatview

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/calltext"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/theme"
)

// liveReply is the state of a reply while it streams.
type liveReply struct {
	Wait          chains.Notice // why nothing comes yet, zero once something does
	WaitsSince    time.Time     // since when it waits
	thinkingSince time.Time     // when the thinking began, zero if it has not or has ended
	notes         footnotes
	Actions       *calltext.BlockReader // nil if no blocks in replies propose to write notes
	Steps         int                   // animation steps of the spinner
	Reading       string                // what is read before the request, in words
	Advanced      bool                  // arriving text has advanced the spinner since the last tick
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
	text := g.Spinner[t.Live.Steps%len(g.Spinner)] + " " + cmp.Or(t.Live.Reading, "preparing the request")
	if d >= time.Second {
		text += fmt.Sprintf(" %s %d s", g.Dot, d/time.Second)
	}
	return text
}

// typedPages matches the addresses of pages that a text attaches.
var typedPages = regexp.MustCompile(`@https?://\S+`)

// readsFor describes what is read before a message is sent, "" if nothing is attached. Only pages count
// if there are any: they take longer than notes of the vault.
func readsFor(attached []prompt.Ref, d composer.Draft) string {
	pages, notes := map[string]bool{}, 0
	add := func(r prompt.Ref) {
		switch {
		case r.Kind == prompt.URL:
			pages[r.ID] = true
		case r.ID != "":
			notes++
		}
	}
	for _, r := range attached {
		add(r)
	}
	for _, s := range d.Spans {
		if s.Pick != "" {
			add(prompt.ParseRef(s.Pick))
		}
	}
	for _, pageOpen := range typedPages.FindAllString(d.Text, -1) {
		pages[pageOpen[1:]] = true
	}
	switch {
	case len(pages) > 0:
		return "reading " + theme.Plural(len(pages), "page")
	case notes > 0:
		return "reading " + theme.Plural(notes, "attachment")
	}
	return ""
}

// add returns the text that can be shown after text has arrived.
func (l *liveReply) add(text string) string {
	if text = l.notes.Add(text); l.Actions != nil {
		text = l.Actions.Write(text)
	}
	return text
}

// end prepares for the next reply. It returns the text that was held back, and if references of this
// reply were renumbered, its text as it came, else "".
func (l *liveReply) end() (held, raw string) {
	held, raw = l.notes.End()
	if l.Actions != nil {
		held = l.Actions.Write(held) + l.Actions.Close()
		raw, l.Actions = calltext.DrawBlocks(raw), calltext.NewBlockDrawer()
	}
	return held, raw
}

// drawReply returns a complete reply as it is shown.
func (l *liveReply) drawReply(text string) string {
	if l.Actions == nil {
		return text
	}
	return calltext.DrawBlocks(text)
}
