package prompt

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// This file is what the engine knows of one item, and what becomes of that. A
// turn decides what happens to each entry (decide), the layer of the turn says
// it (turnLayer.say), and the entry moves on (advance):
//
//	entry                     event in this turn              verdict      said                             next
//	absent                    attached                        sendNew      the text                         shown = now, no longer absent
//	absent, not told left     not attached, not muted         sayLeft      "no longer in the prompt"        told = left
//	absent, told left         not attached                    quiet        nothing                          as it was
//	shown = now               attached                        quiet        id line                          as it was
//	shown = now, told         attached                        sayRestored  id line, "again as it is shown"  told = nothing
//	shown = now, told         not attached                    sayRestored  "again as it is shown"           told = nothing
//	shown ≠ now               attached: short or many diffs   sendFull     id line, the text                shown = now, no diffs
//	shown ≠ now               attached: any other             sendDiff     id line, a diff                  shown = now, one diff more
//	stub                      attached                        sendStub     id line, the text                shown = now, no stub
//	shown ≠ now, not told     not attached                    sayChanged   "changed on disk"                told = now
//	not told of               not attached, deleted           sayDeleted   "was deleted"                    told = deleted
//	any other                 not attached                    quiet        nothing                          as it was
//	swapped                   any                             saySwapped   "was edited since your last reply"  no longer swapped
//	called by an old name     any, with what is said of it                 "(was …)" at the id or "is now"  called = ID
//
// When an epoch begins, the library is made first (renew), and what is told,
// diffs and images are forgotten with the messages that they stood in:
//
//	entry            event                             the library gets          next
//	any              rebuilding                        the content as it is now  shown = copy = now
//	in the messages  promoting                         the content as it is now  shown = copy = now
//	in the library   promoting, a diff would be small  the copy that it has      shown = copy, decided as above
//	in the library   promoting, any other              the content as it is now  shown = copy = now
//	shown ≠ now      rebuilding, or promoting it       the content as it is now  as above, and swapped
//	any              making room                       the outline               stub, until it is attached
//	in the messages  a picture                         nothing                   absent
//	in the messages  embeds images, in strict          nothing                   absent
//	absent           was deleted                       nothing                   absent

// entry is what the engine knows about one item. Entries are never changed,
// only replaced.
type entry struct {
	Ref
	shown   Item         // the content that the model was shown last
	copy    *libraryCopy // in the library, nil if the item stands in a message of this epoch
	first   string       // the id by which it became known: a project goes on naming it so
	called  string       // the id by which the prompt speaks of it; another than ID if it moved and nothing said so
	told    itemNotice   // what a one-line notice said of it
	diffs   int          // diffs shown since the last full copy
	stub    bool         // the model has the outline only
	absent  bool         // the prompt has nothing of it: it is new, or it embeds images and the layout is strict
	swapped bool         // the library has another text than the model answered from, and nothing said so
	images  bool         // its images travelled in this epoch
	tokens  int          // of the copy that the prompt holds

	since int // turn in which it was attached first
	used  int // turn in which it was attached last
	times int // turns in which it was attached
}

// libraryCopy is an item's copy in the library. It is never changed.
type libraryCopy struct {
	item    Item // it may be older than what was shown last
	outline bool // only the outline of it
	block   string
	tokens  int
}

// itemNotice is what was said of an item without sending its text; the zero value is nothing.
type itemNotice struct {
	outdated Revision // the revision that it has become
	deleted  bool
	left     bool // its text is no longer in the prompt
}

// verdict is what is said of an entry in a turn.
type verdict int

const (
	quiet verdict = iota // nothing, or the id alone
	sendNew
	sendDiff
	sendFull
	sendStub // it was a stub
	sayChanged
	sayDeleted
	sayRestored
	sayLeft
	saySwapped
)

// sendsText reports whether the item's whole text goes with the turn.
func (v verdict) sendsText() bool { return v == sendNew || v == sendFull || v == sendStub }

// decision is what happens to an entry in a turn.
type decision struct {
	verdict
	item     Item   // as it is now
	diff     string // sendDiff: from what was shown last
	was      string // the name by which the prompt speaks of it, "" if that is its id
	attached bool
	active   bool // it is the active note
	images   bool // its images travel with this turn
}

// decide tells what happens to an entry.
func (in *incomingTurn) decide(e *entry) decision {
	d := decision{item: e.shown, attached: in.attaches(e.ID) || in.follows(e)}
	if e.called != e.ID && !e.absent {
		d.was = e.called
	}
	now, ok := in.current[e.ID]
	if ok {
		d.item = now
	}
	changed := ok && now.Revision != e.shown.Revision
	switch {
	case d.attached && e.absent:
		d.verdict = sendNew
	case e.absent:
		if !e.told.left && !in.c.muted[e.ID] {
			d.verdict = sayLeft
		}
	case d.attached && e.stub:
		d.verdict = sendStub
	case d.attached && changed:
		full := false
		d.verdict = sendDiff
		if d.diff, full = change(e.shown, now, e.diffs); full {
			d.verdict = sendFull
		}
	case in.gone[e.ID]:
		if !e.told.deleted {
			d.verdict = sayDeleted
		}
	case changed:
		if e.told.outdated != now.Revision {
			d.verdict = sayChanged
		}
	case e.swapped:
		d.verdict = saySwapped
	case e.told != itemNotice{}:
		d.verdict = sayRestored
	}
	switch {
	case e.Kind == Picture:
		d.images = d.sendsText()
	case d.attached && e.ID == in.t.Active:
		d.active = true
		again := e.images && !d.sendsText() && d.verdict != sendDiff
		d.images = in.t.Vision && len(d.item.Images) > 0 && !again
	}
	return d
}

