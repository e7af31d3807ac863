package prompt

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"ibid/vault/md"
)

const (
	// tokens of raw history up to which Auto moves items into the library: each move sends the history again
	promoteBelow = 4000
	promotePays  = 10   // turns over which a move must pay for itself by a shorter prompt
	promoteCost  = 500  // further cost that a move may have, in uncached tokens, to keep the library in order
	budgetShare  = 0.70 // part of the window that a prompt may fill before it is rebuilt
	regrowth     = 1.15 // growth since the last rebuild for size before the next one
)

// TooLongError is the error that a request does not fit the window even after everything possible was shortened.
type TooLongError struct {
	Tokens  int          // of the request, in the provider's tokens
	Limit   int          // window less reserve
	Largest []Attachment // heaviest attachments, in descending order

	Question int // tokens of what was typed and pasted
}

func (e *TooLongError) Error() string {
	s := fmt.Sprintf("too long: about %s tokens, and %s fit", md.Thousands(e.Tokens), md.Thousands(e.Limit))
	if len(e.Largest) == 0 || e.Question > e.Largest[0].Tokens {
		s += "; the question, with what was pasted, has " + md.Thousands(e.Question)
	}
	sep := "; largest: "
	for _, a := range e.Largest[:min(3, len(e.Largest))] {
		s += fmt.Sprintf("%s%s %s", sep, a.Ref.ID, md.Thousands(a.Tokens))
		sep = ", "
	}
	return s
}

// Prepare returns the request of a turn. It changes nothing: the envelope contains the next state, which Commit
// returns. The same conversation and turn always give the same bytes. It returns a *TooLongError if the request
// does not fit.
func (c Conversation) Prepare(t Turn) (Envelope, error) {
	if t.Layout = cmp.Or(t.Layout, Auto); t.Layout != Auto && t.Layout != Strict && t.Layout != Append {
		return Envelope{}, fmt.Errorf("unknown layout %q", t.Layout)
	}
	if t.Count == nil {
		t.Count = ApproximateTokens
	}
	in := newIncoming(c, t)
	cause := in.epochCause()
	env := in.assemble(cause, trim{fold: c.fold})
	if cause == "" && t.Layout == Auto {
		env, cause = in.promote(env)
	}
	if t.Budget.Window <= 0 {
		return in.unfold(env, cause, levels{}), nil
	}
	return in.fitWindow(env, cause)
}

// incomingTurn is a turn with everything that is looked up once.
type incomingTurn struct {
	c        Conversation // with moves applied
	t        Turn
	count    func(string) int
	attached []Item // each once
	// current content of every known item that exists and differs from the copy in the library or the messages
	current map[string]Item
	gone    map[string]bool // known items that were deleted
	// of a turn that is arranged again: ids of what the library had then, and whether results of tools, which are not
	// kept, were in front of the question
	arranged map[string]bool
	lookedUp bool
}

func newIncoming(c Conversation, t Turn) *incomingTurn {
	in := &incomingTurn{c: c, t: t, count: t.Count, current: map[string]Item{}, gone: map[string]bool{}}
	in.c.known = slices.Clone(c.known)
	in.move(t.Moves)
	for _, it := range t.Attached {
		if it.Kind == Picture && !t.Vision {
			continue
		}
		if !slices.ContainsFunc(in.attached, func(o Item) bool { return o.ID == it.ID }) {
			in.attached = append(in.attached, it)
			if !in.c.muted[it.ID] {
				in.current[it.ID] = it
				delete(in.gone, it.ID)
			}
		}
	}
	for id, now := range t.Current {
		if now.State == Withdrawn {
			in.c.cause = CauseForget
			now.State = Changed
		}
		if _, ok := in.current[id]; ok {
			continue
		}
		switch now.State {
		case Changed:
			in.current[id] = now.Item
		case Deleted:
			in.gone[id] = true
		case Private:
			in.c = in.c.Forget(id)
		}
	}
	for _, e := range in.c.known {
		if _, ok := in.current[e.ID]; !ok && !in.gone[e.ID] &&
			e.copy != nil && e.copy.item.Revision != e.shown.Revision {
			in.current[e.ID] = e.shown // the messages with its updates may go
		}
	}
	return in
}

