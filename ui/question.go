package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

// question is a page over the prompt that nothing goes past before it is answered.
type question struct {
	k       *known
	title   string
	rows    [][2]string // what it is about, and what stands at the right
	picks   []intent    // what 1 to 9 want: they take a row off the turn
	answers []answer
	leaves  bool // it asks whether to end the program

	guard *inputGuard // of one that opens by itself, nil for one that a key has asked for
}

// answer is a key, and what it wants; the question is closed before.
type answer struct {
	keys.Hint
	wants intent
}

// confirm is a question that enter says yes to: does names what that wants.
func confirm(k *known, title, about, does string, wants intent) *question {
	return &question{k: k, title: title, rows: [][2]string{{about, ""}}, answers: []answer{{keys.Hint{Key: "enter", Does: does}, wants}, {keys.Hint{Key: "esc", Does: "back"}, nil}}}
}

// unasked is a question that opens by itself, maybe while the user types.
func unasked(q *question) *question {
	g := newInputGuard(q.k.Now)
	q.guard = &g
	return q
}

func (q *question) guarded() bool { return q.guard != nil && q.guard.guarded() }

// Update acts on a key.
func (q *question) Update(msg tea.Msg) (intent, bool) {
	if q.guard != nil {
		if wait, prompt := q.guard.pass(msg); prompt || wait != nil {
			return wait, !prompt
		}
	}
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	if n := int(key.Code - '1'); n >= 0 && n < len(q.picks) {
		return steps{doClosePage, q.picks[n]}, true
	}
	for _, a := range q.answers {
		if strings.ToLower(a.Key) == key.String() {
			return steps{doClosePage, a.wants}, true
		}
	}
	return nil, true
}

// View is the question, in rows above the prompt.
func (q *question) View(w, h int) []string {
	pen, st := newPen(q.k.Theme, w), &q.k.Theme.Styles
	hints := pen.keyRows(q.Hints())
	if q.guarded() {
		hints = []string{pen.bar(st.Muted.Render(guardText), "")}
	}
	most := max(h-2-len(hints), 1)
	rows := []string{pen.rule(), pen.bar(st.Strong.Render(theme.OneLine(q.title)), "")}
	for i, row := range q.rows {
		if i == most-1 && len(q.rows) > most {
			rows = append(rows, pen.bar("  "+st.Muted.Render(fmt.Sprintf("and %d more like this", len(q.rows)-i)), ""))
			break
		}
		what, right := theme.OneLine(row[0]), theme.OneLine(row[1]) // they hold names
		if right != "" || len(q.rows) > 1 {
			rows = append(rows, pen.bar("  "+what, st.Warn.Render(right)))
			continue
		}
		text := pen.theme.Hanging(theme.Ink{}, "  ", what, w-2) // it may be a long one
		for _, line := range text[:min(len(text), most)] {
			rows = append(rows, pen.bar(line, ""))
		}
	}
	return append(rows, hints...)
}

// Cursor is nowhere: nothing is typed.
func (q *question) Cursor() *tea.Cursor { return nil }

// Hints are the answers; they stand below the question.
func (q *question) Hints() []keys.Hint {
	var hints []keys.Hint
	for i, a := range q.answers {
		if hints = append(hints, a.Hint); i == 0 && len(q.picks) > 0 {
			hints = append(hints, keys.Hint{Key: fmt.Sprintf("1–%d", len(q.picks)), Does: "takes off"})
		}
	}
	return hints
}
