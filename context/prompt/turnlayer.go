package prompt

import "strings"

const (
	smallNote = 2 << 10 // bytes up to which a changed item is sent again in full
	maxDiffs  = 3       // diffs to a copy after which it is sent again in full

	imageTokens = 1000 // estimate for an image, since each provider has its own rule
)

// turnLayer builds L3, the text between the history and the question.
type turnLayer struct {
	in       *incomingTurn
	next     *Conversation
	parts    []string
	tokens   int
	tools    int // tokens of the results of tools, which are the first part
	segments []Segment
	images   []Image
	attached []Attachment
	notSent  []NotSent
	edited   []string // ids of items of which it says that their text is another one

	ids           []string // lines of the id list
	outsideSystem bool     // an item of the list is outside of the system message
	reminder      string   // names the active note if it is only in the list
	updates       []Segment
	full          []Segment
	notices       []Segment
}

// newTurnLayer formats L3, and advances the entries in next.
func newTurnLayer(in *incomingTurn, next *Conversation) *turnLayer {
	l := &turnLayer{in: in, next: next}
	for _, it := range in.attached {
		l.attach(it)
	}
	for i, e := range next.known {
		if !in.attaches(e.ID) {
			if d := in.decide(e); d.verdict != sayNothing || d.was != "" {
				next.known[i] = e.advance(d, next.turns, l.writeDecision(e, d))
			}
		}
	}
	l.join()
	return l
}

// attach adds one attached item to the layer.
func (l *turnLayer) attach(it Item) {
	at := Attachment{Ref: it.Ref, Title: it.Title, Active: it.ID == l.in.t.Active, Image: it.HasImages}
	if l.in.c.muted[it.ID] {
		at.State = "muted"
		l.attached = append(l.attached, at)
		l.notSent = append(l.notSent, NotSent{ID: it.ID, Reason: "muted"})
		return
	}
	i := l.next.indexOf(it.ID)
	if note := l.in.containingNote(l.next, it); i < 0 && note != nil {
		at.State = "known"
		l.attached = append(l.attached, at)
		l.reference(&entry{Ref: it.Ref, promptName: it.ID, shown: note.shown, copy: note.copy},
			decision{attached: true})
		return
	}
	if i < 0 {
		i = len(l.next.known)
		l.next.known = append(l.next.known,
			&entry{Ref: it.Ref, firstID: it.ID, promptName: it.ID, absent: true, since: l.next.turns})
	}
	e := l.next.known[i]
	d := l.in.decide(e)
	at.State, at.Tokens = d.state(), l.writeDecision(e, d)
	text := at.Tokens
	if d.images {
		l.images = append(l.images, it.Images...)
		l.tokens += imageTokens * len(it.Images)
		at.Tokens += imageTokens * len(it.Images)
	}
	if e.Kind == Picture {
		text = at.Tokens
	}
	l.next.known[i] = e.advance(d, l.next.turns, text)
	l.attached = append(l.attached, at)
}

// state returns the state of an attached item for the person.
func (d *decision) state() string {
	switch d.verdict {
	case sendNew:
		return "new"
	case sendDiff, sendFull, sendStub:
		return "updated"
	}
	return "known"
}

