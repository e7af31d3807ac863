package chains

import (
	"cmp"
	"fmt"

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

// shortenFound handles a request of a later round that is too long: it drops the results of the last round, and the
// model must answer from what else it has. It reports whether to send the request again.
func shortenFound(t *Turn, said *ProviderError) bool {
	l := &t.loop
	if said.Kind != ErrContext || len(l.past) == 0 || t.answer.raw.Len() > t.answer.before[0] {
		return false
	}
	round := &l.past[len(l.past)-1]
	if round.shortened {
		return false
	}
	t.window = said.Window // applied after the turn, because the list of tools may depend on it
	results := make([]prompt.ToolResult, len(round.results))
	for i, r := range round.results {
		results[i] = prompt.ToolResult{Call: r.Call, Name: r.Name, Content: "What was found does not fit the window."}
	}
	addLastCallNotice(&results[len(results)-1])
	l.endReason = cmp.Or(l.endReason, windowFull)
	t.notice("window", "What was looked up is too long for the model: sending again without it.")
	round.shortened, round.results, t.env = true, results, round.before
	round.follow(t)
	emitFollowUp(t)
	return true
}
