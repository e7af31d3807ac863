package chains

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ibid/context/prompt"
)

const summaryPrompt = `Summarize this part of a conversation in 200 to 300 tokens, in its own language, for the one who will continue it. Keep decisions, numbers, names, paths of notes as [[wikilinks]], and questions that are still open. Write nothing but the summary.`

// summarize asks the model for what stands in for turns that no longer fit; ""
// if it gives nothing of use, and then they are cut.
func (t *Turn) summarize(ctx context.Context, f prompt.FoldInfo) string {
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

// learn takes in a window that an error named, and makes the request that was too
// long for it anew; it reports whether that is worth another try.
func (t *Turn) learn(err error) bool {
	s := t.s
	var failed *ProviderError
	if !errors.As(err, &failed) || failed.Kind != ErrContext || failed.Window <= 0 || t.answer.raw.Len() > 0 || t.loop.rounds > 0 {
		return false
	}
	window := failed.Window
	if s.opts.Window > 0 && s.opts.Window <= window {
		return false
	}
	s.opts.Window = window
	if s.opts.Learn != nil {
		s.opts.Learn(window)
	}
	t.notice("window", fmt.Sprintf("The model takes %d tokens: shortening, and sending again.", window))
	t.p.engine.Budget.Window = window
	t.p.render()
	return true
}