// move gives known items their new ids, in whatever order the moves are. If an item moved onto another known one,
// the old id counts as deleted, and the other item as changed.
func (in *incomingTurn) move(moves []Move) {
	var wait []Move
	for _, m := range moves {
		i := in.c.indexOf(m.From.ID)
		if i < 0 {
			continue
		}
		if in.c.indexOf(m.To.ID) >= 0 {
			wait = append(wait, m)
			continue
		}
		e := *in.c.known[i]
		e.Ref = m.To.Ref
		e.shown.Ref, e.shown.Path, e.shown.Title = m.To.Ref, m.To.Path, m.To.Title
		in.c.known[i] = &e
		in.current[m.To.ID] = m.To
		if in.c.muted[m.From.ID] {
			in.c = in.c.Mute(m.From.ID, false).Mute(m.To.ID, true)
		}
	}
	if len(wait) < len(moves) {
		in.move(wait) // the other item may have moved away
		return
	}
	for _, m := range wait {
		in.gone[m.From.ID] = true
	}
	for _, m := range wait {
		in.current[m.To.ID] = m.To
		delete(in.gone, m.To.ID)
	}
}

// attaches reports whether this turn refers to the item with this id.
func (in *incomingTurn) attaches(id string) bool {
	return !in.c.muted[id] && slices.ContainsFunc(in.attached, func(it Item) bool { return it.ID == id })
}

// follows reports whether an item counts as attached without being named: a note of the project, by its path or by the
// one that it had before a move, or the result of a query in one, unless only its outline is left.
func (in *incomingTurn) follows(e *entry) bool {
	return !e.stub && !in.gone[e.ID] && !in.c.muted[e.ID] && slices.ContainsFunc(in.t.Project, func(r Ref) bool {
		return r == e.Ref || r == Ref{e.Kind, e.firstID} || e.Kind == Query && r.ID == e.shown.Path
	})
}

// epochCause returns the cause for a new epoch, "" to keep the current one. It does not check the budget, which
// needs the finished request.
func (in *incomingTurn) epochCause() Cause {
	c := in.c
	switch {
	case c.epoch.n == 0 && c.reopened:
		return CauseReload
	case c.epoch.n == 0:
		return CauseFirst
	case c.cause != "":
		return c.cause
	case c.epoch.set != in.t.Settings:
		return CauseL1
	case in.t.Cache.Cold:
		return CauseCold
	case in.t.Layout == Strict, slices.ContainsFunc(c.known, in.mustReturn):
		return CausePromote
	}
	return ""
}

// promote moves items from the messages into the library, if that is cheap: bytes that are cached now would be sent
// again. It does not try if even the smallest possible cost is too much.
func (in *incomingTurn) promote(keep Envelope) (Envelope, Cause) {
	c := in.c
	moved, scale := 0, in.t.Budget.scale
	for _, e := range c.known {
		if e.Kind == Picture && !e.absent {
			return keep, "" // a new epoch would lose the picture
		}
		if in.promotable(e) {
			moved += e.tokens
		}
	}
	old, plain := c.epoch.l1.tokens+c.epoch.library.tokens, c.historyTokens(c.fold)
	least := Prediction{Prompt: scale(old + moved + plain), Cached: scale(old)}
	if moved == 0 || plain > promoteBelow || !in.t.Cache.isCheap(least, keep.Predicted) {
		return keep, ""
	}
	if env := in.assemble(CausePromote, trim{fold: c.fold}); in.t.Cache.isCheap(env.Predicted, keep.Predicted) {
		return env, CausePromote
	}
	return keep, ""
}

// promotable reports whether promoting moves the item into the library.
func (in *incomingTurn) promotable(e *entry) bool {
	return e.copy == nil && !e.absent && e.Kind != Picture
}

// mustReturn reports whether the prompt must take back an item that the strict layout left out.
func (in *incomingTurn) mustReturn(e *entry) bool {
	return e.absent && e.Kind != Picture && in.t.Layout != Strict && !in.gone[e.ID]
}

// assemble builds the request. It begins a new epoch if cause is not "".
func (in *incomingTurn) assemble(cause Cause, tr trim) Envelope {
	if cause != "" {
		in.c.strict = in.t.Layout == Strict
	}
	next := in.c
	next.known = slices.Clone(in.c.known)
	next.turns++
	next.cause, next.reopened = "", false
	env := Envelope{
		Turn: next.turns, Layout: in.t.Layout, Shortened: tr.cut, question: in.t.Text,
		kept: keptTurn{context: in.t.Context, trace: traceOf(&in.t, next.turns)}, count: in.count,
	}
	if cause != "" {
		if tr.fold.turns > next.fold.turns {
			next.summary = summary{}
		}
		next.fold = tr.fold
		next = in.beginEpoch(next, cause, tr.stubs)
	}
	l3 := newTurnLayer(in, &next)
	env.kept.trace.Edited = strings.Join(l3.edited, "\n")
	env.tools = toolUse{in.t.Tools, in.t.ToolNames}
	if l3.tools > 0 {
		kept := l3.user(l3.parts[1:], l3.tokens-l3.tools)
		env.kept.message = &kept
	}
	user := l3.user(l3.parts, l3.tokens)
	if in.lookedUp {
		kept := user
		env.kept.message = &kept
		user.Content = unknownText + user.Content
	}
	env.request = &request{
		system: [1]wire{next.epoch.system}, fold: next.fold.replacement,
		past: next.past()[next.fold.messages:max(next.epoch.first, next.fold.messages)],
		sent: next.sent.all(),
		user: [1]wire{user},
		once: l3.tools > 0 || in.lookedUp || in.t.Layout == Strict,
		list: in.t.ToolTokens,
	}
	env.next = next
	env.Epoch = EpochInfo{N: next.epoch.n, Cause: next.epoch.cause, Turn: next.epoch.turn, New: cause != ""}
	for i := range l3.attached {
		l3.attached[i].Tokens = in.t.Budget.scale(l3.attached[i].Tokens)
	}
	env.Attached, env.NotSent = l3.attached, l3.notSent
	for _, im := range l3.images {
		env.Images = append(env.Images, im.Name)
	}
	in.predict(&env, cause)
	env.repeatedTokens = env.Predicted.Counted - l3.tools
	env.Layers = in.layers(env, l3)
	env.Library = in.library(env, cause != "")
	return env
}

