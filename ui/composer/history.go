package composer

import "strings"

// Span is a range of bytes, From included and To not.
type Span struct{ From, To int }

// Draft is what stands in the prompt, complete: it can be sent, or kept and put
// back with mentions and pastes as they were.
type Draft struct {
	// Text is the message with every mention spelled out and every paste in
	// full.
	Text string
	// Literal are the parts of Text that were pasted, in order. Nothing in them
	// is a reference.
	Literal []Span

	lines [][]cell
}

// draft copies the buffer. The cells are values, so that later edits of the
// buffer do not reach it.
func (b *buffer) draft() Draft {
	d := Draft{lines: make([][]cell, len(b.lines))}
	var s strings.Builder
	for i, line := range b.lines {
		if i > 0 {
			s.WriteByte('\n')
		}
		d.lines[i] = append([]cell(nil), line...)
		for _, c := range line {
			from := s.Len()
			s.WriteString(c.s)
			if c.literal {
				d.mark(from, s.Len())
			}
		}
	}
	d.Text = s.String()
	return d
}

// mark adds a literal span, or lengthens the last one.
func (d *Draft) mark(from, to int) {
	if n := len(d.Literal); n > 0 && d.Literal[n-1].To == from {
		d.Literal[n-1].To = to
		return
	}
	d.Literal = append(d.Literal, Span{from, to})
}

// restore makes a buffer of a draft. A draft that was built from text alone has
// no atoms.
func (d Draft) restore() buffer {
	b := newBuffer()
	if d.lines == nil {
		b.insertText(clean(d.Text), false)
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
	if strings.TrimSpace(d.Text) == "" || n > 0 && list[n-1].Text == d.Text {
		return list
	}
	if n == maxHistory {
		list = append([]Draft(nil), list[1:]...)
	}
	return append(list, d)
}

// older and newer move by one entry; current is kept when the walk starts.
func (h *history) older(current Draft) (Draft, bool) {
	if h.at == 0 || len(h.sent) == 0 {
		return Draft{}, false
	}
	if h.at == len(h.sent) {
		h.draft = current
	}
	h.at--
	return h.sent[h.at], true
}

func (h *history) newer() (Draft, bool) {
	if h.at >= len(h.sent) {
		return Draft{}, false
	}
	h.at++
	if h.at == len(h.sent) {
		return h.draft, true
	}
	return h.sent[h.at], true
}

// leave ends the walk: what stands in the prompt is the draft again.
func (h *history) leave() { h.at = len(h.sent) }
