package prompt

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"
)

// A chat file has the texts of a chat and names its attachments, with their revisions; the engine is deterministic.
// So the last request of a chat can be built again, byte for byte, by arranging the turns of its epoch once more with
// the same items: Resume does that. It needs to know a little that neither the chat nor the vault tells, which is the
// Arrangement. Its hashes tell whether the result is what was sent, and if not, up to where: what an editor changed in
// the chat, another version of ibid and a note with a new text all show up as a hash that differs. Nothing is believed
// without its hash.

// Arrangement describes how the last request of a conversation was arranged, without its texts.
type Arrangement struct {
	Turn     int // that began the epoch, from 1; 0 for no arrangement
	Epoch    int // its number, from 1
	Cause    Cause
	Layout   Layout
	Size     int    // see epoch.size
	L1       string // hashes
	L2       string
	Settings string // hash of the other Settings
	Library  []ArrangedCopy
	Left     []Ref   // items that earlier epochs said to have left the prompt
	Folded   int     // turns that were folded away
	Dropped  int     // notes-to-self that were dropped with them
	Covered  int     // turns that Summary covers
	Summary  string  // of the folded turns
	Traces   []Trace // those that are not plain
	Places   []int   // byte offsets in the system message where a match of the cache may end
	Base     string  // hash of the system message and of what replaces folded turns
	Turns    int     // turns after those that were folded away
	// hashes of everything up to the end of the last ones of these turns, see turnSums
	Sums []string
}

// ArrangedCopy is an item of the library.
type ArrangedCopy struct {
	Ref      Ref
	Revision string // see Revision.Short
	Outline  bool
}

// Trace holds what a turn did and its messages do not tell.
type Trace struct {
	Turn      int
	LookedUp  bool   // results of tools were in front of its question
	Called    bool   // the model called tools
	Directive bool   // it had an instruction of its own: see Turn.Directive
	Edited    string // ids of items of which it said that their text is another one now, one a line
	Day       string // on which it was sent, if it was asked on another one: 2006-01-02
	// The reply as it came is what was shown without its last Cut bytes, and Tail, in which notePlace stands for the
	// note-to-self. Both are zero if it came as replyText writes it.
	Cut  int
	Tail string
}

// traceOf returns the trace of a turn before it is sent.
func traceOf(t *Turn, n int) Trace {
	trace := Trace{Turn: n, Directive: t.Directive != ""}
	day := t.Now.Format(time.DateOnly)
	if !t.Asked.IsZero() && t.Asked.Format(time.DateOnly) != day {
		trace.Day = day
	}
	return trace
}

const (
	notePlace   = "\x00"
	maxTail     = 120    // bytes of a tail; a reply with a longer one is not built again
	unknownText = "\x00" // stands for bytes that are not known, and equals no text

	maxSums = 20 // sums of an arrangement: a change before these turns counts as one at the beginning of the history
)

// replyText returns a reply with its note-to-self, as a conversation keeps it.
func replyText(visible, note string) string {
	if note == "" {
		return visible
	}
	return strings.TrimPrefix(visible+"\n\n"+noteOpening+" "+note+"]", "\n\n")
}

// withReply returns the trace of a reply.
func (t Trace) withReply(reply, visible, note string) Trace {
	if reply == replyText(visible, note) {
		return t
	}
	same := CommonPrefix(reply, visible)
	tail := reply[same:]
	if at := strings.LastIndex(tail, note); note != "" && at >= 0 {
		tail = tail[:at] + notePlace + tail[at+len(note):]
	}
	if len(tail) <= maxTail {
		t.Cut = len(visible) - same
		t.Tail = tail
	}
	return t
}

// reply is the inverse of withReply.
func (t Trace) reply(visible, note string) string {
	if t.Cut == 0 && t.Tail == "" || t.Cut < 0 || t.Cut > len(visible) {
		return replyText(visible, note)
	}
	return visible[:len(visible)-t.Cut] + strings.Replace(t.Tail, notePlace, note, 1)
}

// plain reports whether the messages tell all of the turn.
func (t Trace) plain() bool { return t == Trace{Turn: t.Turn} }

