package prompt

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// This file tracks what the engine knows of each item. In every turn decide chooses a verdict for each entry,
// turnLayer.writeDecision writes the text for it, and advance returns the next entry:
//
//	entry                  event in this turn            verdict      text for the model       next entry
//	absent                 attached                      sendNew      the text                 shown = now, present
//	absent, no notice      not attached, not muted       sayLeft      "no longer in the …"     notice = left
//	absent, left notice    not attached                  sayNothing   nothing                  unchanged
//	shown = now            attached                      sayNothing   id line                  unchanged
//	shown = now, a notice  attached                      sayRestored  id line, "again as …"    no notice
//	shown = now, a notice  not attached                  sayRestored  "again as it is shown"   no notice
//	shown ≠ now            attached: short, many diffs   sendFull     id line, the text        shown = now, no diffs
//	shown ≠ now            attached: any other           sendDiff     id line, a diff          shown = now, 1 diff more
//	stub                   attached                      sendStub     id line, the text        shown = now, no stub
//	≠ now, no notice       not attached                  sayChanged   "changed on disk"        notice = now
//	no delete notice       not attached, deleted         sayDeleted   "was deleted"            notice = deleted
//	any other              not attached                  sayNothing   nothing                  unchanged
//	swapped                any                           saySwapped   "was edited since …"     not swapped
//	called by an old name  any, with its text                         "(was …)" or "is now"    promptName = ID
//
// When an epoch begins, renewEntry makes the library first; notices, diffs and images are reset, because the
// messages with them are gone:
//
//	entry            event                             the library gets       next entry
//	any              rebuilding                        the current content    shown = copy = now
//	in the messages  promoting                         the current content    shown = copy = now
//	in the library   promoting, a diff would be small  the existing copy      shown = copy, decided as above
//	in the library   promoting, any other              the current content    shown = copy = now
//	shown ≠ now      rebuilding, or promoting it       the current content    as above, and swapped
//	any              making room                       the outline            stub, until it is attached
//	in the messages  a picture                         nothing                absent
//	in the messages  embeds images, strict layout      nothing                absent
//	absent           was deleted                       nothing                absent

// entry is the record of one known item. Entries are replaced, never changed.
type entry struct {
	Ref
	shown      Item         // content that the model was shown last
	copy       *libraryCopy // in the library, nil if the item is in a message of this epoch
	firstID    string       // id when it became known, by which a project still names it
	promptName string       // id by which the prompt names it; not ID if it moved and no message said so yet
	lastNotice itemNotice   // last notice about it
	diffs      int          // diffs sent since the last full copy
	stub       bool         // the model has only the outline
	absent     bool         // the prompt does not contain it: it is new, or it embeds images and the layout is strict
	// the library has another text than the one that the model answered from, and no message said so
	swapped bool
	images  bool // its images were sent in this epoch
	tokens  int  // of the copy in the prompt

	since int // turn in which it was first attached
	used  int // turn in which it was last attached
	times int // number of turns in which it was attached
}

// libraryCopy is an item's copy in the library. It is never changed.
type libraryCopy struct {
	item    Item // may be older than what was shown last
	outline bool // it is only the outline
	block   string
	tokens  int
}

// itemNotice is a notice about an item without its text. The zero value is none.
type itemNotice struct {
	outdated   Revision // revision that the notice was about
	deleted    bool
	leftPrompt bool // its text is no longer in the prompt
}

// verdict is the form in which a turn mentions an entry.
type verdict int

const (
	sayNothing verdict = iota // nothing, or only the id
	sendNew
	sendDiff
	sendFull
	sendStub // for a stub
	sayChanged
	sayDeleted
	sayRestored
	sayLeft
	saySwapped
)

// sendsText reports whether the turn contains the item's whole text.
func (v verdict) sendsText() bool { return v == sendNew || v == sendFull || v == sendStub }

// decision is a verdict with its details.
type decision struct {
	verdict
	item     Item   // current content
	diff     string // for sendDiff: from the content shown last
	was      string // the name by which the prompt knows it, "" if that is its id
	attached bool
	active   bool // it is the active note
	images   bool // the turn contains its images
}

