package page

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

// Question is a page over the prompt that nothing goes past before it is answered.
type Question struct {
	Env       Env
	Title     string
	Rows      [][2]string // what it is about, and what stands at the right
	Picks     []Request   // what 1 to 9 want: they take a row off the turn
	Answers   []Answer
	IsLeaving bool // it asks whether to end the program

	guard *Guard // of one that opens by itself, nil for one that a key has asked for
}

// Answer is a key, and what it wants; the question is closed before.
type Answer struct {
	keys.Hint
	Wants Request
}

// Confirm is a question that enter says yes to: does names what that wants.
func Confirm(env Env, title, about, does string, wants Request) *Question {
	return &Question{
		Env: env, Title: title, Rows: [][2]string{{about, ""}},
		Answers: []Answer{{keys.Hint{Key: "enter", Does: does}, wants}, {keys.Hint{Key: "esc", Does: "back"}, nil}},
	}
}

// Guarding makes it one that opens by itself, maybe while the user types.
func (q *Question) Guarding() *Question {
	g := NewGuard(q.Env.Now)
	q.guard = &g
	return q
}

func (q *Question) guarded() bool { return q.guard != nil && q.guard.Guarded() }

// Update acts on a key.
func (q *Question) Update(msg tea.Msg) (Request, bool) {
	if q.guard != nil {
		if wait, prompt := q.guard.Pass(msg); prompt || wait != nil {
			return wait, !prompt
		}
	}
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	if n := int(key.Code - '1'); n >= 0 && n < len(q.Picks) {
		return Steps{Close{}, q.Picks[n]}, true
	}
	for _, a := range q.Answers {
		if strings.ToLower(a.Key) == key.String() {
			return Steps{Close{}, a.Wants}, true
		}
	}
	return nil, true
}

// View is the question, in rows above the prompt.
func (q *Question) View(w, h int) []string {
	pen, st := NewPen(q.Env.Theme, w), &q.Env.Theme.Styles
	hints := pen.KeyRows(q.Hints())
	if q.guarded() {
		hints = []string{pen.Bar(st.Muted.Render(GuardText), "")}
	}
	most := max(h-2-len(hints), 1)
	rows := []string{pen.Rule(), pen.Bar(st.Strong.Render(theme.OneLine(q.Title)), "")}
	for i, row := range q.Rows {
		if i == most-1 && len(q.Rows) > most {
			rows = append(rows, pen.Bar("  "+st.Muted.Render(fmt.Sprintf("and %d more like this", len(q.Rows)-i)), ""))
			break
		}
		what, right := theme.OneLine(row[0]), theme.OneLine(row[1]) // they hold names
		if right != "" || len(q.Rows) > 1 {
			rows = append(rows, pen.Bar("  "+what, st.Warn.Render(right)))
			continue
		}
		text := pen.Theme.Hanging(theme.Ink{}, "  ", what, w-2) // it may be a long one
		for _, line := range text[:min(len(text), most)] {
			rows = append(rows, pen.Bar(line, ""))
		}
	}
	return append(rows, hints...)
}

// BesidePrompt says that the prompt stays on the screen.
func (q *Question) BesidePrompt() {}

// Cursor is nowhere: nothing is typed.
func (q *Question) Cursor() *tea.Cursor { return nil }

// Hints are the answers; they stand below the question.
func (q *Question) Hints() []keys.Hint {
	var hints []keys.Hint
	for i, a := range q.Answers {
		if hints = append(hints, a.Hint); i == 0 && len(q.Picks) > 0 {
			hints = append(hints, keys.Hint{Key: fmt.Sprintf("1–%d", len(q.Picks)), Does: "takes off"})
		}
	}
	return hints
}

// Reply is an answer to a question: its key, what that does, and what it wants.
func Reply(key, does string, wants Request) Answer {
	return Answer{keys.Hint{Key: key, Does: does}, wants}
}
