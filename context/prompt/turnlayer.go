package prompt

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	smallNote  = 6 << 10 // bytes up to which a changed item is sent again in full
	diffsStack = 3       // diffs on top of a copy after which it is sent again in full

	imageTokens = 1000 // what an image weighs, for want of the provider's own rule
)

// turnLayer is L3: what stands between the history and the question.
type turnLayer struct {
	in       *incoming
	next     *Conversation
	parts    []string
	tokens   int
	tools    int // tokens of what tools found; it is the first part
	segments []Segment
	images   []Image
	attached []Attachment
	notSent  []NotSent

	ids       []string // lines of the id list
	elsewhere bool     // an item of the list stands outside the system message
	reminder  string   // names the active note when it is only in the list
	updates   []Segment
	full      []Segment
	notices   []Segment
}

// newTurnLayer renders L3 and moves the knowledge in next on accordingly.
func newTurnLayer(in *incoming, next *Conversation) *turnLayer {
	l := &turnLayer{in: in, next: next}
	for _, it := range in.attached {
		l.attach(it)
	}
	for i, e := range next.known {
		if !in.attaches(e.ID) {
			l.notice(i)
		}
	}
	l.join()
	return l
}

// own makes entry i of the next state safe to change.
func (l *turnLayer) own(i int) *entry {
	e := *l.next.known[i]
	l.next.known[i] = &e
	return &e
}

func (l *turnLayer) attach(it Item) {
	active := it.ID == l.in.t.Active
	at := Attachment{Ref: it.Ref, Title: it.Title, Active: active, Image: it.HasImages}
	if l.in.c.muted[it.ID] {
		at.State = "muted"
		l.attached = append(l.attached, at)
		l.notSent = append(l.notSent, NotSent{ID: it.ID, Reason: "muted"})
		return
	}
	var e *entry
	i := l.next.find(it.ID)
	if i < 0 {
		e = &entry{Ref: it.Ref, called: it.ID, since: l.next.turns}
		l.next.known = append(l.next.known, e)
		at.State = "new"
		at.Tokens = l.inFull(&l.full, e, it, block(it, active), "full")
	} else {
		e = l.own(i)
		at.State = "known"
		l.reference(e)
		if e.shown.Revision != it.Revision || e.stub {
			at.State = "updated"
			at.Tokens = l.update(e, it, active)
		} else if e.noticed != (Revision{}) || e.gone {
			l.note(it.ID, "The note "+oneLine(it.ID)+" is again as it is shown above.")
		}
		if active && !l.inFullNow(it.ID) {
			l.reminder = "Active note: " + oneLine(it.ID)
		}
	}
	e.noticed, e.gone = Revision{}, false
	e.used = l.next.turns
	e.times++
	if active && l.in.t.Vision && len(it.Images) > 0 && !e.images {
		l.images = append(l.images, it.Images...)
		l.tokens += imageTokens * len(it.Images)
		at.Tokens += imageTokens * len(it.Images)
		e.images = true
	}
	l.attached = append(l.attached, at)
}

// reference adds the id line of a known item.
func (l *turnLayer) reference(e *entry) {
	line := oneLine(e.ID)
	if e.called != e.ID {
		line += " (was " + oneLine(e.called) + ")"
		e.called = e.ID
	}
	l.ids = append(l.ids, line)
	l.elsewhere = l.elsewhere || !e.inLibrary || e.shown.Revision != e.copied.Revision
}

// inFull adds an item's whole text to the given part of the layer.
func (l *turnLayer) inFull(to *[]Segment, e *entry, it Item, text, kind string) int {
	n := l.in.count(text)
	*to = append(*to, Segment{ID: it.ID, Kind: kind, Text: text, Tokens: n})
	e.diffs, e.images = 0, false
	e.shown = it
	if !e.inLibrary || e.stub {
		e.tokens, e.block, e.copied, e.stub = n, "", Item{}, false
		if kind == "full" && strings.HasPrefix(text, "<note_context>") {
			e.block, e.copied = text, it // the very bytes that the library will hold
		}
	}
	return n
}

// inFullNow reports whether the layer holds an item's whole text.
func (l *turnLayer) inFullNow(id string) bool {
	is := func(s Segment) bool { return s.ID == id && s.Kind != "diff" }
	return slices.ContainsFunc(l.full, is) || slices.ContainsFunc(l.updates, is)
}