// writeDecision writes the text for a decision. It returns the size of the item's text in it.
func (l *turnLayer) writeDecision(e *entry, d decision) int {
	name, noun, text, why := oneLine(e.ID), "note", "text", "embeds images"
	if e.Kind == Picture {
		noun, text, why = "image", "image", "is an image"
	}
	switch {
	case d.verdict == sendNew:
	case d.attached:
		l.reference(e, d)
	case d.was != "":
		l.note(e.ID, "The "+noun+" "+oneLine(d.was)+" is now "+name+".")
	}
	switch d.verdict {
	case sendNew:
		return l.text(&l.full, e.ID, "full", block(d.item, d.active))
	case sendFull:
		return l.text(&l.updates, e.ID, "update", fullUpdate(d.item, d.active))
	case sendStub:
		return l.text(&l.updates, e.ID, "update", stubUpdate(d.item, d.active))
	case sendDiff:
		return l.text(&l.updates, e.ID, "diff", diffUpdate(d.item, d.diff))
	case sayChanged:
		l.note(e.ID, "The "+noun+" "+name+" changed on disk, the "+text+" above is outdated.")
	case sayDeleted:
		l.note(e.ID, "The "+noun+" "+name+" was deleted, the "+text+" above is the last that was sent.")
	case sayRestored:
		l.note(e.ID, "The "+noun+" "+name+" is again as it is shown above.")
	case saySwapped:
		l.edited = append(l.edited, e.ID)
		place := "the Context Library has"
		if e.copy == nil {
			place = "the messages above have"
		}
		l.note(e.ID, name+" was edited since your last reply; "+place+" the new text.")
	case sayLeft:
		reason := "no longer in the prompt (it " + why + "): attach it again if you need it"
		l.note(e.ID, name+" is "+reason+".")
		l.notSent = append(l.notSent, NotSent{ID: e.ID, Reason: reason, Left: true})
	}
	return 0
}

// reference adds the id line of a known item.
func (l *turnLayer) reference(e *entry, d decision) {
	line := oneLine(e.ID)
	if d.was != "" {
		line += " (was " + oneLine(d.was) + ")"
	}
	l.ids = append(l.ids, line)
	l.outsideSystem = l.outsideSystem || !e.inSystem()
	if d.active && !d.sendsText() {
		l.reminder = "Active note: " + oneLine(e.ID)
	}
}

// text adds the text of an item to a part of the layer.
func (l *turnLayer) text(to *[]Segment, id, kind, text string) int {
	s := l.segment(id, kind, text)
	*to = append(*to, s)
	return s.Tokens
}

func (l *turnLayer) segment(id, kind, text string) Segment {
	return Segment{ID: id, Kind: kind, Text: text, Tokens: l.in.count(text)}
}

func (l *turnLayer) note(id, line string) { l.text(&l.notices, id, "notice", line) }

// join puts the parts into their order: tool results, the id list, notices, updates, new items. Parts that refer to
// earlier text precede new text.
func (l *turnLayer) join() {
	l.results(l.in.t.Tools)
	l.date()
	if len(l.ids) > 0 {
		find := findInSystem
		if l.outsideSystem {
			find = findAbove
		}
		text := listHeading + "\n- " + strings.Join(l.ids, "\n- ") + "\n\n" + find
		if l.reminder != "" {
			text += "\n\n" + l.reminder
		}
		l.add(l.segment("references", "reference", text))
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
	if text := l.in.t.Directive; text != "" {
		l.add(l.segment("directive", "notice", text))
	}
	if len(l.parts) > 0 {
		l.tokens += l.in.count(ruler + queryLabel)
	}
	if l.tools > 0 && len(l.parts) == 1 {
		l.tools = l.tokens // without the results the layer would be empty
	}
}

// results adds the results of tools that ran before the request, in call order.
func (l *turnLayer) results(found []ToolResult) {
	if len(found) == 0 {
		return
	}
	tags, texts := toolTags(found, l.in.t.ToolNames), []string{toolHeading}
	for _, t := range found {
		s := l.segment(t.Name, "tool", toolSegment(t, tags))
		s.SHA256 = t.sum(tags)
		texts, l.segments = append(texts, s.Text), append(l.segments, s)
	}
	block := strings.Join(texts, "\n\n")
	l.parts, l.tools = append(l.parts, block), l.in.count(block)
	l.tokens += l.tools
}

// date adds the date, in the first message of an epoch and whenever it differs from the last one, even if a clock
// was set back. In the strict layout the date would be sent with each turn and never be cached.
func (l *turnLayer) date() {
	now := l.in.t.Now
	if now.IsZero() || l.in.t.Layout == Strict {
		return
	}
	if line := now.Format(todayFormat); line != l.next.epoch.date {
		l.next.epoch.date = line
		l.add(l.segment("date", "notice", line))
	}
}

// user returns the message made of these parts, which have so many tokens with their images.
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
