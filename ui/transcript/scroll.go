package transcript

import (
	"github.com/charmbracelet/x/ansi"

	"ibid/ui/mdview"
)

// ScrollBy moves the view down by n lines, up if n is negative. At the end the view follows again.
func (t *Transcript) ScrollBy(n int) {
	t.settle()
	t.choose(nil)
	if n < 0 {
		t.stopFollowing()
	}
	t.pos.line += n
	t.settle()
	t.dirty = true
}

// PageUp moves up by a screen less one line.
func (t *Transcript) PageUp() { t.ScrollBy(-max(t.height-1, 1)) }

// PageDown moves down by a screen less one line.
func (t *Transcript) PageDown() { t.ScrollBy(max(t.height-1, 1)) }

// HalfUp moves up by half a screen.
func (t *Transcript) HalfUp() { t.ScrollBy(-max(t.height/2, 1)) }

// HalfDown moves down by half a screen.
func (t *Transcript) HalfDown() { t.ScrollBy(max(t.height/2, 1)) }

// Top goes to the first line of the first message.
func (t *Transcript) Top() {
	t.choose(nil)
	t.stopFollowing()
	t.pos = position{}
	t.settle()
	t.dirty = true
}

// Bottom goes to the end and follows.
func (t *Transcript) Bottom() {
	t.choose(nil)
	t.follow = true
	t.dirty = true
}

// NewLines returns the number of lines that were added since the view stopped following; the pill shows
// it.
func (t *Transcript) NewLines() int {
	if t.follow {
		return 0
	}
	n := t.itemHeight(t.left.item) - t.left.line
	for i := t.left.item + 1; i < len(t.items); i++ {
		n += t.itemHeight(i)
	}
	return max(n, 0)
}

// PrevPrompt goes to the user's message above and selects it; without one it goes to the top.
func (t *Transcript) PrevPrompt() {
	t.settle()
	from := t.pos.item
	if t.sel != nil {
		from = t.sel.index - 1
	} else if t.follow {
		from = len(t.items) - 1 // the last prompt may be on screen already
	} else if t.pos.line <= t.gapOf(from) {
		from--
	}
	if !t.showPrompt(from, -1) {
		t.Top()
	}
}

// NextPrompt goes to the user's message below and selects it; without one it goes to the end.
func (t *Transcript) NextPrompt() {
	t.settle()
	from := t.pos.item
	if t.sel != nil {
		from = t.sel.index
	}
	if !t.showPrompt(from+1, +1) {
		t.Bottom()
	}
}

// showPrompt selects the first message of the user from item i on, in steps of delta. It reports
// whether there is one.
func (t *Transcript) showPrompt(i, delta int) bool {
	for ; i >= 0 && i < len(t.items); i += delta {
		if t.items[i].Role == You {
			t.show(t.items[i])
			return true
		}
	}
	return false
}

// show selects it and makes its line (not counting the gap) the first visible one, if there are enough
// lines below.
func (t *Transcript) show(it *item) {
	t.choose(nil)
	t.stopFollowing()
	t.choose(it)
	t.scrollTo(it, 0)
}

// scrollTo makes a line of an item, not counting the gap, the first visible one, if there are enough lines below.
func (t *Transcript) scrollTo(it *item, line int) {
	t.stopFollowing()
	t.pos = position{it.index, t.gapOf(it.index) + line}
	t.settle()
	t.dirty = true
}

// Click selects the message at column x of row y of the screen. It scrolls only if the pill was hit, to
// the end. A click on a call, on the line of many calls or of the reasoning folds or unfolds it. arrow
// is -1 or 1 for the arrow before or after the number of a variant. address is the target of the link
// at this place, or of the footnote whose mark is there. A footnote without a link is scrolled to.
func (t *Transcript) Click(x, y int) (arrow int, address string) {
	t.settle()
	if n := t.NewLines(); n > 0 && y == t.height-1 && x >= t.width-ansi.StringWidth(t.pillText(n)) {
		t.Bottom()
		return 0, ""
	}
	l, ok := lineAt(t, y)
	if !ok {
		return 0, ""
	}
	it := l.it
	t.choose(it)
	if fold := it.foldAction(stepsOf(t.items, it.index), l.line); fold != nil {
		t.stopFollowing() // the clicked line stays where it is
		t.flip(it, fold)
	}
	if line := t.variant(it.Variant); line != nil && l.line == it.height()-t.gapOf(it.index)-1 {
		switch x - margin {
		case 0:
			return -1, ""
		case ansi.StringWidth(line[0]) - 1:
			return 1, ""
		}
	}
	text := it.line(l.line)
	x = it.column(text, x-margin, codeWidth(t))
	address = mdview.Address(text, x)
	if note, to := it.footnote(l.line-len(it.head), x); address == "" && note >= 0 {
		if address = to; to == "" {
			showLine(t, it, note)
		}
	}
	return 0, address
}

// variantOf returns the variant of the turn that an item belongs to.
func variantOf(items []*item, at int) Variant {
	from, to := at, at+1
	for ; from > 0 && items[from].Role != You; from-- {
	}
	for ; to < len(items) && items[to].Role != You; to++ {
	}
	for _, it := range items[from:to] {
		if it.Variant.Of > 1 {
			return it.Variant
		}
	}
	return Variant{}
}

