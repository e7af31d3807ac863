package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A prompt that outgrows its window is made smaller in four steps, each of which
// stops as soon as there is room: notes-to-self beyond the newest go, the oldest
// turns are folded into a summary or left out, the items that were attached
// longest ago shrink to their outline, and the last turn is cut to head and tail.
// What is attached now and the question stay whole: if they do not fit, the turn
// is refused. Room is made for several turns at once, because every time all
// that stands behind the change is read anew.

const (
	keepTurns     = 2   // turns that stay as they were while that leaves room
	leastVerbatim = 64  // tokens of a message below which cutting it is no use
	newestNotes   = 10  // notes-to-self that are never left out
	summaryTokens = 300 // of a summary, in a window that has them to spare

	cutMark = "\n\n[… the middle of this message is left out: it no longer fits …]\n\n"
)

// levels are the sizes at which something happens, in counted tokens.
type levels struct {
	limit int // what fits the window beside the reply
	most  int // above it room is made
	low   int // down to here
	high  int // or only to here, where more would cost what nothing stands in for
}

// levels of the budget: from what a prompt may fill, room is made for a half in
// windows up to 16k, for a third up to 64k, and for a quarter above.
func (b Budget) levels() levels {
	l := levels{limit: min(max(b.Window-b.Reserve, b.Window/2), b.Window)}
	l.most = min(l.limit, int(share*float64(b.Window)))
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

// fit brings a request under its share of the window, by a new epoch if that is
// enough.
func (in *incomingTurn) fit(env Envelope, cause Cause) (Envelope, error) {
	l := in.t.Budget.levels()
	size := env.Predicted.Counted
	if size <= l.most {
		return in.unfold(env, cause, l), nil
	}
	if cause == "" || cause == CausePromote {
		if size <= l.limit && float64(size) < regrowth*float64(in.c.epoch.size) {
			return env, nil // rebuilt for size not long ago: another rebuild would only cost the cache
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

// unfold brings folded turns back in a new epoch if all of them have room again,
// because the model has a larger window now.
func (in *incomingTurn) unfold(env Envelope, cause Cause, l levels) Envelope {
	more := in.c.historyTokens(fold{}) - in.c.historyTokens(in.c.fold)
	if cause == "" || in.c.fold.turns == 0 || l.limit > 0 && env.Predicted.Counted+more > l.low {
		return env
	}
	return in.assemble(cause, trim{})
}

// trim is what is shortened in a new epoch.
type trim struct {
	fold  fold // of the history from now on
	stubs map[string]bool
	cut   []ShortenedPart
}

// room is the decision about what is shortened, with the size that the request
// has after what was decided so far.
type room struct {
	levels
	trim
	in    *incomingTurn
	size  int
	freed int // tokens of notes-to-self
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

// dropNotes leaves the oldest notes-to-self out that are neither among the newest
// nor within a twentieth of the window; the summary of the turns has seen them.
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

// foldTurns folds the oldest turns until the request is low. Turns that no summary
// covers are spared if that leaves enough room.
func (r *room) foldTurns() {
	c := &r.in.c
	have, last := c.fold.turns, c.turns-keepTurns
	if r.size <= r.low || have >= c.turns-1 {
		return
	}
	sum := r.summary()
	if r.with(max(last, have), sum) > r.high {
		last = c.turns - 1
	}
	if last <= have {
		return
	}
	n := have + 1 + sort.Search(last-have-1, func(i int) bool { return r.with(have+1+i, sum) <= r.low })
	if have < sum.turns && sum.turns < n && r.with(sum.turns, sum) <= r.high {
		n = sum.turns
	}
	if r.with(n, sum) < r.size {
		r.take(r.in.folded(n, sum))
	}
}

// summary is what stands for the folded turns: the newest one that is there and
// shorter than what it replaces.
func (r *room) summary() summary {
	c := &r.in.c
	if c.summary.text == "" {
		return c.fold.summary
	}
	rest := c.fold
	rest.stand, rest.messages = nil, indexAfterTurn(c.past.all(), c.summary.turns)
	if n := r.in.count(c.summary.text); n >= c.historyTokens(c.fold)-c.historyTokens(rest) {
		r.say("the summary of "+turnRange(1, c.summary.turns)+", longer than they are,", "left out", n)
		return c.fold.summary
	}
	return c.summary
}

// with is the size of the request if the first n turns were folded.
func (r *room) with(n int, s summary) int {
	return r.size - r.in.c.historyTokens(r.fold) + r.in.c.historyTokens(r.in.folded(n, s))
}

func (r *room) take(f fold) {
	f.notes = r.fold.notes
	r.size += r.in.c.historyTokens(f) - r.in.c.historyTokens(r.fold)
	r.fold = f
}

// cutTurns makes a request fit that is too long with nothing but the last turn as
// it was: that turn is cut, or folded too, and then without a summary.
func (r *room) cutTurns() {
	c := &r.in.c
	if c.turns == 0 {
		return
	}
	if r.take(r.in.folded(max(c.turns-1, c.fold.turns), r.fold.summary)); r.size <= r.limit {
		return
	}
	messages := c.past.all()[r.fold.messages:]
	var sizes []int
	left := r.limit - r.size
	for _, w := range messages {
		sizes = append(sizes, w.tokens)
		left += w.tokens
	}
	if most := fairShare(sizes, left); most >= leastVerbatim {
		f := r.fold
		f.messages, f.stand = c.past.len(), slices.Clone(f.stand)
		for _, w := range messages {
			w.Content = shortenText(w.Content, most, cutMark, true, r.in.count)
			w.tokens = r.in.count(w.Content)
			f.stand = append(f.stand, w)
		}
		before := r.size
		r.take(f)
		r.say(turnRange(c.turns, c.turns), "only head and tail", before-r.size)
		return
	}
	if r.take(r.in.folded(c.turns, r.fold.summary)); r.size > r.limit {
		r.take(r.in.folded(c.turns, summary{}))
	}
}

// stubOldest turns library items into stubs, the least recently attached first.
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
			r.say(e.ID, "only the outline", n)
		}
	}
}

// report says what became of turns and notes-to-self, before everything else.
func (r *room) report() {
	c, others := &r.in.c, r.cut
	have, n, covered := c.fold.turns, r.fold.turns, c.fold.turns
	if r.fold.summary.turns > c.fold.summary.turns {
		covered = min(n, r.fold.summary.turns)
	}
	r.cut = nil
	r.sayTurns(have, covered, "in a summary")
	r.sayTurns(covered, n, "left out")
	if drop := r.fold.notes - c.fold.notes; drop > 0 {
		how := "left out"
		if covered > have {
			how = "in a summary"
		}
		r.say(fmt.Sprintf("%d older notes-to-self", drop), how, r.freed)
	}
	r.cut = append(r.cut, others...)
}

// sayTurns says what became of the turns behind one, up to another.
func (r *room) sayTurns(from, to int, how string) {
	if to <= from {
		return
	}
	past, tokens := r.in.c.past.all(), 0
	for _, w := range past[indexAfterTurn(past, from):indexAfterTurn(past, to)] {
		tokens += w.tokens
	}
	r.say(turnRange(from+1, to), how, tokens)
}

func (r *room) say(what, how string, tokens int) {
	r.cut = append(r.cut, ShortenedPart{What: what, How: how, Tokens: r.in.t.Budget.scale(tokens)})
}

// turnRange names some turns.
func turnRange(from, to int) string {
	if from == to {
		return fmt.Sprintf("turn %d", to)
	}
	return fmt.Sprintf("turns %d–%d", from, to)
}

// indexAfterTurn is the index of the first message of a later turn than this.
func indexAfterTurn(past []wire, turn int) int {
	return sort.Search(len(past), func(i int) bool { return past[i].turn > turn })
}

// historyTokens is the size of the history as a person sees it with this fold.
func (c *Conversation) historyTokens(f fold) int {
	n := 0
	for _, w := range f.stand {
		n += w.tokens
	}
	if past := c.past.all(); len(past) > f.messages {
		n += past[len(past)-1].total
		if f.messages > 0 {
			n -= past[f.messages-1].total
		}
	}
	return n
}

// folded is the history without the first n turns: two messages say so, and hold
// the summary if there is one.
func (in *incomingTurn) folded(n int, s summary) fold {
	f := fold{turns: n, messages: indexAfterTurn(in.c.past.all(), n), summary: s}
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
		f.stand = append(f.stand, wire{Message: m, tokens: in.count(m.Content)})
	}
	return f
}

// notes renders notes-to-self for the system message. If the newest would take
// more than a tenth of the window, the longest are cut.
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
	if size := fairShare(sizes, most); total > most {
		all = slices.Clone(all)
		for i, n := range all {
			all[i] = shortenText(n, size, "…", false, in.count)
		}
	}
	return notesSection(all)
}