// shortSum returns the first bytes of a hash as text.
func shortSum(sum [sha256.Size]byte, bytes int) string {
	return base64.RawStdEncoding.EncodeToString(sum[:bytes])
}

// layerSum is the hash of a layer in an arrangement.
func layerSum(sum [sha256.Size]byte) string { return shortSum(sum, 6) }

// Digest returns the hash of the text of L1, and that of the other settings, as in an Arrangement.
func (s Settings) Digest() (l1, others string) {
	return layerSum(sha256.Sum256([]byte(s.L1))),
		layerSum(sha256.Sum256([]byte(s.Model + "\x00" + s.Tools + "\x00" + s.Guide)))
}

// Arrangement returns the arrangement of the last request; ok is false if this conversation has sent none.
func (c Conversation) Arrangement() (a Arrangement, ok bool) {
	if c.epoch.n == 0 || c.unsent {
		return a, false
	}
	ep := &c.epoch
	a = Arrangement{
		Turn: ep.turn, Epoch: ep.n, Cause: ep.cause, Layout: Auto, Size: ep.size,
		Folded: c.fold.turns, Dropped: c.fold.notes, Covered: c.fold.summary.turns, Summary: c.fold.summary.text,
	}
	if c.strict {
		a.Layout = Strict
	}
	a.L1, a.Settings = ep.set.Digest()
	a.L2 = layerSum(ep.library.sum)
	a.Left = slices.Clone(ep.left)
	for _, h := range ep.copies {
		a.Library = append(a.Library,
			ArrangedCopy{Ref: h.item.Ref, Revision: h.item.Revision.Short(), Outline: h.outline})
	}
	for _, t := range c.traces.all() {
		if !t.plain() {
			a.Traces = append(a.Traces, t)
		}
	}
	for _, p := range c.before.places {
		if p.messages == 0 && p.bytes > 0 {
			a.Places = append(a.Places, p.bytes)
		}
	}
	base, sums := c.turnSums()
	a.Base = base
	a.Turns = len(sums)
	a.Sums = sums[max(0, len(sums)-maxSums):]
	return a, true
}

// turnSums returns a hash of the system message and of the messages that replace folded turns, and for each turn
// behind them one of everything up to its end.
func (c *Conversation) turnSums() (base string, sums []string) {
	all := sha256.Sum256([]byte(c.epoch.system.Content))
	add := func(messages []wire) {
		d := sha256.New()
		_, _ = d.Write(all[:]) // never fails
		for i := range messages {
			_, _ = d.Write(messages[i].sum[:])
		}
		d.Sum(all[:0])
	}
	add(c.fold.replacement)
	base = shortSum(all, 3)
	history := c.history()
	for len(history) > 0 {
		n := turnLen(history)
		add(history[:n])
		sums = append(sums, shortSum(all, 3))
		history = history[n:]
	}
	return base, sums
}

// history returns the messages between those that replace folded turns and the next question.
func (c *Conversation) history() []wire {
	past := c.past()[c.fold.messages:max(c.epoch.first, c.fold.messages)]
	return slices.Concat(past, c.sent.all())
}

// turnLen returns the number of messages at the beginning that belong to the same turn.
func turnLen(messages []wire) int {
	n := 1
	for n < len(messages) && messages[n].turn == messages[0].turn {
		n++
	}
	return n
}

// PastTurn is a turn of a saved chat, with the items that it attached.
type PastTurn struct {
	Turn         // Tools and Current are not used
	Reply string // as it was shown
	Note  string // note-to-self that it ended with
	// The model did not finish, so nothing that the turn attached became known.
	Broken bool
	// ids of attached items whose text was another one when the turn was sent
	Changed []string
}

