package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A prompt that outgrows its window is shortened in four steps, until there is enough room: old notes-to-self are
// dropped, the oldest turns are folded into a summary or dropped, the items that were attached longest ago are
// reduced to their outline, and the last turn is cut to head and tail. What is attached now and the question are
// never shortened: if they do not fit, the turn is refused. Each time room is made for several turns, because
// everything after a change is read anew.

const (
	keepTurns     = 2   // last turns that are kept unless that leaves too little room
	minCutTokens  = 64  // tokens below which cutting a message is useless
	newestNotes   = 10  // notes-to-self that are never dropped
	summaryTokens = 300 // maximum length of a summary; less in a small window

	cutMark = "\n\n[… the middle of this message is left out: it no longer fits …]\n\n"
)

// levels are sizes of a request, in counted tokens, that decide about shortening.
type levels struct {
	limit int // maximum that fits the window with room for the reply
	most  int // size above which a request is shortened
	low   int // size to shorten it to
	high  int // size to shorten it to if more would be lost without a replacement
}

// levels returns the levels for the budget. Shortening frees a half of the maximum in windows up to 16k, a third up
// to 64k, and a quarter above.
func (b Budget) levels() levels {
	l := levels{limit: min(max(b.Window-b.Reserve, b.Window/2), b.Window)}
	l.most = min(l.limit, int(budgetShare*float64(b.Window)))
	part := 4
	switch {
	case b.Window <= 16<<10:
		part = 2
	case b.Window <= 64<<10:
		part = 3
	}
	l.low, l.high = l.most-l.most/part, l.most-l.most/part/2
	for _, n := range []*int{&l.limit, &l.most, &l.low, &l.high} {
		*n = b.counted(*n)
	}
	return l
}

// fitWindow shortens a request that exceeds its share of the window. It begins a new epoch first, which may be
// enough. It returns a *TooLongError if the request does not fit in the end.
func (in *incomingTurn) fitWindow(env Envelope, cause Cause) (Envelope, error) {
	l := in.t.Budget.levels()
	size := env.Predicted.Counted
	if size <= l.most {
		return in.unfold(env, cause, l), nil
	}
	if cause == "" || cause == CausePromote {
		if size <= l.limit && float64(size) < regrowth*float64(in.c.epoch.size) {
			return env, nil // rebuilt for its size recently: doing it again would only lose the cache
		}
		cause = CauseBudget
		env = in.assemble(cause, trim{fold: in.c.fold})
	}
	if env.Predicted.Counted > l.high {
		env = in.assemble(cause, in.makeRoom(env, l))
	}
	env.next.epoch.size = env.Predicted.Counted
	if env.Predicted.Counted > l.limit {
		return Envelope{}, in.tooLong(env)
	}
	return env, nil
}

// unfold restores folded turns in a new epoch if all of them fit, because the model has a larger window now.
func (in *incomingTurn) unfold(env Envelope, cause Cause, l levels) Envelope {
	more := in.c.historyTokens(fold{}) - in.c.historyTokens(in.c.fold)
	if cause == "" || in.c.fold.turns == 0 || l.limit > 0 && env.Predicted.Counted+more > l.low {
		return env
	}
	return in.assemble(cause, trim{})
}

// trim lists the parts that a new epoch shortens.
type trim struct {
	fold  fold // of the later history
	stubs map[string]bool
	cut   []ShortenedPart
}

// room decides what is shortened. size is that of the request after the decisions so far.
type room struct {
	levels
	trim
	in    *incomingTurn
	size  int
	freed int // tokens of dropped notes-to-self
}

// makeRoom decides what a request leaves out.
func (in *incomingTurn) makeRoom(env Envelope, l levels) trim {
	r := &room{levels: l, in: in, size: env.Predicted.Counted, trim: trim{fold: in.c.fold}}
	r.dropNotes(env.next.epoch.notes.tokens)
	r.foldTurns()
	if r.size > r.high {
		r.stubOldest(env.next.known)
	}
	if r.size > r.limit {
		r.cutTurns()
	}
	r.report()
	return r.trim
}

// dropNotes drops the oldest notes-to-self, but none of the newest ones, and none within a twentieth of the window.
// The summary of the turns has taken them into account.
func (r *room) dropNotes(tokens int) {
	notes := r.in.c.notes.all()[r.fold.notes:]
	keep, most := min(len(notes), newestNotes), r.in.t.Budget.counted(r.in.t.Budget.Window/20)
	size := r.in.count(r.in.notes(notes[len(notes)-keep:]))
	for ; keep < len(notes); keep++ {
		if size += r.in.count(notes[len(notes)-keep-1]) + 1; size > most {
			break
		}
	}
	if drop := len(notes) - keep; drop > 0 {
		r.fold.notes += drop
		r.freed = tokens - r.in.count(r.in.notes(notes[drop:]))
		r.size -= r.freed
	}
}

