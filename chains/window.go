package chains

import (
	"cmp"
	"fmt"
	"slices"

	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// learnFromError handles an error that names a smaller window: it records the window and shortens the request. It
// reports whether to send it again.
func (t *Turn) learnFromError(said *ProviderError) bool {
	if said.Kind != ErrContext || t.answer.raw.Len() > 0 || t.loop.rounds > 0 ||
		!learnWindow(t.s, said.Window) {
		return false
	}
	t.notice("window",
		fmt.Sprintf("The model takes %s tokens: shortening, and sending again.", md.Thousands(said.Window)))
	t.p.engine.Budget.Window = said.Window
	t.p.render()
	return true
}

// learnWindow records the window that an error named, and reports whether it is smaller than the known one.
func learnWindow(s *Session, window int) bool {
	if window <= 0 || s.opts.Window > 0 && s.opts.Window <= window {
		return false
	}
	s.opts.Window = window
	if s.opts.Calibrate.Window != nil {
		s.opts.Calibrate.Window(window)
	}
	return true
}

// shortenFound handles a request of a later round that is too long: it cuts the results of the last round to a
// quarter, and the second time drops them. The model must answer from that. It reports whether to send the request
// again.
func shortenFound(t *Turn, said *ProviderError) bool {
	l := &t.loop
	if said.Kind != ErrContext || len(l.past) == 0 || t.answer.raw.Len() > t.answer.before[0] {
		return false
	}
	round := &l.past[len(l.past)-1]
	if round.shorter++; round.shorter > 2 {
		return false
	}
	t.window = said.Window // applied after the turn, because the list of tools may depend on it
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
	addLastCallNotice(&results[len(results)-1])
	l.endReason = cmp.Or(l.endReason, windowFull)
	t.notice("window", "What was looked up is too long for the model: shortening it, and sending again.")
	round.results, t.env = results, round.before
	round.follow(t)
	emitFollowUp(t)
	return true
}