// Resume returns the conversation of a reopened chat as if it had never been closed. start is the conversation before
// the epoch of a, reopened with the items of its library in their order, and turns are those of the epoch. fresh is the
// whole conversation, reopened: it is the result if the library cannot be what it was. Either way the next prediction
// counts as cached what the last request had, up to the first difference; same reports that there is none.
func Resume(start, fresh Conversation, a Arrangement, turns []PastTurn) (resumed Conversation, same bool) {
	possible := a.Turn > 0 && start.turns == a.Turn-1 && len(turns) > 0 && causeWords[a.Cause] != ""
	if !possible || turns[0].Broken {
		return fresh, false
	}
	set := turns[0].Settings
	if l1, others := set.Digest(); l1 != a.L1 || others != a.Settings {
		return fresh, false
	}
	c := start.arrange(a, turns)
	base, sums := c.turnSums()
	if base != a.Base {
		fresh.before = sentBefore{request: c.knownSystem(a), places: c.before.places, set: set}
		return fresh, false
	}
	messages, all := c.knownMessages(a.equalTurns(sums))
	if all {
		return c, true
	}
	c.unsent = true
	c.before = sentBefore{request: c.cutRequest(messages, turns), places: c.before.places, set: set}
	var edited []string
	for _, e := range fresh.known {
		if e.swapped {
			edited = append(edited, e.ID)
		}
	}
	c.known = markSwapped(c.known, edited)
	return c, false
}

// markSwapped returns the entries, of which those with these ids have another text than the one that the model answered
// from.
func markSwapped(known []*entry, ids []string) []*entry {
	known = slices.Clone(known)
	for i, e := range known {
		if !e.absent && slices.Contains(ids, e.ID) {
			changed := *e
			changed.swapped = true
			known[i] = &changed
		}
	}
	return known
}

// arrange arranges the turns of an epoch again.
func (c Conversation) arrange(a Arrangement, turns []PastTurn) Conversation {
	for i, t := range turns {
		if t.Broken {
			c = c.Aside(t.Text, replyText(t.Reply, t.Note), t.Count)
			continue
		}
		trace := a.trace(c.turns + 1)
		if !trace.Directive {
			t.Directive = ""
		}
		if day, err := time.ParseInLocation(time.DateOnly, trace.Day, t.Now.Location()); err == nil {
			t.Asked, t.Now = t.Now, day
		}
		if t.Count == nil {
			t.Count = ApproximateTokens
		}
		t.Cache.Cold = false
		in := newIncoming(c, t.Turn)
		in.lookedUp = trace.LookedUp
		in.c.known = markSwapped(in.c.known, strings.Split(trace.Edited, "\n"))
		in.t.Layout = Auto // the decision about the epoch was made
		var env Envelope
		if i == 0 {
			in.t.Layout = a.Layout
			in.arranged = a.libraryIDs()
			env = in.assemble(a.Cause, a.trim(in))
			env.next.epoch.n = max(a.Epoch, 1)
			env.next.epoch.size = max(a.Size, 0)
			env.cache.places = a.earlierPlaces(env.request, env.cache)
		} else {
			env = in.assemble("", trim{fold: in.c.fold})
		}
		env.kept.trace.Called = trace.Called
		c = env.Commit(trace.reply(t.Reply, t.Note), "")
		if trace.Called {
			c.before.reply = unknownText // the calls followed the question
		}
	}
	return c
}

// libraryIDs returns the ids of the items of the library.
func (a Arrangement) libraryIDs() map[string]bool {
	ids := make(map[string]bool, len(a.Library))
	for _, h := range a.Library {
		ids[h.Ref.ID] = true
	}
	return ids
}

// trim returns what the epoch left out.
func (a Arrangement) trim(in *incomingTurn) trim {
	tr := trim{stubs: map[string]bool{}}
	for _, h := range a.Library {
		tr.stubs[h.Ref.ID] = h.Outline
	}
	folded := min(max(a.Folded, 0), in.c.turns)
	if folded > 0 {
		tr.fold = in.folded(folded, summary{turns: min(max(a.Covered, 0), folded), text: a.Summary})
	}
	tr.fold.notes = min(max(a.Dropped, 0), len(in.c.notes.all()))
	return tr
}

