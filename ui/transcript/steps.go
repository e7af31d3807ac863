package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// maxSteps limits the calls in a row that have a line each; more are folded into one line.
const maxSteps = 4

// steps are consecutive tool calls.
type steps []*item

// stepsOf returns the consecutive calls around an item, or if it is no call, the item alone.
func stepsOf(items []*item, at int) steps {
	from, to := at, at+1
	if items[at].Role != Tool {
		return items[from:to]
	}
	for ; from > 0 && items[from-1].Role == Tool; from-- {
	}
	for ; to < len(items) && items[to].Role == Tool; to++ {
	}
	return items[from:to]
}

// folded reports whether the finished calls share one line.
func (s steps) folded() bool { return len(s) > maxSteps && !s[0].steps }

// next unfolds more of the calls: first the line of each, then all outputs; then it folds them again.
func (s steps) next() {
	open := slices.ContainsFunc(s, func(it *item) bool { return it.open })
	switch {
	case s.folded():
		s[0].steps = true
	default:
		for _, it := range s {
			it.open = !open
		}
		s[0].steps = !open
	}
}

// fold folds or unfolds the reasoning or the output of an item, the rest of a long prompt, or the
// callouts of a reply without reasoning.
func (it *item) fold() {
	if it.Role == Assistant && it.message().Reasoning == "" && it.view != nil {
		it.view.Fold(0, len(it.body))
		return
	}
	it.open = !it.open
}

// foldAction returns a function that folds or unfolds what a click on a line of an item hits, not counting
// the gap; nil for nothing. run has the calls around the item.
func (it *item) foldAction(run steps, line int) func() {
	switch many := it == run[0] && len(run) > maxSteps; {
	case line < 0:
	case line >= len(it.head):
		at := line - len(it.head)
		switch {
		case at >= len(it.body):
		case it.Role == You && it.foldable > 0 && at == len(it.body)-1:
			return it.fold
		case it.Role == Assistant && mdview.Folds(it.body[at]):
			return func() { it.view.Fold(at, at+1) }
		}
	case it.Role == Tool && many && line == 0:
		return func() { it.steps = !it.steps }
	case it.Role == Tool && it.folds(), it.Role == Assistant && line == 1 && it.message().Reasoning != "":
		return it.fold
	}
	return nil
}

// hasEnded reports whether a call has ended.
func (c *Call) hasEnded() bool { return c.State == ToolDone || c.State == ToolFailed }

// summary returns the line for many calls: their number, the number of notes found, the sum of their
// durations, and the number of failures.
func (p *pen) summary(s steps, selected bool, w int) string {
	g, st := p.theme.Glyphs, p.theme.Styles
	sign := g.Unfolded
	if s.folded() {
		sign = g.Folded
	}
	notes, failed, took := map[string]bool{}, 0, time.Duration(0)
	for _, it := range s {
		for _, path := range it.Call.Notes {
			notes[path] = true
		}
		if took += it.Call.Took; it.Call.State == ToolFailed {
			failed++
		}
	}
	parts := []string{theme.Plural(len(s), "step")}
	if len(notes) > 0 {
		parts = append(parts, theme.Plural(len(notes), "note"))
	}
	if took > 0 {
		parts = append(parts, formatDuration(took))
	}
	line := strings.Join(parts, " "+g.Dot+" ")
	style := st.Muted
	if selected {
		style = st.Selected
	}
	line = style.Render(sign + " " + line)
	if failed > 0 {
		line += st.Muted.Render(" "+g.Dot+" ") + st.Bad.Render(theme.Plural(failed, "failure"))
	}
	return ansi.Truncate(line, w, g.Ellipsis)
}

// call returns the line of a call: its state, its description and, at the right, its result.
func (p *pen) call(it *item, selected bool, spin, w int) string {
	g, s, c := p.theme.Glyphs, p.theme.Styles, &it.Call
	sign, style := g.Spinner[spin%len(g.Spinner)], s.Accent
	switch c.State {
	case ToolWaiting:
		sign, style = g.Alert, s.Warn
	case ToolDone:
		sign, style = g.Check, s.Good
	case ToolFailed:
		sign, style = g.Cross, s.Bad
	}
	text := theme.OneLine(c.Words)
	room := max(w-2, 1)
	detail := p.detail(c, room-2-min(ansi.StringWidth(text), room*3/5))
	text = ansi.Truncate(text, max(room-ansi.StringWidth(detail)-2, room*3/5), g.Ellipsis)
	ink := s.Muted
	if selected {
		ink = s.Selected
	}
	return p.putAtRight(style.Render(sign)+" "+ink.Render(text), detail, w)
}

// detail returns the result of a call in at most room columns.
func (p *pen) detail(c *Call, room int) string {
	note := theme.OneLine(c.Note)
	if c.Took >= time.Millisecond {
		took := formatDuration(c.Took)
		note = strings.TrimPrefix(note+" "+p.theme.Glyphs.Dot+" "+took, " "+p.theme.Glyphs.Dot+" ")
	}
	return ansi.Truncate(note, max(room, 0), p.theme.Glyphs.Ellipsis)
}