// fairShare is the size to which parts of these sizes are cut to have at most so much
// together, or the largest of them: what a small one does not need goes to the others.
func fairShare(sizes []int, most int) int {
	largest := 0
	for i, n := range slices.Sorted(slices.Values(sizes)) {
		if each := most / (len(sizes) - i); n > each {
			return each
		}
		most -= n
		largest = n
	}
	return largest
}

// shortenText is text cut to about so many tokens: the beginning, a mark, and the
// end if that is wanted.
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

// validPart is a piece of a text without the halves of characters at its ends.
func validPart(s string) string { return strings.ToValidUTF8(s, "") }

func (in *incomingTurn) tooLong(env Envelope) error {
	scale := in.t.Budget.scale
	e := &TooLongError{
		Tokens: env.Predicted.Prompt, Limit: scale(in.t.Budget.levels().limit),
		Instructions: scale(env.next.epoch.l1.tokens + env.next.epoch.guide.tokens + in.t.ToolTokens),
		Question:     scale(in.count(in.t.Text)),
	}
	for _, k := range env.next.known {
		e.Largest = append(e.Largest, Attachment{Ref: k.Ref, Title: k.shown.Title, Tokens: scale(k.tokens)})
	}
	slices.SortStableFunc(e.Largest, func(a, b Attachment) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return e
}
