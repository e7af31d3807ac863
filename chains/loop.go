package chains

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ibid/chains/toolcall"
	"ibid/context/prompt"
	"ibid/vault/md"
	"ibid/vault/routine"
)

// loop is the state of the rounds of a turn.
type loop struct {
	limits       Limits
	began        time.Time
	waited       time.Duration // time that the person took to answer
	rounds       int
	ran          int            // calls that no limit dropped
	once         bool           // only one reply may call tools
	tokens       int            // tokens of the results so far
	wrongCalls   int            // calls in a row that were not understood
	idleRounds   int            // rounds in a row that found nothing new
	writes       int            // changes that were written
	web          bool           // a page or a search of the web was fetched
	seen         map[string]int // number of a call by its name, arguments and the state of the notes
	shown        []passageKey   // passages that searches showed the model
	endReason    string         // why no further call is run, "" while calls are run
	ids          []string       // of the calls so far
	toolActivity toolActivity   // for the activity line
	reported     int            // number of the calls before the request whose events were emitted
	past         []pastRound
}

// toolActivity collects what calls did, for the activity line.
type toolActivity struct {
	found  []string // lookups, as text
	wrote  []string // paths of changed notes
	denied []string // refused changes, as text
}

// Loop runs rounds until the model answers without a call. When a limit is reached, it tells the model to answer,
// and sends one last request.
func (t *Turn) Loop(ctx context.Context) error {
	for again := true; ; {
		r, err := t.Stream(ctx)
		var said *ProviderError
		nothing := err == nil || errors.As(err, &said) && said.Kind == ErrBadReply
		empty := nothing && strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0 &&
			(t.loop.rounds > 0 || t.s.opts.inText())
		switch {
		case empty && again: // the same request once more: stop sequences may have ended its thinking
			again, err, t.s.tools.noStops = false, nil, true
		case err != nil:
			return err
		case len(r.Calls) > 0 && t.loop.endReason != "" && t.loop.once:
			return t.refuse(ctx, r, "not run: "+t.loop.endReason+"; answer from what you have")
		case len(r.Calls) > 0 && t.loop.endReason != "":
			return outOfCalls(t, r)
		case len(r.Calls) > 0 && t.s.offeredTools() != nil:
			err = t.Call(ctx, r)
		case empty && t.loop.rounds > 0:
			return t.emptyReplyError()
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// outOfCalls ends a turn whose model still calls tools after it was told not to. If the reply has no text, it
// writes one that lists what was looked up and what was not.
func outOfCalls(t *Turn, r Round) error {
	var not []string
	for _, c := range r.Calls {
		not = append(not, toolcall.Text(c))
	}
	line := fmt.Sprintf("The model went on calling tools after the last of this turn: %s. Done: %s. Not run: %s.",
		t.loop.endReason, cmp.Or(t.loop.activity(), "nothing"), md.Clip(strings.Join(not, "; "), maxCallText))
	t.answer.finish = FinishToolLimit
	t.notice("tool_limit", line+" Ask it to go on, and it may call again.")
	if strings.TrimSpace(t.answer.shown.String()) == "" {
		t.write(line)
	}
	return nil
}

// refuse answers each call of a round with the reason why it is not run, and sends one more request.
func (t *Turn) refuse(ctx context.Context, r Round, why string) error {
	t.loop.endReason = cmp.Or(t.loop.endReason, "this chain calls none")
	var results []prompt.ToolResult
	r.Calls = r.Calls[:min(len(r.Calls), maxWrites)]
	for i := range r.Calls {
		t.number(&r.Calls[i])
		results = append(results, prompt.ToolResult{Call: r.Calls[i].ID, Name: r.Calls[i].Name, Content: why})
	}
	t.extend(ctx, r, results)
	again, err := t.Stream(ctx)
	if err == nil && len(again.Calls) > 0 {
		return outOfCalls(t, again)
	}
	return err
}

// number numbers a call, and gives it an id if the model gave none or one that is taken.
func (t *Turn) number(c *prompt.ToolCall) int {
	n := len(t.loop.ids) + 1
	if c.ID == "" || slices.Contains(t.loop.ids, c.ID) {
		c.ID = fmt.Sprintf("call%05d", n)
	}
	t.loop.ids = append(t.loop.ids, c.ID)
	return n
}

// job is one call of a round.
type job struct {
	n        int
	call     prompt.ToolCall
	tool     Tool // nil if the call does not run
	spec     ToolSpec
	args     json.RawMessage
	repaired []string
	state    ToolState
	out      ToolOutput
	took     time.Duration
	fault    *routine.Panic // panic of the tool, nil if there was none
	nobody   bool           // it was refused because nobody could be asked
}

// newJob returns a call that the program makes itself.
func newJob(tool Tool, args json.RawMessage) *job {
	spec := tool.Spec()
	return &job{call: prompt.ToolCall{Name: spec.Name, Arguments: string(args)}, tool: tool, spec: spec, args: args}
}

// Call runs the calls of a round and prepares the request of the next one. Reads run in parallel, a few at a time;
// then writes run one by one, each after the person agreed. The results are in the order of the calls. A call that
// a limit, an error or the person stopped gets a result that says so. Once ctx has ended, Call returns its error
// within a moment.
func (t *Turn) Call(ctx context.Context, r Round) error {
	l := &t.loop
	if l.rounds++; l.rounds == 1 {
		l.limits, l.began = t.s.opts.limits(), t.s.opts.Now()
	}
	by := t.p.caller()
	by.Room = min(l.limits.Result, max((l.limits.Tokens-l.tokens)/2, minResultTokens)*charsPerToken)
	ctx = by.In(ctx)
	all, why := len(r.Calls), dropCalls(t, &r)
	jobs := make([]*job, len(r.Calls))
	for i := range r.Calls {
		jobs[i] = t.prepareCall(&r.Calls[i])
		t.emit(ToolStarted{Call: r.Calls[i], N: jobs[i].n, Round: l.rounds, Most: l.limits.Rounds})
	}
	if err := t.runReads(ctx, jobs); err != nil {
		for _, j := range jobs {
			if j.state != ToolFinished {
				continue
			}
			t.p.recordCall(j, &prompt.ToolResult{}, t.answer.shown.Len()) // it did run, though no model reads the result
			if j.waits() {
				j.out.Sources = nil // they get no numbers
				t.reportToolDone(ctx, j)
			}
		}
		return err
	}
	if err := (changes{t}).run(ctx, jobs); err != nil {
		return err
	}
	results := t.roundResults(ctx, r, jobs)
	if len(jobs) < all {
		t.notice("calls", why)
		last := &results[len(results)-1]
		last.Stop = strings.TrimSuffix(why+"\n\n"+last.Stop, "\n\n")
	}
	t.extend(ctx, r, results)
	return nil
}

// prepareCall validates a call and returns it ready to run, or with the reason why it is not.
func (t *Turn) prepareCall(c *prompt.ToolCall) *job {
	l := &t.loop
	j := &job{n: t.number(c), state: ToolRefused}
	l.ran++
	if j.tool = callableTool(t.s, c.Name); j.tool == nil {
		j.call, j.state, j.out = *c, ToolFailed, failedOutput("Unknown tool", "there is no tool called "+c.Name)
		l.wrongCalls++
		return j
	}
	j.spec = j.tool.Spec()
	args, repaired, err := toolcall.Arguments(j.spec.Schema, c.Arguments)
	if c.TooLong {
		err = fmt.Errorf("too long: the calls of a reply have room for %d MB of arguments", MaxArguments>>20)
	}
	if err != nil {
		j.call, j.tool, j.state, j.out = *c, nil, ToolFailed,
			failedOutput(err.Error(), "the call was not run: correct the arguments")
		l.wrongCalls++
		return j
	}
	l.wrongCalls = 0
	j.call, j.args, j.repaired = prompt.ToolCall{ID: c.ID, Name: j.spec.Name, Arguments: string(args)}, args, repaired
	if n := t.repeatOf(j); n > 0 {
		j.tool, j.state = nil, ToolCached
		j.out = ToolOutput{Text: fmt.Sprintf("Same as call %d.", n), Note: fmt.Sprintf("same as call %d", n)}
		return j
	}
	return j
}

// runReads runs the calls that do not write, a few at a time, and reports their ends.
func (t *Turn) runReads(ctx context.Context, jobs []*job) error {
	var todo []*job
	for _, j := range jobs {
		switch {
		case j.tool == nil:
			t.reportToolDone(ctx, j)
		case j.spec.Writes:
		default:
			ok, err := t.allowed(ctx, j)
			if err != nil {
				return err
			}
			if !ok {
				t.reportToolDone(ctx, j)
				continue
			}
			t.loop.web = t.loop.web || j.spec.Ask == AccessWeb
			todo = append(todo, j)
		}
	}
	finished := make(chan *job, len(todo))
	running := 0
	start := func() {
		if len(todo) > 0 && ctx.Err() == nil {
			j := todo[0]
			todo = todo[1:]
			running++
			go func() { finished <- j.run(ctx, t.loop.limits.Tool) }()
		}
	}
	for range maxParallelReads {
		start()
	}
	for ; running > 0; running-- {
		if j := <-finished; !j.waits() {
			t.reportToolDone(ctx, j)
		}
		start()
	}
	return ctx.Err()
}

// run calls the tool for at most so long, without limit if most is 0. It abandons a tool that goes on after its
// context has ended.
func (j *job) run(ctx context.Context, most time.Duration) *job {
	began := time.Now()
	if most > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	type outcome struct {
		out   ToolOutput
		err   error
		fault *routine.Panic
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		if o.fault = routine.Call(func() { o.out, o.err = j.tool.Call(ctx, j.args) }); o.fault != nil {
			o.err = fmt.Errorf("the tool broke: %v", o.fault.Value)
		}
		ended <- o
	}()
	var o outcome
	select {
	case o = <-ended:
	case <-ctx.Done():
		select {
		case o = <-ended:
		case <-time.After(toolGrace):
			o.err = ctx.Err()
		}
	}
	j.took, j.state, j.out, j.fault = time.Since(began), ToolFinished, o.out, o.fault
	switch {
	case o.err != nil && ctx.Err() != nil:
		j.state, j.out = ToolFailed, failedOutput("Timeout", fmt.Sprintf("the tool did not end within %s", most))
	case o.err != nil:
		j.state, j.out = ToolFailed, failedOutput(o.err.Error(), "the call failed")
	}
	return j
}

// nobodyAsked is the reason of a refusal when no person could be asked.
const nobodyAsked = "nobody was there to ask"

func (j *job) refuse(d Decision) {
	text := "refused by the person"
	switch j.nobody = d.Nobody; {
	case d.Nobody:
		text = cmp.Or(d.Reason, nobodyAsked)
	case d.Reason != "":
		text += ": " + d.Reason
	}
	j.state, j.out = ToolRefused, ToolOutput{Text: text, Note: text}
}

// allowed asks the person before the first call of each kind in a conversation. After a change was written it asks
// about the web again, because a note that the model wrote may name the address.
func (t *Turn) allowed(ctx context.Context, j *job) (bool, error) {
	scope, host, asks := t.permissionScope(j)
	if !asks || t.s.tools.granted[scope] && (j.spec.Ask != AccessWeb || t.loop.writes == 0) {
		return true, nil
	}
	d, err := t.ask(ctx, Asked{Kind: t.permission(j), Host: host, Call: j.call})
	if err != nil {
		return false, err
	}
	if !d.Yes {
		j.refuse(d)
		return false, nil
	}
	t.s.tools.granted[scope] = true
	return true, nil
}

// ask emits a question and waits for the answer or the end of ctx. The waiting does not count as time of the loop.
func (t *Turn) ask(ctx context.Context, a Asked) (Decision, error) {
	answers := make(chan Decision, 1)
	a.Answer = func(d Decision) {
		select {
		case answers <- d:
		default: // only the first answer counts
		}
	}
	began := t.s.opts.Now()
	defer func() { t.loop.waited += t.s.opts.Now().Sub(began) }()
	t.emit(a)
	select {
	case d := <-answers:
		return d, ctx.Err()
	case <-ctx.Done():
		return Decision{}, ctx.Err()
	}
}

// waits reports whether the end of a call is reported only after the calls before it have ended, because its
// sources get their numbers then.
func (j *job) waits() bool {
	return slices.ContainsFunc(j.out.Sources, func(s Source) bool { return s.ID > 0 })
}

// maxShownResult limits the bytes of a result in ToolDone.
const maxShownResult = 24000

// reportToolDone logs and reports the end of a call.
func (t *Turn) reportToolDone(ctx context.Context, j *job) {
	res := j.out.Result(j.call.Name)
	text := res.Text(nil)
	t.logCall(ctx, j, text)
	e := ToolDone{
		Call: j.call, N: j.n, Round: t.loop.rounds, State: j.state, Note: j.out.Note,
		Result: strings.ToValidUTF8(text[:min(len(text), maxShownResult)], ""),
		Took:   j.took, Tokens: toolcall.Weight(&res, t.s.opts.Count), Sources: j.out.Sources,
	}
	if e.State = j.shownState(); e.State == ToolFailed || e.State == ToolRefused {
		e.Err = failure(j.out.Text)
	}
	t.emit(e)
}

// roundResults returns the results for the model, in the order of the calls and within the turn's share of tokens.
// If no further call may follow, the last result says so.
func (t *Turn) roundResults(ctx context.Context, r Round, jobs []*job) []prompt.ToolResult {
	l := &t.loop
	fresh := false
	results := make([]prompt.ToolResult, len(jobs))
	share, tight := resultShare(t, &r, jobs)
	for i, j := range jobs {
		waited := j.waits()
		l.onlyNew(j)
		fresh = fresh || j.state == ToolFinished
		j.out.Repaired = j.repaired
		res := j.out.Result(j.call.Name)
		res.Call = j.call.ID
		toolcall.Shorten(&res, l.limits.Result, share, l.limits.Tokens, j.out.Rest, t.s.opts.Count)
		l.tokens += toolcall.Weight(&res, t.s.opts.Count)
		l.recordShown(j.call.Name, res.Documents)
		t.p.recordCall(j, &res, t.answer.shown.Len())
		if waited {
			j.out.Sources, j.out.Documents = res.Sources, res.Documents
			t.reportToolDone(ctx, j)
		}
		results[i] = res
		if j.state == ToolFinished && !j.spec.Writes {
			l.remember(j.call.Name, j.call.Arguments, j.out)
		}
	}
	switch {
	case fresh:
		l.idleRounds = 0
	case l.wrongCalls == 0: // calls that are not understood have their own limit
		l.idleRounds++
	}
	if l.endReason = l.limitReached(t.s.opts.Now().Sub(l.began) - l.waited); tight {
		l.endReason = cmp.Or(l.endReason, windowFull)
	}
	if l.endReason != "" {
		addLastCallNotice(&results[len(results)-1])
	}
	return results
}

// addLastCallNotice adds to a result that the model must not call anything any more.
func addLastCallNotice(r *prompt.ToolResult) {
	if !strings.HasSuffix(r.Stop, lastWords) {
		r.Stop = strings.TrimPrefix(r.Stop+"\n\n"+lastWords, "\n\n")
	}
}

// remember adds a lookup to the activity line.
func (l *loop) remember(name, args string, out ToolOutput) {
	text := toolcall.Text(prompt.ToolCall{Name: name, Arguments: args})
	var paths []string
	for _, s := range out.Sources {
		if !slices.Contains(paths, s.Path) {
			paths = append(paths, s.Path)
		}
	}
	if len(paths) > 0 {
		text += " → " + strings.Join(paths, ", ")
	}
	l.toolActivity.found = append(l.toolActivity.found, text)
}

// activity returns the line that later turns see of the lookups and changes of this one.
func (l *loop) activity() string {
	var all []string
	add := func(what string, list []string, sep string) {
		if len(list) > 0 {
			all = append(all, what+strings.Join(list, sep))
		}
	}
	add("looked up: ", l.toolActivity.found, "; ")
	add("changed: ", l.toolActivity.wrote, ", ")
	add("refused: ", l.toolActivity.denied, ", ")
	return strings.Join(all, "; ")
}

// deny adds a refused change to the activity line.
func (l *loop) deny(j *job) {
	_, call := (&Asked{Call: j.call}).Wants()
	if j.nobody {
		call += " (" + nobodyAsked + ")"
	}
	if !slices.Contains(l.toolActivity.denied, call) {
		l.toolActivity.denied = append(l.toolActivity.denied, call)
	}
}