// advance is the entry after a decision of this turn; text is the size of the
// whole text if that was sent.
func (e entry) advance(d decision, turn, text int) *entry {
	e.called = e.ID
	if d.attached {
		e.used = turn
		e.times++
	}
	if d.attached || d.verdict != quiet {
		e.told, e.swapped = itemNotice{}, false
	}
	switch d.verdict {
	case sendNew, sendFull, sendStub:
		if e.copy == nil || e.stub {
			e.tokens = text
		}
		e.shown, e.diffs, e.stub, e.absent, e.images = d.item, 0, false, false, false
	case sendDiff:
		e.shown, e.images = d.item, false
		e.diffs++
	case sayChanged:
		e.told.outdated = d.item.Revision
	case sayDeleted:
		e.told.deleted = true
	case sayLeft:
		e.told.left = true
	}
	e.images = e.images || d.images
	return &e
}

// inSystem reports whether what the model was shown last stands in the library.
func (e *entry) inSystem() bool {
	return e.copy != nil && e.copy.outline == e.stub && e.copy.item.Revision == e.shown.Revision
}

// whole is the entry of the note that it is a heading or a block of, if the model
// has all of that note as it is now; else nil.
func (in *incomingTurn) whole(c *Conversation, it Item) *entry {
	i := c.find(it.Path)
	if i < 0 || !it.part(it.Path) || in.c.muted[it.Path] || in.gone[it.Path] {
		return nil
	}
	e := c.known[i]
	if now, ok := in.current[e.ID]; e.Kind != Note || e.absent || e.stub || ok && now.Revision != e.shown.Revision {
		return nil
	}
	return e
}

// change is the cheaper way to bring a copy up to date: a unified diff, or the
// whole text (full) if that is short, has a stack of diffs on it already, embeds
// other text than before, or would not be much longer than the diff.
func change(from, to Item, diffs int) (diff string, full bool) {
	if len(to.Content) <= smallNote || diffs >= diffsStack || !slices.Equal(from.Embedded, to.Embedded) {
		return "", true
	}
	diff = from.Diff(to)
	return diff, 2*len(diff) > len(to.Content)
}

// Diff is the unified diff from the text of an item to another text of it, without
// the lines that name files; "" if they are the same.
func (it Item) Diff(to Item) string {
	diff := udiff.Unified("a", "b", it.Content+"\n", to.Content+"\n")
	return strings.TrimSuffix(strings.TrimPrefix(diff, "--- a\n+++ b\n"), "\n")
}

// renew is an entry in a new epoch. Rebuilding takes everything at its current
// content. Promoting takes only what stands in the messages, and what would be
// sent again in full anyway.
func (in *incomingTurn) renew(e entry, cause Cause, stubs map[string]bool) *entry {
	now, ok := in.current[e.ID]
	if !ok {
		now = e.shown
	}
	left := itemNotice{left: e.told.left}
	e.told, e.images, e.diffs = itemNotice{}, false, 0
	if in.staysOut(&e, now) {
		e.told, e.called, e.absent, e.swapped, e.tokens = left, e.ID, true, false, 0
		return &e
	}
	if cause == CausePromote && e.copy != nil && !in.refreshes(&e, now) {
		e.called = e.copy.item.ID
		it := e.copy.item
		it.Ref, it.Path, it.Title = e.shown.Ref, e.shown.Path, e.shown.Title
		e.swapped = it.Revision == now.Revision && e.shown.Revision != now.Revision
		e.shown = it
		return &e
	}
	e.stub = stubs[e.ID] || e.stub && !in.attaches(e.ID)
	if e.copy == nil || e.copy.outline != e.stub || !sameText(e.copy.item, now) {
		e.copy = hold(now, e.stub, in.count)
	}
	e.swapped = !e.stub && (e.swapped || !e.absent && e.shown.Revision != now.Revision)
	e.shown, e.called, e.absent, e.tokens = now, e.ID, false, e.copy.tokens
	return &e
}

// staysOut reports whether a new epoch's library does without an entry: a note
// that embeds images in the strict layout (S0-77), unless the library has it; a
// picture, which is in the messages of one epoch only; and what was deleted while
// the prompt did not have it.
func (in *incomingTurn) staysOut(e *entry, now Item) bool {
	return e.Kind == Picture || e.absent && in.gone[e.ID] || in.t.Layout == Strict && e.copy == nil && now.HasImages
}

// hold makes the library's copy of an item.
func hold(it Item, outline bool, count func(string) int) *libraryCopy {
	h := &libraryCopy{item: it, outline: outline}
	if outline {
		h.block = stub(it)
	} else {
		h.block = block(it, false)
	}
	h.tokens = count(h.block)
	return h
}

// refreshes reports whether promoting replaces the library's copy of e.
func (in *incomingTurn) refreshes(e *entry, now Item) bool {
	had := e.copy.item
	switch {
	case e.copy.outline && (!e.stub || in.attaches(e.ID)):
		return true // it holds less than the messages did, or than this turn needs
	case in.t.Layout == Strict && !sameText(had, now):
		return true
	case had.ID != e.ID && in.c.find(had.ID) >= 0:
		return true // it moved, and something else has its name now
	case now.Revision == had.Revision:
		return false
	case e.stub, in.gone[e.ID]:
		return true
	}
	_, full := change(had, now, 0)
	return full
}

func sameText(a, b Item) bool {
	return a.Revision == b.Revision && a.Path == b.Path && a.Title == b.Title && a.StartLine == b.StartLine &&
		a.EndLine == b.EndLine
}

// find is the index of the entry with this id, -1 if it is not known.
func (c Conversation) find(id string) int {
	return slices.IndexFunc(c.known, func(e *entry) bool { return e.ID == id })
}
