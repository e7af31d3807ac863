package mdview

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
)

// Folds reports whether a line is the first one of a callout that Fold folds.
func Folds(line string) bool { return strings.Contains(line, foldMark) }

// Fold unfolds the callouts whose first lines are among Lines from..to, or folds them if none is
// folded. It reports whether there are any. Callouts that are still being written stay as they are.
func (v *View) Fold(from, to int) bool {
	found, folded := v.callouts(from, to)
	v.flipAll(found, folded)
	return len(found) > 0
}

// Unfold unfolds all callouts, and reports whether one was folded.
func (v *View) Unfold() (was bool) {
	for {
		found, folded := v.callouts(0, len(v.lines))
		if !folded {
			return was
		}
		v.flipAll(found, true)
		was = true
	}
}

// callouts returns the callouts whose first lines are among from..to, and whether one is folded.
func (v *View) callouts(from, to int) (found []box, folded bool) {
	for i := range v.closed {
		u := &v.closed[i]
		if u.to <= from || u.from >= to {
			continue
		}
		var heads []int // indexes of lines, in the order of the callouts
		for at := u.from; at < u.to; at++ {
			if Folds(v.lines[at]) {
				heads = append(heads, at)
			}
		}
		v.layout.callouts(u.box, func(b box) {
			if len(heads) > 0 && heads[0] >= from && heads[0] < to {
				found = append(found, b)
				folded = folded || v.layout.folded(b)
			}
			heads = heads[min(1, len(heads)):]
		})
	}
	return found, folded
}

// flipAll changes those callouts of all whose state is folded.
func (v *View) flipAll(all []box, folded bool) {
	for _, b := range all {
		if v.layout.folded(b) == folded {
			v.layout.flipCallout(b.fold.at)
		}
	}
	if len(all) > 0 {
		v.relayout()
		v.next, v.stale = time.Time{}, !v.finished
	}
}

// flipCallout changes the state of the callout at an offset of the source.
func (l *layout) flipCallout(at int) {
	if l.flipped == nil {
		l.flipped = map[int]bool{}
	}
	l.flipped[at] = !l.flipped[at]
}

// CodeFrom returns the column in which the code of a line begins, 0 for a line of text.
func CodeFrom(line string) int {
	head, _, _ := strings.Cut(line, codeMark)
	if len(head) == len(line) {
		return 0
	}
	return ansi.StringWidth(head)
}

// TextFrom returns the column after the bars before the text or code of a line, and whether the text is a row of a
// table, or the rule below its header.
func TextFrom(line string) (column int, table bool) {
	end := max(strings.LastIndex(line, barMark), strings.Index(line, codeMark), 0)
	return ansi.StringWidth(line[:end]), strings.Contains(line, tableMark)
}

// Scrolls returns how a line can move that is wider than width: its columns from from on move by at
// most most columns. It returns 0, 0 if the whole line is visible.
func Scrolls(line string, width int) (from, most int) {
	head, rest, ok := strings.Cut(line, codeMark)
	if !ok || len(line) <= width {
		return 0, 0
	}
	from = ansi.StringWidth(head)
	if most = ansi.StringWidth(rest) - max(width-1-from, 1); most <= 0 {
		return 0, 0
	}
	return from, most
}

// Paint returns a line as drawn in width columns. Code stands on a surface, or beside a bar, moved to
// the left by moved columns if it is longer; an arrow marks an end where more code follows.
func Paint(t *theme.Theme, line string, width, moved int) string {
	head, rest, ok := strings.Cut(line, codeMark)
	if !ok {
		return line
	}
	from, most := CodeFrom(line), 0
	if label, ok := strings.CutPrefix(rest, frameMark); ok {
		pad := max(width-1-from-ansi.StringWidth(label), 0)
		rest = strings.Repeat(" ", pad) + t.Styles.Muted.Render(label)
	} else if _, most = Scrolls(line, width); most > 0 {
		rest = window(t, rest, width-1-from, min(max(moved, 0), most), most)
	}
	if t.Styles.Surface == (theme.Ink{}) {
		return head + rest
	}
	head = head[:len(head)-1]
	rest = " " + rest
	rest += strings.Repeat(" ", max(width-ansi.StringWidth(head)-ansi.StringWidth(rest), 0))
	return head + t.Styles.Surface.Over(rest)
}

// window returns room columns of code that is longer by most columns, moved to the left by moved
// columns.
func window(t *theme.Theme, code string, room, moved, most int) string {
	left, right := moved, moved+room
	var before, after string
	if moved > 0 {
		before = t.Styles.Accent.Render(t.Glyphs.Back)
		left++
	}
	if moved < most {
		after = t.Styles.Accent.Render(t.Glyphs.On)
		right--
	}
	if left >= right {
		return before + after
	}
	text := ansi.Cut(code, left, right)
	if ansi.StringWidth(text) > right-left { // it begins within a wide character
		text = " " + ansi.Cut(code, left+1, right)
	}
	if pad := right - left - ansi.StringWidth(text); pad > 0 && after != "" { // half of a wide character was cut
		text += strings.Repeat(" ", pad)
	}
	return before + text + after
}
