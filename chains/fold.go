package chains

import (
	"context"
	"fmt"
	"strings"

	"ibid/context/prompt"
)

const summaryPrompt = `Summarize this part of a conversation in 200 to 300 tokens, in its own language, for the one who will continue it. Keep decisions, numbers, names, paths of notes as [[wikilinks]], and questions that are still open. Write nothing but the summary.`

// summarize asks the model for what stands in for turns that no longer fit; ""
// if it gives nothing of use, and then they are cut.
func (t *turn) summarize(ctx context.Context, f prompt.FoldInfo) string {
	t.notice("folding", fmt.Sprintf("Summarizing turns 1 to %d, which no longer fit the window.", f.Turns))
	request := Request{
		Model:     t.s.opts.ModelName,
		Messages:  []prompt.Message{{Role: prompt.System, Content: summaryPrompt}, {Role: prompt.User, Content: f.Text}},
		MaxTokens: 600, Question: f.Text,
	}
	var text strings.Builder
	for d, err := range t.s.opts.Model.Stream(ctx, request) {
		if err != nil {
			if ctx.Err() == nil {
				t.notice("folding", fmt.Sprintf("Turns 1 to %d are left out: the model gave no summary (%v).", f.Turns, err))
			}
			return ""
		}
		text.WriteString(d.Text)
	}
	visible, _, _ := prompt.SplitNote(text.String())
	return strings.TrimSpace(visible)
}

// learned reports whether the turn failed because it was too long, before
// anything came, and the error named the window: then it is worth another try.
func (t *turn) learned() bool {
	s, a := t.s, &t.answer
	if a.err == nil || a.err.Kind != ErrContext || a.err.Window <= 0 || a.raw.Len() > 0 {
		return false
	}
	window := a.err.Window
	if s.opts.Window > 0 && s.opts.Window <= window {
		return false
	}
	s.opts.Window = window
	if s.opts.Learn != nil {
		s.opts.Learn(window)
	}
	t.notice("window", fmt.Sprintf("The model takes %d tokens: shortening, and sending again.", window))
	t.engine.Budget.Window = window
	t.render()
	a.err, a.finish = nil, ""
	return true
}
