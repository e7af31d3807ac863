package ui

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/ui/composer"
	"ibid/ui/theme"
)

// live is what is kept of a reply while it streams.
type live struct {
	wait    chains.Notice // why nothing comes yet, zero once something does
	waits   time.Time     // since when
	think   time.Time     // when the thinking began, zero if it has not or is over
	notes   footnotes
	actions *chains.ActionReader // nil if no blocks in replies propose to write notes
	steps   int                  // of the sign
	reads   string               // what is read before the request
	turned  bool                 // the sign was turned since the last tick, with text that came
}

// waiting is why nothing comes yet, "" if something does: what is tried again counts
// its seconds down.
func (l *live) waiting(now time.Time) string {
	seconds := func(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
	left := " now"
	if d := l.wait.Wait - now.Sub(l.waits); d > 0 {
		left = fmt.Sprintf(" in %d s", seconds(d))
	}
	return strings.Replace(l.wait.Text, fmt.Sprintf(" in %d s", seconds(l.wait.Wait)), left, 1)
}

// preparing is what a turn does for how long while no reply is open and no call runs,
// behind the sign of a turn; "" otherwise, and for the first moment.
func (t *turn) preparing(g *theme.Glyphs) string {
	d := t.now().Sub(t.began)
	if !t.running() || t.open || len(t.rounds.running) > 0 || d < spin {
		return ""
	}
	text := g.Spinner[t.live.steps%len(g.Spinner)] + " " + cmp.Or(t.live.reads, "preparing the request")
	if d >= time.Second {
		text += fmt.Sprintf(" %s %d s", g.Dot, d/time.Second)
	}
	return text
}

// typedPages are the addresses of pages that a text attaches.
var typedPages = regexp.MustCompile(`@https?://\S+`)

// readsFor is what is read before a message is sent, "" if nothing is attached to it.
// Pages take time; what lies in the vault is not counted beside them.
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
			add(refOf(s.Pick))
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

// add is what can be shown now that text has come.
func (l *live) add(text string) string {
	if text = l.notes.add(text); l.actions != nil {
		text = l.actions.Write(text)
	}
	return text
}

// end begins with the next reply. It returns what was held back of this one, and if
// numbers were changed in it, its text without that.
func (l *live) end() (held, raw string) {
	held, raw = l.notes.end()
	if l.actions != nil {
		held = l.actions.Write(held) + l.actions.Close()
		raw, l.actions = chains.DrawActions(raw), chains.NewActionReader()
	}
	return held, raw
}

// drawn is a reply as it is shown when it is whole.
func (l *live) drawn(text string) string {
	if l.actions == nil {
		return text
	}
	return chains.DrawActions(text)
}