// beginEpoch begins a new epoch: it formats the library anew, turns earlier messages into raw history, and moves all
// notes-to-self into the system message.
func (in *incomingTurn) beginEpoch(c Conversation, cause Cause, stubs map[string]bool) Conversation {
	// New items follow those that are in the library already.
	known := make([]*entry, 0, len(c.known))
	var entering []*entry
	for _, old := range c.known {
		if e := in.renewEntry(*old, cause, stubs); old.copy != nil {
			known = append(known, e)
		} else {
			entering = append(entering, e)
		}
	}
	c.known = append(known, entering...)
	ep := epoch{n: c.epoch.n + 1, turn: c.turns, first: len(c.past()), cause: cause, set: in.t.Settings}
	if cause == CausePromote {
		ep.size = c.epoch.size // not rebuilt for its size
	}
	ep.l1 = c.epoch.l1.renewed(in.t.Settings.L1, in.count)
	ep.notes = c.epoch.notes.renewed(in.notes(c.notes.all()[c.fold.notes:]), in.count)
	ep.guide = c.epoch.guide.renewed(in.t.Settings.Guide, in.count)
	for _, e := range c.known {
		if e.copy != nil {
			ep.copies = append(ep.copies, e.copy)
		}
		if e.lastNotice.leftPrompt {
			ep.left = append(ep.left, e.Ref)
		}
	}
	if ep.library = c.epoch.library; c.epoch.n == 0 || !slices.Equal(ep.copies, c.epoch.copies) {
		ep.library = renderLibrary(ep.copies, in.count)
	}
	ep.system = systemMessage(ep)
	if ep.system.Content == c.epoch.system.Content {
		ep.system = c.epoch.system // share the memory
	}
	c.epoch = ep
	c.sent = tape[wire]{}
	c.traces = tape[Trace]{}
	return c
}

// renderLibrary joins the blocks of the library.
func renderLibrary(copies []*libraryCopy, count func(string) int) segment {
	if len(copies) == 0 {
		return segment{}.renewed("", count)
	}
	texts, tokens := []string{libraryHeading}, count(libraryHeading)
	for _, h := range copies {
		texts, tokens = append(texts, h.block), tokens+h.tokens
	}
	text := strings.Join(texts, "\n\n")
	return segment{text, tokens, sha256.Sum256([]byte(text))}
}

// systemMessage joins the parts of the system message, separated by blank lines. It cuts it into a part for the
// instructions, one for each item of the library, one for the notes-to-self and one for the guide. Cache marks are
// at the ends of the instructions and the library.
func systemMessage(ep epoch) wire {
	texts := make([]string, 0, 4)
	parts := make([]Part, 0, len(ep.copies)+3)
	end := 0
	cut := func(size int, mark bool) {
		end += size
		parts = append(parts, Part{end, mark})
	}
	for i, seg := range [4]segment{ep.l1, ep.library, ep.notes, ep.guide} {
		if seg.text == "" {
			continue
		}
		if len(texts) > 0 {
			end += len("\n\n")
		}
		texts = append(texts, seg.text)
		if i != 1 {
			cut(len(seg.text), i == 0)
			continue
		}
		end += len(libraryHeading)
		for n, h := range ep.copies {
			cut(len("\n\n")+len(h.block), n == len(ep.copies)-1)
		}
	}
	return wire{
		Message: Message{Role: System, Content: strings.Join(texts, "\n\n"), Parts: parts},
		tokens:  ep.l1.tokens + ep.library.tokens + ep.notes.tokens + ep.guide.tokens,
	}
}