// foldTurns folds the oldest turns until the request has size low. It spares turns that no summary covers if the
// size is at most high without them.
func (r *room) foldTurns() {
	c := &r.in.c
	have, last := c.fold.turns, c.turns-keepTurns
	if r.size <= r.low || have >= c.turns-1 {
		return
	}
	sum := r.summary()
	if r.sizeFolded(max(last, have), sum) > r.high {
		last = c.turns - 1
	}
	if last <= have {
		return
	}
	n := have + 1 + sort.Search(last-have-1, func(i int) bool { return r.sizeFolded(have+1+i, sum) <= r.low })
	if have < sum.turns && sum.turns < n && r.sizeFolded(sum.turns, sum) <= r.high {
		n = sum.turns
	}
	if r.sizeFolded(n, sum) < r.size {
		r.applyFold(r.in.folded(n, sum))
	}
}

// summary returns the summary for the folded turns: the newest one, unless it is longer than what it replaces.
func (r *room) summary() summary {
	c := &r.in.c
	if c.summary.text == "" {
		return c.fold.summary
	}
	rest := c.fold
	rest.replacement, rest.messages = nil, indexAfterTurn(c.past(), c.summary.turns)
	if n := r.in.count(c.summary.text); n >= c.historyTokens(c.fold)-c.historyTokens(rest) {
		r.reportCut("the summary of "+turnRange(1, c.summary.turns)+", longer than they are,", "left out", n)
		return c.fold.summary
	}
	return c.summary
}

// sizeFolded returns the size of the request if the first n turns were folded.
func (r *room) sizeFolded(n int, s summary) int {
	return r.size - r.in.c.historyTokens(r.fold) + r.in.c.historyTokens(r.in.folded(n, s))
}

func (r *room) applyFold(f fold) {
	f.notes = r.fold.notes
	r.size += r.in.c.historyTokens(f) - r.in.c.historyTokens(r.fold)
	r.fold = f
}

// cutTurns is the last resort: it folds all turns except the last, then cuts that to head and tail, then folds it,
// too, and then drops the summary.
func (r *room) cutTurns() {
	c := &r.in.c
	if c.turns == 0 {
		return
	}
	if r.applyFold(r.in.folded(max(c.turns-1, c.fold.turns), r.fold.summary)); r.size <= r.limit {
		return
	}
	messages := c.past()[r.fold.messages:]
	var sizes []int
	for _, w := range messages {
		sizes = append(sizes, w.tokens)
	}
	left := r.limit - r.size + tokensOf(messages)
	if most := FairShare(sizes, left); most >= minCutTokens {
		f := r.fold
		f.messages, f.replacement = len(c.past()), slices.Clone(f.replacement)
		for _, w := range messages {
			w.Content = shortenText(w.Content, most, cutMark, true, r.in.count)
			w.tokens = r.in.count(w.Content)
			f.replacement = append(f.replacement, w.withSum())
		}
		before := r.size
		r.applyFold(f)
		r.reportCut(turnRange(c.turns, c.turns), "only head and tail", before-r.size)
		return
	}
	if r.applyFold(r.in.folded(c.turns, r.fold.summary)); r.size > r.limit {
		r.applyFold(r.in.folded(c.turns, summary{}))
	}
}

// stubOldest reduces library items to stubs, the least recently attached first.
func (r *room) stubOldest(known []*entry) {
	known = slices.DeleteFunc(slices.Clone(known), func(e *entry) bool {
		return e.stub || e.absent || r.in.attaches(e.ID)
	})
	last := func(e *entry) int {
		if r.in.follows(e) {
			return r.in.c.turns + 1
		}
		return e.used
	}
	slices.SortStableFunc(known, func(a, b *entry) int { return cmp.Compare(last(a), last(b)) })
	r.stubs = map[string]bool{}
	for _, e := range known {
		if r.size <= r.low {
			return
		}
		if n := e.tokens - r.in.count(stub(e.shown)); n > 0 {
			r.stubs[e.ID] = true
			r.size -= n
			r.reportCut(e.ID, "only the outline", n)
		}
	}
}

// report adds what was done with turns and notes-to-self to cut, before everything else.
func (r *room) report() {
	c, others := &r.in.c, r.cut
	have, n, covered := c.fold.turns, r.fold.turns, c.fold.turns
	if r.fold.summary.turns > c.fold.summary.turns {
		covered = min(n, r.fold.summary.turns)
	}
	r.cut = nil
	r.reportTurns(have, covered, "in a summary")
	r.reportTurns(covered, n, "left out")
	if drop := r.fold.notes - c.fold.notes; drop > 0 {
		how := "left out"
		if covered > have {
			how = "in a summary"
		}
		r.reportCut(fmt.Sprintf("%d older notes-to-self", drop), how, r.freed)
	}
	r.cut = append(r.cut, others...)
}