// earlierPlaces returns the places of a cache in the first request of the epoch, with those that it shares with
// requests before the epoch.
func (a Arrangement) earlierPlaces(r *request, c cacheUse) []place {
	if !c.Kind.endsAtPlaces() {
		return c.places
	}
	w := &r.system[0]
	var earlier []place
	for _, n := range a.Places[:min(len(a.Places), maxPlaces)] {
		if n <= 0 || n > len(w.Content) {
			continue
		}
		p := place{bytes: n, tokens: r.list + w.part(n)}
		for _, part := range w.Parts {
			if part.End <= n {
				p.block++
			}
		}
		earlier = append(earlier, p)
	}
	return mergePlaces(earlier, c.places)
}

// trace returns the trace of a turn.
func (a Arrangement) trace(turn int) Trace {
	i := slices.IndexFunc(a.Traces, func(t Trace) bool { return t.Turn == turn })
	if i < 0 {
		return Trace{Turn: turn}
	}
	return a.Traces[i]
}

// equalTurns returns the number of turns of the history that are as they were sent: sums are those of the turns now.
func (a Arrangement) equalTurns(sums []string) int {
	first := a.Turns - len(a.Sums) // the sum of a turn covers all before it
	equal := 0
	for i, sum := range a.Sums {
		at := first + i
		if at < 0 || at >= len(sums) || sums[at] != sum {
			break
		}
		equal = at + 1
	}
	return equal
}

// knownMessages returns the number of messages of the history that belong to its first turns, and whether these
// include the last request.
func (c *Conversation) knownMessages(turns int) (messages int, all bool) {
	history := c.history()
	for ; turns > 0 && messages < len(history); turns-- {
		messages += turnLen(history[messages:])
	}
	last := c.before.request.user[0].turn
	return messages, messages > 0 && history[messages-1].turn >= last
}

// cutRequest returns the beginning of the last request that is known to be as it was sent: the first messages of the
// history, and the next one up to the first item whose text has changed.
func (c *Conversation) cutRequest(messages int, turns []PastTurn) *request {
	r := *c.before.request
	history := c.history()
	r.past = history[:messages]
	r.sent, r.loop = nil, nil
	r.once = true
	r.user = [1]wire{}
	if messages == len(history) {
		return &r
	}
	next := history[messages]
	known := 0
	if at := next.turn - c.epoch.turn; at >= 0 && at < len(turns) {
		known = turns[at].beforeChanged(next.Content)
	}
	r.user[0].Message = Message{Role: next.Role, Content: next.Content[:known] + unknownText}
	return &r
}

// beforeChanged returns the offset of the first changed item in the message of the turn, 0 if there is none.
func (t *PastTurn) beforeChanged(message string) int {
	first := len(message)
	for _, it := range t.Attached {
		if !slices.Contains(t.Changed, it.ID) {
			continue
		}
		if at := strings.Index(message, block(it, it.ID == t.Active)); at >= 0 {
			first = min(first, at)
		}
	}
	if first == len(message) {
		return 0
	}
	return first
}

// knownSystem returns a request that is the beginning of the last one up to the first difference in the system message.
func (c *Conversation) knownSystem(a Arrangement) *request {
	ep := &c.epoch
	same := 0
	for same < len(ep.copies) && same < len(a.Library) && a.Library[same].is(ep.copies[same]) {
		same++
	}
	changed := same < len(ep.copies) || same < len(a.Library)
	if !changed && layerSum(ep.library.sum) != a.L2 {
		same = 0 // something else than a revision
	}
	parts := ep.system.Parts[:0:0]
	if ep.l1.text != "" {
		same++
	}
	if same <= len(ep.system.Parts) {
		parts = ep.system.Parts[:same]
	}
	known := 0
	if len(parts) > 0 {
		known = parts[len(parts)-1].End
	}
	system := Message{Role: System, Content: ep.system.Content[:known] + unknownText}
	return &request{user: [1]wire{{Message: system}}, once: true}
}

// is reports whether the copy is the one that was arranged.
func (h ArrangedCopy) is(copied *libraryCopy) bool {
	return h.Ref == copied.item.Ref && h.Revision == copied.item.Revision.Short() && h.Outline == copied.outline
}
