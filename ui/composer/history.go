package composer

import (
	"fmt"
	"slices"
	"strings"

	"ibid/ui/theme"
)

// Span is a part of a text that was not typed, in bytes, with From included and To excluded. It was
// pasted, or if Pick is not "", picked from a list.
type Span struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Pick   string `json:"pick,omitempty"`   // as given to Model.Accept
	Folded bool   `json:"folded,omitempty"` // it was pasted, and is shown as a chip
}

// Draft is the complete content of the prompt: it can be sent, or kept and restored with its mentions
// and pastes.
type Draft struct {
	// Text is the message with every mention spelled out and every paste in full.
	Text string `json:"text"`
	// Spans are the parts of Text that were not typed, in order. They contain no references.
	Spans []Span `json:"spans,omitempty"`
	// Model answers this one message, "" for the default.
	Model string `json:"model,omitempty"`
	// BytesAfter is the number of bytes of Text after the cursor.
	BytesAfter int `json:"behind,omitempty"`
}

// draft returns the content of the buffer.
func (b *buffer) draft() Draft {
	d := Draft{Model: b.model}
	var s strings.Builder
	cursor := 0
	for i, line := range b.lines {
		if i > 0 {
			s.WriteByte('\n')
		}
		for j, c := range line {
			if i == b.row && j == b.col {
				cursor = s.Len()
			}
			from := s.Len()
			s.WriteString(c.s)
			if pick := c.pick(); c.literal || pick != "" {
				d.mark(Span{from, s.Len(), pick, c.kind == paste})
			}
		}
		if i == b.row && b.col >= len(line) {
			cursor = s.Len()
		}
	}
	d.Text = s.String()
	d.BytesAfter = s.Len() - cursor
	return d
}

// moveToBytesAfter moves the cursor to where n bytes follow it, or before the cell that contains this place.
func (b *buffer) moveToBytesAfter(n int) {
	b.toEnd()
	for n > 0 {
		if b.col == 0 {
			if !b.left() {
				return
			}
			n--
			continue
		}
		b.col--
		n -= len(b.line()[b.col].s)
	}
}

// trimEnd removes white space at the end, such as the space after a mention.
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

// mark adds a span; adjacent pasted cells become one.
func (d *Draft) mark(s Span) {
	if n := len(d.Spans); n > 0 && d.Spans[n-1] == (Span{From: d.Spans[n-1].From, To: s.From}) &&
		s.Pick == "" && !s.Folded {
		d.Spans[n-1].To = s.To
		return
	}
	d.Spans = append(d.Spans, s)
}

// Edited returns the draft with another text, such as one from an editor. Pastes and picks that still
// occur in it, in the same order, stay what they are, and the cursor stays before the same text if that
// was not changed.
func (d Draft) Edited(text string) Draft {
	out := Draft{Text: text, Model: d.Model}
	if strings.HasSuffix(text, d.Text[len(d.Text)-d.BytesAfter:]) {
		out.BytesAfter = d.BytesAfter
	}
	at := 0
	for _, s := range d.Spans {
		if i := strings.Index(text[at:], d.Text[s.From:s.To]); i >= 0 {
			from := at + i
			at = from + s.To - s.From
			out.Spans = append(out.Spans, Span{from, at, s.Pick, s.Folded})
		}
	}
	return out
}

// restore makes a buffer of a draft, for a theme. Spans that are not in the text, as in a damaged file,
// are left out.
func (d Draft) restore(t *theme.Theme) buffer {
	b := newBuffer()
	b.model = d.Model
	at, chips := 0, 0
	for _, s := range d.Spans {
		if s.From < at || s.To < s.From || s.To > len(d.Text) {
			continue
		}
		b.insertText(clean(d.Text[at:s.From]), false)
		switch part := clean(d.Text[s.From:s.To]); {
		case s.Pick != "":
			b.insert(mentionCell(part, s.Pick))
		case s.Folded:
			chips++
			b.insert(pasteCell(part, chips, t.Glyphs.Dot))
		default:
			b.insertText(part, true)
		}
		at = s.To
	}
	b.insertText(clean(d.Text[at:]), false)
	b.moveToBytesAfter(d.BytesAfter)
	return b
}

// pasteCell returns a large paste as one cell, the n-th in the prompt.
func pasteCell(s string, n int, dot string) cell {
	size := theme.Size(len(s))
	if lines := countLines(s); lines > 1 {
		size = fmt.Sprintf("%d lines", lines)
	}
	c := atom(paste, s, cellDetails{label: fmt.Sprintf("[paste %d %s %s]", n, dot, size)})
	c.literal = true
	return c
}

