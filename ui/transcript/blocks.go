package transcript

import (
	"strings"

	"ibid/vault/md"
)

// Blocks is a choice of parts of one reply with the keyboard: paragraphs, lists, blocks of code and the
// like, in a row. The choice stays while the view scrolls, until another message is chosen or the reply
// changes.
type Blocks struct {
	t         *Transcript
	it        *item
	replyText string // text of the reply when they were chosen
	text      string // the reply as it is shown
	parts     []md.Part
	begun     int // index in parts where the choice began
	at        int // index where it ends
}

// Choice is the chosen part of a reply.
type Choice struct {
	Turn     int    // of the reply, see Selected
	From, To int    // 1-based numbers of the parts, counted over all replies of the turn
	Of       int    // number of parts of the reply
	Text     string // markdown
}

// NewBlocks returns an empty choice.
func NewBlocks(t *Transcript) *Blocks { return &Blocks{t: t} }

// Clear removes the choice and reports whether there was one.
func (b *Blocks) Clear() bool {
	was := b.isValid()
	*b = Blocks{t: b.t}
	b.t.dirty = b.t.dirty || was
	return was
}

// Step goes to the next part of a reply, or to the next reply after its last part; with -1 to the
// previous one. Without a choice it begins with the parts on screen. It reports whether there is a part
// to go to.
func (b *Blocks) Step(by int) bool {
	if !b.isValid() {
		return b.begin(by)
	}
	at := b.at + by
	if at < 0 || at >= len(b.parts) {
		it := b.reply(b.it.index+by, by)
		if it == nil {
			return false
		}
		b.switchTo(it)
		if at = 0; by < 0 {
			at = len(b.parts) - 1
		}
	}
	b.begun, b.at = at, at
	b.show()
	return true
}

// Extend moves the end of the choice by a part of the same reply. It reports whether there is one.
func (b *Blocks) Extend(by int) bool {
	if !b.isValid() {
		return b.begin(by)
	}
	at := b.at + by
	if at < 0 || at >= len(b.parts) {
		return false
	}
	b.at = at
	b.show()
	return true
}

// Choice returns the choice, and false if there is none.
func (b *Blocks) Choice() (Choice, bool) {
	if !b.isValid() {
		return Choice{}, false
	}
	from, to := b.span()
	c := Choice{From: from + 1, To: to + 1, Of: len(b.parts), Text: b.text[b.parts[from].Start:b.parts[to].End]}
	c.Turn = turnOf(b.t.items, b.it.index)
	for i := b.it.index - 1; i >= 0 && b.t.items[i].Role != You; i-- {
		if before := b.t.items[i]; before.Role == Assistant {
			n := len(md.Parts(before.message().Text))
			c.From, c.To = c.From+n, c.To+n
		}
	}
	return c, true
}

// Paint marks the choice in the gutter of rows, which View drew.
func (b *Blocks) Paint(rows []string) {
	if !b.isValid() {
		return
	}
	from, to := b.lines()
	mark := b.t.theme.Styles.Accent.Render(b.t.theme.Glyphs.Gutter)
	for y, l := range b.t.shown() {
		if y < len(rows) && l.it == b.it && l.line >= from && l.line < to {
			rows[y] = mark + " " + strings.TrimPrefix(rows[y], strings.Repeat(" ", margin))
		}
	}
}

func (b *Blocks) span() (from, to int) { return min(b.begun, b.at), max(b.begun, b.at) }

// isValid reports whether there is a choice that is still valid.
func (b *Blocks) isValid() bool {
	it, t := b.it, b.t
	return it != nil && it.index < len(t.items) && t.items[it.index] == it && (t.sel == nil || t.sel == it) &&
		!it.stream && it.Text == b.replyText
}

// lines returns the range of lines of the choice in its item, without the gap.
func (b *Blocks) lines() (from, to int) {
	first, last := b.span()
	b.t.layOut(b.it)
	from, to = b.it.view.LinesOf(b.parts[first].Start, b.parts[last].End)
	return from + len(b.it.head), to + len(b.it.head)
}

// reply returns the next item from i on that is a reply with text, nil if there is none.
func (b *Blocks) reply(i, by int) *item {
	for ; i >= 0 && i < len(b.t.items); i += by {
		if it := b.t.items[i]; it.Role == Assistant && it.Status != Streaming && strings.TrimSpace(it.Text) != "" {
			return it
		}
	}
	return nil
}

// switchTo switches to another reply.
func (b *Blocks) switchTo(it *item) {
	b.t.layOut(it)
	b.it, b.replyText, b.text = it, it.Text, it.view.Source()
	b.parts = md.Parts(b.text)
}

// begin chooses the first visible part of the selected reply, or of the nearest one; with -1 the last
// one.
func (b *Blocks) begin(by int) bool {
	now := b.t.current()
	if now == nil {
		return false
	}
	it := b.reply(now.index, -1)
	if it == nil || now.Role == You {
		if below := b.reply(now.index, 1); below != nil {
			it = below
		}
	}
	if it == nil {
		return false
	}
	if b.switchTo(it); len(b.parts) == 0 {
		return false
	}
	b.t.settle()
	b.begun, b.at = 0, 0
	first, last := -1, 0
	for i := range b.parts {
		b.begun, b.at = i, i
		if from, _ := b.lines(); (itemLine{it, from}).isShown(b.t) {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first = max(first, 0); by < 0 {
		first = last
	}
	b.begun, b.at = first, first
	b.show()
	return true
}

// show scrolls to the end of the choice, and selects its message.
func (b *Blocks) show() {
	t := b.t
	was := b.begun
	b.begun = b.at // only the part at the end
	from, to := b.lines()
	b.begun = was
	t.stopFollowing()
	t.choose(b.it)
	switch {
	case !(itemLine{b.it, from}).isShown(t):
		t.scrollTo(b.it, from)
	case !(itemLine{b.it, to - 1}).isShown(t):
		t.scrollTo(b.it, min(from, to-t.height))
	}
	t.dirty = true
}

// Fold folds or unfolds the callouts in the choice, and reports whether there are any.
func (b *Blocks) Fold() bool {
	if !b.isValid() {
		return false
	}
	from, to := b.lines()
	if !b.it.view.Fold(from-len(b.it.head), to-len(b.it.head)) {
		return false
	}
	b.t.invalidate(b.it)
	return true
}