// choose selects it, nil for none.
func (t *Transcript) choose(it *item) {
	for _, changed := range []*item{t.sel, it} {
		if changed != nil {
			t.invalidate(changed)
		}
	}
	t.sel = it
}

// Selected returns the message for copying, folding and the like, with its Turn and the Variant of that
// turn: the last one navigated to, else, at the end, the last one, else the first one on screen. It
// reports false if there are no messages.
func (t *Transcript) Selected() (Message, bool) {
	it := t.current()
	if it == nil {
		return Message{}, false
	}
	m := it.message()
	m.Variant, m.Turn = variantOf(t.items, it.index), turnOf(t.items, it.index)
	return m, true
}

// turnOf returns the number of messages of the user up to an item.
func turnOf(items []*item, at int) (turn int) {
	for _, it := range items[:at+1] {
		if it.Role == You {
			turn++
		}
	}
	return turn
}

// LastReply returns the last reply of t with text.
func LastReply(t *Transcript) (Message, bool) {
	for i := len(t.items) - 1; i >= 0; i-- {
		if m := t.items[i].message(); m.Role == Assistant && m.Text != "" {
			return m, true
		}
	}
	return Message{}, false
}

// current returns the item that Selected returns, nil for none.
func (t *Transcript) current() *item {
	if len(t.items) == 0 {
		return nil
	}
	if t.sel != nil {
		return t.sel
	}
	t.settle()
	i := t.pos.item
	if t.follow {
		i = len(t.items) - 1
	}
	for i > 0 && (t.items[i].Role == Notice || t.items[i].Role == Error && t.items[i-1].Role != You) {
		i-- // the message itself, not a notice after it
	}
	return t.items[i]
}

// Toggle folds or unfolds the reasoning or the output of the selected message, or else of the nearest
// one of its turn; of calls in a row all, unless one is selected. It reports whether there is any.
func (t *Transcript) Toggle() bool {
	it := findFoldable(t.items, t.current())
	if it == nil {
		return false
	}
	run := stepsOf(t.items, it.index)
	if it.Role == Tool && (it != t.sel || run.folded()) {
		t.flip(it, run.next)
	} else {
		t.flip(it, it.fold)
	}
	return true
}

// flip runs fold, which folds or unfolds something of an item.
func (t *Transcript) flip(it *item, fold func()) {
	before := t.NewLines()
	fold()
	t.invalidate(it)
	if !t.follow { // folded or unfolded lines are not new
		t.left.line += t.NewLines() - before
	}
}

// findFoldable returns it if it can be folded, else the next item of its turn that can, or the last one
// before it; nil if there is none.
func findFoldable(items []*item, it *item) *item {
	can := func(it *item) bool { return it.folds() || stepsOf(items, it.index).folded() }
	if it == nil || can(it) {
		return it
	}
	for i := it.index + 1; i < len(items) && items[i].Role != You; i++ {
		if can(items[i]) {
			return items[i]
		}
	}
	for i := it.index; i > 0 && items[i].Role != You; i-- {
		if can(items[i-1]) {
			return items[i-1]
		}
	}
	return nil
}

// ToggleAll folds everything if anything is open, and unfolds everything otherwise.
func (t *Transcript) ToggleAll() {
	open := true
	for _, it := range t.items {
		open = open && (it.Role == You || !it.open && !it.steps)
	}
	for _, it := range t.items {
		if it.Role != You {
			it.open, it.steps = open, open
		}
	}
	t.restyle()
}

func (t *Transcript) gapOf(i int) int {
	if i >= 0 && i < len(t.items) && t.items[i].gap {
		return 1
	}
	return 0
}

// stopFollowing stops following and remembers the end.
func (t *Transcript) stopFollowing() {
	if !t.follow {
		return
	}
	t.pos = t.endPosition()
	t.follow = false
	last := len(t.items) - 1
	t.left = position{last, t.itemHeight(last)}
}

// endPosition returns the position of the last screen.
func (t *Transcript) endPosition() position {
	need := t.height
	for i := len(t.items) - 1; i >= 0; i-- {
		need -= t.itemHeight(i)
		if need <= 0 {
			return position{i, -need}
		}
	}
	return position{}
}

// settle moves the position to an existing line, and leaves no empty rows at the end. It lays out the
// items in between and the visible ones, nothing else.
func (t *Transcript) settle() {
	if t.follow || len(t.items) == 0 {
		t.pos, t.follow = t.endPosition(), true
		return
	}
	p := t.pos
	for p.line < 0 && p.item > 0 {
		p.item--
		p.line += t.itemHeight(p.item)
	}
	p.line = max(p.line, 0)
	for p.item < len(t.items)-1 && p.line >= t.itemHeight(p.item) {
		p.line -= t.itemHeight(p.item)
		p.item++
	}
	t.pos = p
	below := -p.line
	for i := p.item; i < len(t.items); i++ {
		if below += t.itemHeight(i); below > t.height {
			return
		}
	}
	t.pos, t.follow = t.endPosition(), true // the last screen, or beyond it
}
