package page

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/theme"
)

// Question is a page over the prompt that gets all keys until it is answered.
type Question struct {
	Env       Env
	Title     string
	Rows      [][2]string // subjects of the question, each with a text at the right
	Answers   []Answer
	IsLeaving bool // it asks whether to end the program

	guard *Guard // of a question that opens by itself, nil if a key opened it
}

// Answer is a key with its request, which is carried out after the question is closed.
type Answer struct {
	keys.Hint
	Wants Request
}

// Confirm returns a question that enter confirms; does is the text of that key, and wants its request.
func Confirm(env Env, title, about, does string, wants Request) *Question {
	return &Question{
		Env: env, Title: title, Rows: [][2]string{{about, ""}},
		Answers: []Answer{Reply("enter", does, wants), Reply("esc", "back", nil)},
	}
}

// Guarding marks q as a question that opens by itself, perhaps while the user types, and returns it.
func (q *Question) Guarding() *Question {
	g := NewGuard(q.Env.Now)
	q.guard = &g
	return q
}

func (q *Question) guarded() bool { return q.guard != nil && q.guard.Guarded() }

// Update handles a key.
func (q *Question) Update(msg tea.Msg) (Request, bool) {
	if q.guard != nil {
		if wait, prompt := q.guard.Handle(msg); prompt || wait != nil {
			return wait, !prompt
		}
	}
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, false
	}
	for _, a := range q.Answers {
		if strings.ToLower(a.Key) == key.String() {
			return CloseThen(a.Wants), true
		}
	}
	return nil, true
}

// View draws the question in at most h rows, above the prompt.
func (q *Question) View(w, h int) []string {
	pen, st := q.Env.Pen(w), &q.Env.Theme.Styles
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
		what, right := theme.OneLine(row[0]), theme.OneLine(row[1]) // both can contain names, which are foreign text
		if right != "" || len(q.Rows) > 1 {
			rows = append(rows, pen.Bar("  "+what, st.Warn.Render(right)))
			continue
		}
		text := pen.Theme.Hanging(theme.Ink{}, "  ", what, w-2) // it may be long
		for _, line := range text[:min(len(text), most)] {
			rows = append(rows, pen.Bar(line, ""))
		}
	}
	return append(rows, hints...)
}

// BesidePrompt marks a page over the prompt, which stays on the screen.
func (q *Question) BesidePrompt() {}

// Cursor returns nil: there is nothing to type.
func (q *Question) Cursor() *tea.Cursor { return nil }

// Hints returns the answers, which are drawn below the question.
func (q *Question) Hints() []keys.Hint {
	var hints []keys.Hint
	for _, a := range q.Answers {
		hints = append(hints, a.Hint)
	}
	return hints
}

// Reply returns an answer: its key, the text of the key, and its request.
func Reply(key, does string, wants Request) Answer {
	return Answer{keys.Hint{Key: key, Does: does}, wants}
}