// reportTurns reports what was done with the turns after from, up to to.
func (r *room) reportTurns(from, to int, how string) {
	if to <= from {
		return
	}
	past := r.in.c.past()
	r.reportCut(turnRange(from+1, to), how, tokensOf(past[indexAfterTurn(past, from):indexAfterTurn(past, to)]))
}

func (r *room) reportCut(what, how string, tokens int) {
	r.cut = append(r.cut, ShortenedPart{What: what, How: how, Tokens: r.in.t.Budget.scale(tokens)})
}

// turnRange names a range of turns.
func turnRange(from, to int) string {
	if from == to {
		return fmt.Sprintf("turn %d", to)
	}
	return fmt.Sprintf("turns %d–%d", from, to)
}

// indexAfterTurn returns the index of the first message after a turn.
func indexAfterTurn(past []wire, turn int) int {
	return sort.Search(len(past), func(i int) bool { return past[i].turn > turn })
}

// historyTokens returns the size of the raw history with this fold.
func (c *Conversation) historyTokens(f fold) int {
	return tokensOf(f.replacement, c.past()[f.messages:])
}

// tokensOf returns the size of messages.
func tokensOf(parts ...[]wire) (n int) {
	for _, part := range parts {
		for i := range part {
			n += part[i].tokens
		}
	}
	return n
}

// folded returns the fold of the first n turns: two messages that say so, with the summary if there is one.
func (in *incomingTurn) folded(n int, s summary) fold {
	f := fold{turns: n, messages: indexAfterTurn(in.c.past(), n), summary: s}
	if n == 0 {
		return f
	}
	ask := fmt.Sprintf("Turns 1 to %d of our conversation are left out here: they no longer fit.", n)
	if n == 1 {
		ask = "Turn 1 of our conversation is left out here: it no longer fits."
	}
	answer := "Understood. I will ask if something that was said there is needed."
	if s.text != "" {
		ask += fmt.Sprintf(" Summarize turns 1 to %d.", s.turns)
		answer = s.text
	}
	for _, m := range []Message{{Role: User, Content: ask}, {Role: Assistant, Content: answer}} {
		f.replacement = append(f.replacement, wire{Message: m, tokens: in.count(m.Content)}.withSum())
	}
	return f
}

// notes formats notes-to-self for the system message. If the newest ones exceed a tenth of the window, it cuts the
// longest.
func (in *incomingTurn) notes(all []string) string {
	most := in.t.Budget.counted(in.t.Budget.Window / 10)
	newest := all[max(0, len(all)-newestNotes):]
	if most <= 0 || len(strings.Join(newest, "")) <= most {
		return notesSection(all)
	}
	var sizes []int
	total := 0
	for _, n := range newest {
		sizes = append(sizes, in.count(n))
		total += sizes[len(sizes)-1]
	}
	if size := FairShare(sizes, most); total > most {
		all = slices.Clone(all)
		for i, n := range all {
			all[i] = shortenText(n, size, "…", false, in.count)
		}
	}
	return notesSection(all)
}

// FairShare returns the size to which parts of these sizes must be cut so that their sum is at most room, or room if
// they fit. The part of a share that one does not need goes to the others.
func FairShare(sizes []int, room int) int {
	left := room
	for i, n := range slices.Sorted(slices.Values(sizes)) {
		if share := left / (len(sizes) - i); n > share {
			return max(share, 0)
		}
		left -= n
	}
	return room
}

// shortenText cuts a text to at most so many tokens: the beginning, a mark and, with end, the end.
func shortenText(text string, most int, mark string, end bool, count func(string) int) string {
	n := count(text)
	if n <= most {
		return text
	}
	for size := len(text) * max(most, 0) / n; ; size -= size/16 + 1 {
		head, tail := max(size, 0), len(text)
		if end {
			head /= 2
			tail -= head
		}
		s := validPart(text[:head]) + mark + validPart(text[tail:])
		if size <= 0 || count(s) <= most {
			return s
		}
	}
}

// validPart returns a part of a text without incomplete characters at its ends.
func validPart(s string) string { return strings.ToValidUTF8(s, "") }

func (in *incomingTurn) tooLong(env Envelope) error {
	scale := in.t.Budget.scale
	e := &TooLongError{
		Tokens: env.Predicted.Prompt, Limit: scale(in.t.Budget.levels().limit), Question: scale(in.count(in.t.Text)),
	}
	for _, k := range env.next.known {
		e.Largest = append(e.Largest, Attachment{Ref: k.Ref, Title: k.shown.Title, Tokens: scale(k.tokens)})
	}
	slices.SortStableFunc(e.Largest, func(a, b Attachment) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return e
}
