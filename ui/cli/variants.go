package cli

import (
	"fmt"
	"time"

	"ibid/history"
)

// variantJSON is an end of a turn that has several, or of one that was taken back.
type variantJSON struct {
	Turn     int            `json:"turn"`
	N        int            `json:"n"` // 1-based
	Of       int            `json:"of"`
	Shown    bool           `json:"shown"`
	Undone   bool           `json:"taken_back"`
	Question string         `json:"question"`
	Reply    string         `json:"reply"`
	Status   history.Status `json:"status,omitempty"`
	Model    string         `json:"model,omitempty"`
	Time     string         `json:"time,omitempty"`
	Usage    *history.Usage `json:"usage,omitempty"`
}

// variantsOf lists the ends of turns that have several, and what was taken back.
func variantsOf(chat *history.Chat) (all []variantJSON) {
	add := func(turn int, ends []history.Variant, shown int) {
		for k := range ends {
			v := &ends[k]
			out := variantJSON{Turn: turn, N: k + 1, Of: len(ends), Shown: k == shown, Undone: shown < 0, Question: v.Messages[0].Text, Model: v.Model, Usage: v.Usage}
			out.Reply, out.Status = v.Reply()
			for i := range v.Messages {
				if m := &v.Messages[i]; m.Role == history.Assistant && !m.Time.IsZero() {
					out.Time = m.Time.Format(time.RFC3339)
				}
			}
			all = append(all, out)
		}
	}
	for turn, at := range chat.Questions() {
		if ends, shown := chat.Ends(at); len(ends) > 1 {
			add(turn, ends, shown)
		}
	}
	for i, ends := range chat.Undone {
		add(chat.Turns()+1+i, ends, -1)
	}
	return all
}

// title is the line above a variant.
func (v *variantJSON) title() string {
	what := fmt.Sprintf("Turn %d, variant %d of %d", v.Turn, v.N, v.Of)
	switch {
	case v.Undone:
		what += ", taken back"
	case v.Shown:
		what += ", shown"
	}
	if v.Model != "" {
		what += ", " + v.Model
	}
	if v.Status != "" {
		what += ", " + v.Status.Describe()
	}
	return what
}
