package chains

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// learn takes in a window that an error named, and makes the request that was too
// long for it anew; it reports whether that is worth another try.
func (t *Turn) learn(err error) bool {
	var said *ProviderError
	if !errors.As(err, &said) || said.Kind != ErrContext || t.answer.raw.Len() > 0 || t.loop.rounds > 0 ||
		!learnWindow(t.s, said.Window) {
		return false
	}
	t.notice("window", fmt.Sprintf("The model takes %s tokens: shortening, and sending again.", md.Thousands(said.Window)))
	t.p.engine.Budget.Window = said.Window
	t.p.render()
	return true
}

// learnWindow takes in the window that an error named, and reports whether it is
// smaller than the one that was known.
func learnWindow(s *Session, window int) bool {
	if window <= 0 || s.opts.Window > 0 && s.opts.Window <= window {
		return false
	}
	s.opts.Window, s.opts.Calibrate.Learned = window, s.opts.Now()
	if s.opts.Calibrate.Window != nil {
		s.opts.Calibrate.Window(window)
	}
	return true
}

// shortenFound makes the request of a round anew that is too long for the model: a
// quarter of what the last round found goes along and, if that is too much too,
// nothing of it. The model is to answer from that; it reports whether that is worth
// another try.
func shortenFound(t *Turn, err error) bool {
	l := &t.loop
	var said *ProviderError
	if !errors.As(err, &said) || said.Kind != ErrContext || len(l.past) == 0 || t.answer.raw.Len() > t.answer.before[0] {
		return false
	}
	round := &l.past[len(l.past)-1]
	if round.shorter++; round.shorter > 2 {
		return false
	}
	t.window = said.Window // the list of tools, which may depend on it, stays as it is until the turn ends
	results := slices.Clone(round.results)
	all := 0
	for i := range results {
		all += toolcall.Weight(&results[i], t.s.opts.Count)
	}
	for i := range results {
		if r := &results[i]; round.shorter == 1 {
			toolcall.Shorten(r, l.limits.Result, all/4/len(results), l.limits.Tokens, nil, t.s.opts.Count)
		} else {
			*r = prompt.ToolResult{Call: r.Call, Name: r.Name, Content: "What was found does not fit the window."}
		}
	}
	sayLast(&results[len(results)-1])
	l.last = cmp.Or(l.last, windowFull)
	t.notice("window", "What was looked up is too long for the model: shortening it, and sending again.")
	round.results, t.env = results, round.before
	round.follow(t)
	emitFollowUp(t)
	return true
}