// countLines counts the lines of s; a line break at the end begins none.
func countLines(s string) int { return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1 }

// maxHistory limits the prompts of a conversation that the arrow keys reach.
const maxHistory = 500

// history holds the sent prompts, the oldest first, and the position of the arrow keys in them.
type history struct {
	sent  []Draft // sent in this conversation
	typed []Draft // typed here, in any conversation
	older []Draft // sent in all conversations; nil if not read yet

	walk  []Draft // entries for the arrow keys, the newest first, while they are in use
	back  int     // number of steps back; 0 is draft
	draft Draft   // content of the prompt before the first step
	waits bool    // the arrow keys went beyond the known entries
}

func (h *history) add(d Draft) {
	h.sent = appendDraft(h.sent, d)
	h.leave()
}

// addTyped remembers a typed draft for all conversations.
func (h *history) addTyped(d Draft) { h.typed = appendDraft(h.typed, d) }

// appendDraft appends d to list, unless it is empty. A last entry with the same text is replaced.
func appendDraft(list []Draft, d Draft) []Draft {
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

// find returns the last draft that was typed here with this text, or a draft of the text alone.
func (h *history) find(text string) Draft {
	for i := len(h.typed) - 1; i >= 0; i-- {
		if h.typed[i].Text == text {
			return h.typed[i]
		}
	}
	return Draft{Text: text}
}

// uniqueDrafts returns the drafts of lists, newest first, each text once.
func uniqueDrafts(lists ...[]Draft) (out []Draft) {
	seen := map[string]bool{}
	for _, list := range lists {
		for _, d := range slices.Backward(list) {
			if !seen[d.Text] {
				seen[d.Text] = true
				out = append(out, d)
			}
		}
	}
	return out
}

// all returns the entries for the arrow keys, newest first: this conversation, then the others.
func (h *history) all() []Draft { return uniqueDrafts(h.sent, h.typed, h.older) }

// step moves by one entry: -1 is back. The content of the prompt is kept at the first step.
func (h *history) step(delta int, current *buffer) (Draft, bool) {
	to := h.back - delta
	if h.back == 0 && delta < 0 {
		h.walk = h.all()
	}
	if to < 0 || to > len(h.walk) {
		h.waits = to > 0 && h.older == nil
		return Draft{}, false
	}
	if h.back == 0 {
		h.draft = current.draft()
	}
	if h.back = to; to == 0 {
		return h.draft, true
	}
	return h.walk[to-1], true
}

// setOlder stores the prompts of all conversations. It reports whether the arrow keys were waiting for
// them.
func (h *history) setOlder(older []Draft) (waited bool) {
	h.older = older
	if h.back > 0 {
		h.walk = h.all()
	}
	waited, h.waits = h.waits && len(older) > 0, false
	return waited
}

// forget removes texts from the history.
func (h *history) forget(texts []string) {
	gone := func(d Draft) bool { return slices.Contains(texts, d.Text) }
	for _, list := range []*[]Draft{&h.sent, &h.typed} {
		*list = slices.DeleteFunc(slices.Clone(*list), gone)
	}
	h.older = nil // it will be read again
	h.leave()
}

// leave ends the use of the arrow keys: the content of the prompt is the draft again.
func (h *history) leave() { h.back, h.walk, h.waits = 0, nil, false }

// PromptHistory gives access to the prompts of a composer that can be written again.
type PromptHistory struct{ m *Model }

// Wanted reports whether the arrow keys went beyond the known prompts, or went back at all, while Set
// was not called.
func (e PromptHistory) Wanted() bool {
	h := &e.m.history
	return h.older == nil && (h.waits || h.back > 0)
}

// Set stores the prompts of all conversations, oldest first, which follow those of this conversation
// for the arrow keys. If the keys were waiting for them, the returned action says that the text has
// changed.
func (e PromptHistory) Set(prompts []string) Action {
	h := &e.m.history
	older := make([]Draft, len(prompts))
	for i, p := range prompts {
		older[i] = h.find(p)
	}
	if h.setOlder(older) {
		return e.m.walk(-1)
	}
	return Action{}
}

// Forget removes prompts, and those of Set.
func (e PromptHistory) Forget(texts []string) { e.m.history.forget(texts) }

// All returns the prompts, newest first, each text once: those taken from this prompt in any
// conversation, then those of all conversations, then those of this one.
func (e PromptHistory) All() []Draft {
	h := &e.m.history
	return uniqueDrafts(h.typed, h.older, h.sent)
}