// update tells the model what a known item has become.
func (l *turnLayer) update(e *entry, it Item, active bool) int {
	if e.stub {
		return l.inFull(&l.updates, e, it, recovered(it, active), "update")
	}
	diff, full := change(e.shown, it, e.diffs)
	if full {
		return l.inFull(&l.updates, e, it, fullUpdate(it, active), "update")
	}
	text := diffUpdate(it, diff)
	n := l.in.count(text)
	l.updates = append(l.updates, Segment{ID: it.ID, Kind: "diff", Text: text, Tokens: n})
	e.diffs++
	e.images = false
	e.shown = it
	return n
}

// change is the cheaper way to bring a copy up to date: a unified diff, or the
// whole text (full) if that is short, was partial, has a stack of diffs on it
// already, or would not be much longer than the diff.
func change(from, to Item, diffs int) (diff string, full bool) {
	if len(to.Content) <= smallNote || diffs >= diffsStack || from.Partial || to.Partial {
		return "", true
	}
	diff = udiff.Unified("a", "b", from.Content+"\n", to.Content+"\n")
	diff = strings.TrimPrefix(diff, "--- a\n+++ b\n") // the path stands in its own tag
	diff = strings.TrimSuffix(diff, "\n")
	return diff, 2*len(diff) > len(to.Content)
}

// notice adds a line about a known item that is not attached, when there is
// something that the model was not told yet.
func (l *turnLayer) notice(i int) {
	e := l.next.known[i]
	if e.called != e.ID {
		l.note(e.ID, "The note "+oneLine(e.called)+" is now "+oneLine(e.ID)+".")
		e = l.own(i)
		e.called = e.ID
	}
	now, changed := l.in.current[e.ID]
	changed = changed && now.Revision != e.shown.Revision
	name := oneLine(e.ID)
	switch {
	case l.in.gone[e.ID]:
		if !e.gone {
			l.note(e.ID, "The note "+name+" was deleted, the text above is the last that was sent.")
			e = l.own(i)
			e.noticed, e.gone = Revision{}, true
		}
	case changed && e.noticed != now.Revision:
		l.note(e.ID, "The note "+name+" changed on disk, the text above is outdated.")
		e = l.own(i)
		e.noticed, e.gone = now.Revision, false
	case !changed && (e.noticed != (Revision{}) || e.gone):
		l.note(e.ID, "The note "+name+" is again as it is shown above.")
		e = l.own(i)
		e.noticed, e.gone = Revision{}, false
	}
}

func (l *turnLayer) note(id, line string) {
	l.notices = append(l.notices, Segment{ID: id, Kind: "notice", Text: line, Tokens: l.in.count(line)})
}

// join puts the parts into their order: tool results, the id list, notices,
// updates, new items. What speaks of the text above stands before new text.
func (l *turnLayer) join() {
	if text := toolBlock(l.in.t.Tools, l.in.t.ToolNames); text != "" {
		l.parts = append(l.parts, text)
		l.tools = l.in.count(text)
		l.tokens += l.tools
		tags := toolTags(l.in.t.Tools, l.in.t.ToolNames)
		for _, t := range l.in.t.Tools {
			seg := toolSegment(t, tags)
			l.segments = append(l.segments, Segment{ID: t.Name, Kind: "tool", Text: seg, Tokens: l.in.count(seg)})
		}
	}
	if len(l.ids) > 0 {
		find := findInSystem
		if l.elsewhere {
			find = findAbove
		}
		text := listHeading + "\n- " + strings.Join(l.ids, "\n- ") + "\n\n" + find
		if l.reminder != "" {
			text += "\n\n" + l.reminder
		}
		l.add(Segment{ID: "references", Kind: "reference", Text: text, Tokens: l.in.count(text)})
	}
	if len(l.notices) > 0 {
		lines := make([]string, len(l.notices))
		for i, s := range l.notices {
			lines[i] = s.Text
			l.tokens += s.Tokens
		}
		l.parts = append(l.parts, strings.Join(lines, "\n"))
		l.segments = append(l.segments, l.notices...)
	}
	for _, part := range [][]Segment{l.updates, l.full} {
		for _, s := range part {
			l.add(s)
		}
	}
	if len(l.parts) > 0 {
		l.tokens += l.in.count(ruler + queryLabel)
	}
	if l.tools > 0 && len(l.parts) == 1 {
		l.tools = l.tokens // nothing is left of the layer without it
	}
}

// user is the message made of these parts, which weigh so much with their images.
func (l *turnLayer) user(parts []string, tokens int) wire {
	text := l.in.t.Text
	return wire{
		Message: Message{Role: User, Content: userMessage(parts, text), Images: l.images},
		turn:    l.next.turns, tokens: tokens + l.in.count(text),
	}
}

func (l *turnLayer) add(s Segment) {
	l.parts = append(l.parts, s.Text)
	l.segments = append(l.segments, s)
	l.tokens += s.Tokens
}