// decide returns the decision about an entry.
func (in *incomingTurn) decide(e *entry) decision {
	d := decision{item: e.shown, attached: in.attaches(e.ID) || in.follows(e)}
	if e.promptName != e.ID && !e.absent {
		d.was = e.promptName
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
		if !e.lastNotice.leftPrompt && !in.c.muted[e.ID] {
			d.verdict = sayLeft
		}
	case d.attached && e.stub:
		d.verdict = sendStub
	case d.attached && changed:
		full := false
		d.verdict = sendDiff
		if d.diff, full = updateText(e.shown, now, e.diffs); full {
			d.verdict = sendFull
		}
	case in.gone[e.ID]:
		if !e.lastNotice.deleted {
			d.verdict = sayDeleted
		}
	case changed:
		if e.lastNotice.outdated != now.Revision {
			d.verdict = sayChanged
		}
	case e.swapped:
		d.verdict = saySwapped
	case e.lastNotice != itemNotice{}:
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

// advance returns the entry after a decision of this turn. text is the size of the whole text if that was sent.
func (e entry) advance(d decision, turn, text int) *entry {
	e.promptName = e.ID
	if d.attached {
		e.used = turn
		e.times++
	}
	if d.attached || d.verdict != sayNothing {
		e.lastNotice, e.swapped = itemNotice{}, false
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
		e.lastNotice.outdated = d.item.Revision
	case sayDeleted:
		e.lastNotice.deleted = true
	case sayLeft:
		e.lastNotice.leftPrompt = true
	}
	e.images = e.images || d.images
	return &e
}

// inSystem reports whether the content that was shown last is in the library.
func (e *entry) inSystem() bool {
	return e.copy != nil && e.copy.outline == e.stub && e.copy.item.Revision == e.shown.Revision
}

// containingNote returns the entry of the note that contains it, a heading or a block, if the model has the current
// text of that note; else nil.
func (in *incomingTurn) containingNote(c *Conversation, it Item) *entry {
	i := c.indexOf(it.Path)
	if i < 0 || !it.part(it.Path) || in.c.muted[it.Path] || in.gone[it.Path] {
		return nil
	}
	e := c.known[i]
	if now, ok := in.current[e.ID]; e.Kind != Note || e.absent || e.stub || ok && now.Revision != e.shown.Revision {
		return nil
	}
	return e
}

// updateText returns the cheaper way to update a copy: a unified diff, or the whole text (full) if that is short, has
// several diffs already, embeds other text than before, or is not much longer than the diff.
func updateText(from, to Item, diffs int) (diff string, full bool) {
	if len(to.Content) <= smallNote || diffs >= maxDiffs || !slices.Equal(from.Embedded, to.Embedded) {
		return "", true
	}
	diff = from.Diff(to)
	return diff, 2*len(diff) > len(to.Content)
}

// Diff returns the unified diff from the item to another content of it, without the lines that name files; "" if
// they are the same.
func (it Item) Diff(to Item) string {
	diff := udiff.Unified("a", "b", it.Content+"\n", to.Content+"\n")
	return strings.TrimSuffix(strings.TrimPrefix(diff, "--- a\n+++ b\n"), "\n")
}

// renewEntry returns an entry for a new epoch. Rebuilding takes the current content of everything. Promoting takes it
// only for items in the messages, and for those that would be sent again in full anyway.
func (in *incomingTurn) renewEntry(e entry, cause Cause, stubs map[string]bool) *entry {
	now, ok := in.current[e.ID]
	if !ok {
		now = e.shown
	}
	left := itemNotice{leftPrompt: e.lastNotice.leftPrompt}
	e.lastNotice, e.images, e.diffs = itemNotice{}, false, 0
	if in.leftOutOfLibrary(&e, now) {
		e.lastNotice, e.promptName, e.absent, e.swapped, e.tokens = left, e.ID, true, false, 0
		return &e
	}
	if cause == CausePromote && e.copy != nil && !in.refreshes(&e, now) {
		e.promptName = e.copy.item.ID
		it := e.copy.item
		it.Ref, it.Path, it.Title = e.shown.Ref, e.shown.Path, e.shown.Title
		e.swapped = it.Revision == now.Revision && e.shown.Revision != now.Revision
		e.shown = it
		return &e
	}
	e.stub = stubs[e.ID] || e.stub && !in.attaches(e.ID)
	if e.copy == nil || e.copy.outline != e.stub || !sameText(e.copy.item, now) {
		e.copy = newLibraryCopy(now, e.stub, in.count)
	}
	e.swapped = !e.stub && (e.swapped || !e.absent && e.shown.Revision != now.Revision)
	e.shown, e.promptName, e.absent, e.tokens = now, e.ID, false, e.copy.tokens
	return &e
}

// leftOutOfLibrary reports whether a new epoch's library leaves out an entry: in the strict layout a note that embeds
// images (S0-77), unless the library has it; a picture, which is in the messages of one epoch only; and what was
// deleted while the prompt did not contain it.
func (in *incomingTurn) leftOutOfLibrary(e *entry, now Item) bool {
	inLibrary := e.copy != nil || in.arranged[e.ID]
	return e.Kind == Picture || e.absent && in.gone[e.ID] || in.t.Layout == Strict && !inLibrary && now.HasImages
}

// newLibraryCopy returns a copy of an item for the library.
func newLibraryCopy(it Item, outline bool, count func(string) int) *libraryCopy {
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
		return true // it has less than the messages did, or than this turn needs
	case in.t.Layout == Strict && !sameText(had, now):
		return true
	case had.ID != e.ID && in.c.indexOf(had.ID) >= 0:
		return true // the item moved, and another item has its name now
	case now.Revision == had.Revision:
		return false
	case e.stub, in.gone[e.ID]:
		return true
	}
	_, full := updateText(had, now, 0)
	return full
}

func sameText(a, b Item) bool {
	return a.Revision == b.Revision && a.Path == b.Path && a.Title == b.Title && a.StartLine == b.StartLine &&
		a.EndLine == b.EndLine
}

// indexOf returns the index of the entry with this id, -1 if there is none.
func (c Conversation) indexOf(id string) int {
	return slices.IndexFunc(c.known, func(e *entry) bool { return e.ID == id })
}
