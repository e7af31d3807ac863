package composer

import (
	"slices"
	"strings"
)

// Span is a part of a text that was not typed, in bytes, From included and To not.
// It was pasted, or picked from a list if Pick says what.
type Span struct {
	From, To int
	Pick     string // as given to Model.Accept
}

// Draft is what stands in the prompt, complete: it can be sent, or kept and put
// back with mentions and pastes as they were.
type Draft struct {
	// Text is the message with every mention spelled out and every paste in
	// full.
	Text string
	// Spans are the parts of Text that were not typed, in order. No references
	// are to be looked for in them.
	Spans []Span
	// Model is to answer this one message, "" for the usual one.
	Model string

	lines [][]cell
}

// draft copies the buffer. The cells are values, so that later edits of the
// buffer do not reach it.
func (b *buffer) draft() Draft {
	d := Draft{Model: b.model, lines: make([][]cell, len(b.lines))}
	var s strings.Builder
	for i, line := range b.lines {
		if i > 0 {
			s.WriteByte('\n')
		}
		d.lines[i] = append([]cell(nil), line...)
		for _, c := range line {
			from := s.Len()
			s.WriteString(c.s)
			if c.literal || c.pick != "" {
				d.mark(Span{from, s.Len(), c.pick})
			}
		}
	}
	d.Text = s.String()
	return d
}

// trimEnd drops white space at the end, such as the space behind a mention.
func (b *buffer) trimEnd() {
	for {
		last := len(b.lines) - 1
		line := b.lines[last]
		for len(line) > 0 && strings.TrimSpace(line[len(line)-1].s) == "" {
			line = line[:len(line)-1]
		}
		b.lines[last] = line
		if len(line) > 0 || last == 0 {
			return
		}
		b.lines = b.lines[:last]
	}
}

// mark adds a span; pasted cells side by side are one.
func (d *Draft) mark(s Span) {
	if n := len(d.Spans); n > 0 && s.Pick == "" && d.Spans[n-1].Pick == "" && d.Spans[n-1].To == s.From {
		d.Spans[n-1].To = s.To
		return
	}
	d.Spans = append(d.Spans, s)
}

// Edited is the draft with another text, such as an editor brings back. Pastes
// and picks that still stand in it, in the same order, stay what they are.
func (d Draft) Edited(text string) Draft {
	out := Draft{Text: text, Model: d.Model}
	at := 0
	for _, s := range d.Spans {
		if i := strings.Index(text[at:], d.Text[s.From:s.To]); i >= 0 {
			from := at + i
			at = from + s.To - s.From
			out.Spans = append(out.Spans, Span{from, at, s.Pick})
		}
	}
	return out
}

// restore makes a buffer of a draft. One that was built from text and spans alone
// has its mentions as atoms, and its pastes as text.
func (d Draft) restore() buffer {
	b := newBuffer()
	b.model = d.Model
	if d.lines == nil {
		at := 0
		for _, s := range d.Spans {
			b.insertText(clean(d.Text[at:s.From]), false)
			if part := clean(d.Text[s.From:s.To]); s.Pick == "" {
				b.insertText(part, true)
			} else {
				b.insert(picked(part, s.Pick))
			}
			at = s.To
		}
		b.insertText(clean(d.Text[at:]), false)
		return b
	}
	b.lines = make([][]cell, len(d.lines))
	for i, line := range d.lines {
		b.lines[i] = append([]cell(nil), line...)
	}
	b.toEnd()
	return b
}

// maxHistory is how many sent prompts the arrow keys reach.
const maxHistory = 500

// history is the prompts that were sent, oldest first, and where the person is
// in them. Position len(sent) is the draft that was there before.
type history struct {
	sent  []Draft
	typed []Draft // here, in any conversation
	at    int
	draft Draft
}

func (h *history) add(d Draft) {
	h.sent = appended(h.sent, d)
	h.at = len(h.sent)
}

// keep remembers what was typed, for whichever conversation comes next.
func (h *history) keep(d Draft) { h.typed = appended(h.typed, d) }

// appended is list with d at its end, unless it is empty or the same as the last.
func appended(list []Draft, d Draft) []Draft {
	n := len(list)
	switch {
	case strings.TrimSpace(d.Text) == "":
		return list
	case n > 0 && list[n-1].Text == d.Text:
		list = list[:n-1]
		n--
	}
	if n == maxHistory {
		list = list[1:]
	}
	return append(slices.Clip(list), d)
}

// find is the draft that was typed here with this text, or one of the text alone.
func (h *history) find(text string) Draft {
	for i := len(h.typed) - 1; i >= 0; i-- {
		if h.typed[i].Text == text {
			return h.typed[i]
		}
	}
	return Draft{Text: text}
}

// step moves by one entry; current is kept when the walk starts.
func (h *history) step(delta int, current Draft) (Draft, bool) {
	to := h.at + delta
	if to < 0 || to > len(h.sent) {
		return Draft{}, false
	}
	if h.at == len(h.sent) {
		h.draft = current
	}
	if h.at = to; to == len(h.sent) {
		return h.draft, true
	}
	return h.sent[to], true
}

// leave ends the walk: what stands in the prompt is the draft again.
func (h *history) leave() { h.at = len(h.sent) }
