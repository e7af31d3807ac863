package chains

import (
	"cmp"
	"fmt"
	"time"

	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// Limits limit what a turn may look up. A zero field takes the default named here. Loop does not count the time
// that the person takes to answer, and Tool does not limit calls that write.
type Limits struct {
	Rounds int           `toml:"rounds" default:"12" help:"replies of a turn whose calls are run, up to 16"`
	Calls  int           `toml:"calls" default:"100" help:"calls of a turn"`
	Loop   time.Duration `toml:"time" default:"5m" help:"for all that a turn looks up"`
	Tool   time.Duration `toml:"tool" default:"20s" help:"for one call"`
	Result int           `toml:"result" default:"24000" help:"characters of one result"`
	Tokens int           `toml:"tokens" default:"32000" help:"tokens of all results of a turn, at most a quarter of the window"`
}

// limits returns the limits of a turn, with the defaults filled in.
func (o *Options) limits() Limits {
	l := o.Tools.Limits
	return Limits{
		Rounds: cmp.Or(l.Rounds, 12),
		Calls:  cmp.Or(l.Calls, 100),
		Tool:   cmp.Or(l.Tool, 20*time.Second),
		Loop:   cmp.Or(l.Loop, 5*time.Minute),
		Result: cmp.Or(l.Result, 24000),
		Tokens: min(cmp.Or(l.Tokens, 32000), cmp.Or(o.Window, 32<<10)/4),
	}
}

const (
	maxParallelReads = 16                    // calls that run at the same time
	maxWrites        = 50                    // changes that a reply may propose
	toolGrace        = 40 * time.Millisecond // for a tool to return after its context has ended
	minResultTokens  = 200                   // tokens below which another result is not worth a request
	charsPerToken    = 3                     // lower bound for most texts
	maxWrongCalls    = 3                     // calls in a row whose arguments are not understood

	windowFull = "the window of the model"

	lastWords = "No more tool calls in this turn: answer from what you have, and say what you could not look up."
)

// limitReached returns the limit that ends the lookups of a turn, in words, "" if none does. spent is their time
// without the time of the person.
func (l *loop) limitReached(spent time.Duration) string {
	switch {
	case l.once:
		return "this chain looks things up once a turn (/chain agent goes on)"
	case l.rounds >= l.limits.Rounds:
		return fmt.Sprintf("%d rounds (tools.rounds)", l.limits.Rounds)
	case l.ran >= l.limits.Calls:
		return fmt.Sprintf("%d calls (tools.calls)", l.limits.Calls)
	case l.limits.Tokens-l.tokens < minResultTokens:
		return fmt.Sprintf("%s tokens of results (tools.tokens)", md.Thousands(l.limits.Tokens))
	case spent >= l.limits.Loop:
		return fmt.Sprintf("%s of looking things up (tools.time)", l.limits.Loop)
	case l.wrongCalls >= maxWrongCalls:
		return fmt.Sprintf("%d calls in a row that could not be run", l.wrongCalls)
	case l.idleRounds >= 2:
		return "two rounds that brought nothing new"
	}
	return ""
}

// dropCalls removes the calls of a reply for whose results the turn has no room left, and returns the reason in
// words.
func dropCalls(t *Turn, r *Round) (why string) {
	l := &t.loop
	reads, writes := max((l.limits.Tokens-l.tokens)/minResultTokens, 1), maxWrites
	all := r.Calls
	why = fmt.Sprintf("there is room for %d reads, %d changes, and %d calls in a turn.", reads, writes, l.limits.Calls)
	r.Calls = nil
	for _, c := range all {
		left := &reads
		if tool := callableTool(t.s, c.Name); tool != nil && tool.Spec().Writes {
			left = &writes
		}
		if *left > 0 && l.ran+len(r.Calls) < l.limits.Calls {
			*left--
			r.Calls = append(r.Calls, c)
		}
	}
	return fmt.Sprintf("%d of the %d calls of this reply were not run: %s", len(all)-len(r.Calls), len(all), why)
}

// resultShare returns how many tokens each result of a round may have. tight reports that the window, and not a limit,
// sets the share: then the next request is the last.
func resultShare(t *Turn, r *Round, jobs []*job) (tokens int, tight bool) {
	const around = 60 // estimated tokens of the frame around a result
	room, all := t.loop.limits.Tokens-t.loop.tokens, 0
	weights := make([]int, len(jobs))
	for i, j := range jobs {
		res := j.out.Result("")
		weights[i] = toolcall.Weight(&res, t.s.opts.Count)
		all += weights[i]
	}
	if fits := t.env.Room() - t.s.opts.Count(r.written()) - around*len(jobs); fits < min(room, all) {
		return prompt.FairShare(weights, fits), true
	}
	// leaves room for the model to ask for what was cut
	return min(prompt.FairShare(weights, room*3/4), room/2), false
}
