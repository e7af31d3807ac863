package prompt

import (
	"cmp"
	"crypto/sha256"
	"encoding"
	"io"
	"maps"
	"slices"
	"strings"
)

// Conversation is the state that the engine folds over turns: what the model
// knows, where it stands in the prompt, and the messages as they were sent.
//
// A Conversation is a value. Every method leaves it as it is and returns a new
// one, so going back to an earlier turn is using its earlier value: cancel,
// failure, regenerate, edit and branch need nothing else. Values share memory.
// Values that came from one another must not be used from several goroutines
// at once. The zero value is an empty conversation.
type Conversation struct {
	known []*entry // first-seen order; entries are never changed, only replaced
	epoch epoch
	sent  tape[wire] // user messages and replies of this epoch, byte for byte
	// all messages as they are sent raw: with what was attached in front or, if plain, as a person sees them
	past     tape[wire]
	twin     tape[wire]      // the same messages in the other form
	plain    bool            // past is as strict wants it
	notes    tape[string]    // every note-to-self, oldest first
	turns    int             // turns begun so far
	fold     fold            // what of the past was folded away
	summary  summary         // for the next fold; of turns 0 if none was asked for since the last one
	before   sentBefore      // for the prediction
	reopened bool            // the next turn rebuilds everything
	cause    Cause           // an explicit act that forces the next turn to rebuild
	muted    map[string]bool // ids that are not referred to; never changed, only replaced
	included []Ref           // what Include made known and nobody has forgotten since
}

// wire is a message with what is asked of it again and again.
type wire struct {
	Message
	tokens int
	turn   int    // 1-based turn that it belongs to
	digest []byte // running digest of the history up to here
	total  int    // tokens of the history up to here
}

// epoch is the part of the prompt that does not change until the next one.
type epoch struct {
	n       int
	turn    int // the turn that began it
	first   int // index into past of the first message that is sent as it was
	cause   Cause
	set     Settings
	system  wire
	l1      segment
	library segment
	notes   segment // the section of folded notes
	guide   segment
	copies  []*libraryCopy // of the library, in order
	folded  int            // notes in the section
	date    string         // what was said of it last
	size    int            // tokens of the whole request when a budget began it, else 0
}

// segment is a part of the system message with its hash and size.
type segment struct {
	text   string
	tokens int
	sum    [sha256.Size]byte
	digest []byte // libraries: the hash before it was closed, to go on from
}

func newSegment(text string, count func(string) int) segment {
	return segment{text: text, tokens: count(text), sum: sha256.Sum256([]byte(text))}
}

// fold is what replaced the oldest turns.
type fold struct {
	turns    int     // turns folded away
	messages int     // index into past of the first message that is sent as it was
	notes    int     // notes-to-self that went with them
	summary  summary // of them, or of the first of them
	stand    []wire  // the messages in front of that one, in place of the others
}

// summary is what a model wrote about the first turns.
type summary struct {
	turns int
	text  string // "" if it could not be had
}

// Past is a message of a conversation that is reopened, as a person saw it.
type Past struct {
	Role    Role // User or Assistant
	Text    string
	Context string // of a user message: the line that says what was attached to it
}

// RecalledItem is an item that a reopened conversation knows.
type RecalledItem struct {
	Item  Item // current content
	Since int  // 1-based turn in which it was attached first
	Used  int  // turn in which it was attached last
	Times int  // turns in which it was attached
	Muted bool

	Changed bool // it is not what the model was shown last
}

// Reopen rebuilds a conversation from a saved chat: the messages as they were
// shown, the items in first-seen order with their current content, and the
// notes-to-self, oldest first. The first turn after it builds everything anew.
// A nil count counts a token per four bytes.
func Reopen(past []Past, items []RecalledItem, notes []string, count func(string) int) Conversation {
	if count == nil {
		count = quarter
	}
	c := Conversation{reopened: true}
	for _, m := range past {
		if m.Role == User {
			c.turns++
		}
		c = c.remember(m, c.turns, count)
	}
	for _, r := range items {
		c = c.Mute(r.Item.ID, r.Muted || c.muted[r.Item.ID])
		if i := c.find(r.Item.Path); c.find(r.Item.ID) >= 0 || i >= 0 && c.known[i].Kind == Note && r.Item.part(r.Item.Path) {
			continue // it is known, or a part of a note that is
		}
		c.known = append(c.known,
			&entry{
				Ref: r.Item.Ref, shown: r.Item, first: r.Item.ID, called: r.Item.ID, swapped: r.Changed,
				since: r.Since, used: r.Used, times: r.Times,
			})
	}
	for _, n := range notes {
		c.notes = c.notes.push(n)
	}
	return c
}

// remember adds a message to the history, in both forms. An empty message leaves
// no trace.
func (c Conversation) remember(m Past, turn int, count func(string) int) Conversation {
	if m.Text == "" {
		return c
	}
	was := c.forLayout(Strict)
	plain, cited := was.past, was.twin
	same := plain == cited // nothing was attached so far
	w := wire{Message: Message{Role: m.Role, Content: m.Text}, tokens: count(m.Text), turn: turn}
	plain = pushChained(plain, w, wire{})
	if m.Context == "" && same {
		cited = plain
	} else {
		if m.Context != "" {
			w.Content = oneLine(m.Context) + "\n" + m.Text
			w.tokens = count(w.Content)
		}
		cited = pushChained(cited, w, wire{})
	}
	was.past, was.twin = plain, cited
	if c.plain {
		return was
	}
	return was.forLayout("")
}

// forLayout is c with the raw history in the form that a layout sends. Both forms
// have the same messages, so that an index into one is one into the other.
func (c Conversation) forLayout(l Layout) Conversation {
	if plain := l == Strict; plain != c.plain {
		c.past, c.twin, c.plain = c.twin, c.past, plain
	}
	return c
}

// replay adds a message to the wire messages of the epoch.
func (c Conversation) replay(w wire) Conversation {
	var before wire
	if c.epoch.first > 0 {
		before = c.past.all()[c.epoch.first-1]
	}
	c.sent = pushChained(c.sent, w, before)
	return c
}

// pushChained pushes w with its running digest and total; before is what stands
// in front of the first message.
func pushChained(t tape[wire], w, before wire) tape[wire] {
	if n := t.len(); n > 0 {
		before = t.all()[n-1]
	}
	return t.push(withDigest(w, before))
}

// withDigest is w with the digest and the total of what ends with it.
func withDigest(w, before wire) wire {
	d := sha256.New()
	if before.digest != nil {
		// The digest was marshalled from this very kind of hash: it cannot be refused.
		_ = d.(encoding.BinaryUnmarshaler).UnmarshalBinary(before.digest)
	}
	_, _ = d.Write([]byte("\n" + string(w.Role) + "\n"))
	_, _ = io.WriteString(d, w.Content)
	if extra := w.extra(); extra != "" {
		_, _ = io.WriteString(d, extra)
	}
	w.digest, _ = d.(encoding.BinaryMarshaler).MarshalBinary()
	w.total = before.total + w.tokens
	return w
}

// sum is the hash of the history up to here.
func (w *wire) sum() [sha256.Size]byte {
	d := sha256.New()
	_ = d.(encoding.BinaryUnmarshaler).UnmarshalBinary(w.digest) // as above
	return [sha256.Size]byte(d.Sum(nil))
}

// Turns is the number of turns so far.
func (c Conversation) Turns() int { return c.turns }

// Known lists what the model knows, in first-seen order: the content that it
// was shown last. Before a turn, each of these must be looked at again.
func (c Conversation) Known() []Item {
	items := make([]Item, len(c.known))
	for i, e := range c.known {
		items[i] = e.shown
		items[i].Ref = e.Ref
	}
	return items
}

// Shown is what the model was shown last of the item with this id, and the turn that
// attached it last; false if the prompt has nothing of it.
func (c Conversation) Shown(id string) (it Item, turn int, ok bool) {
	i := c.find(id)
	if i < 0 || c.known[i].absent {
		return Item{}, 0, false
	}
	return c.known[i].shown, c.known[i].used, true
}

// Copy is what the library holds of the item with this id, and the turn that made the
// library; false if it holds nothing of it.
func (c Conversation) Copy(id string) (it Item, turn int, ok bool) {
	i := c.find(id)
	if i < 0 || c.known[i].copy == nil {
		return Item{}, 0, false
	}
	return c.known[i].copy.item, c.epoch.turn, true
}

// Notes lists every note-to-self, oldest first.
func (c Conversation) Notes() []string { return slices.Clone(c.notes.all()) }

// Next is what the conversation knows with this request, of which it has neither the
// question nor the reply.
func (e Envelope) Next() Conversation { return e.next }

// Commit ends a turn whose reply came in whole: its question, with what was
// attached, and the reply become part of the conversation, byte for byte. What
// tools found, before the request and in its loop, does not: activity, one line
// that says what was looked up, stays instead, as the end of a reply that has no
// note-to-self. Nothing else makes what the turn attached known, so a turn that
// failed or was cancelled leaves no trace.
func (e Envelope) Commit(reply, activity string) Conversation {
	c := e.next
	visible, note, _ := SplitNote(reply)
	if activity = activityNote(activity); note == "" && activity != "" {
		note = activity
		reply = strings.TrimPrefix(strings.TrimRight(visible, " \t\n")+"\n\n"+noteOpening+" "+note+"]", "\n\n")
	}
	if e.kept.message != nil {
		c = c.replay(*e.kept.message)
	} else {
		c = c.replay(e.request.user[0])
	}
	if reply != "" {
		c = c.replay(wire{
			Message: Message{Role: Assistant, Content: reply},
			tokens:  countGrown(visible, reply, e.count), turn: c.turns,
		})
	}
	c = c.remember(Past{Role: User, Text: e.question, Context: e.kept.context}, c.turns, e.count)
	c = c.remember(Past{Role: Assistant, Text: visible}, c.turns, e.count)
	if note != "" {
		c.notes = c.notes.push(note)
	}
	c.before = sentBefore{e.request, reply, e.cache.places}
	return c
}

// longText is how many bytes a text has that takes a millisecond or more to count.
const longText = 4 << 10

// countGrown counts the tokens of text. Where it is a long one that was counted and has
// more behind it, a note or the end of a line, only that is counted: the sum is two
// tokens off at most, since the seam may lie inside one.
func countGrown(counted, text string, count func(string) int) int {
	if rest, ok := strings.CutPrefix(text, counted); ok && len(counted) >= longText && rest != "" {
		return count(counted) + count(rest)
	}
	return count(text)
}

// Aside adds an exchange that the model did not finish, as plain messages: what
// its turn attached stays unknown. A note-to-self counts only if it is complete.
// An exchange without a visible reply or a note is not added.
func (c Conversation) Aside(question, partial string, count func(string) int) Conversation {
	if count == nil {
		count = quarter
	}
	var f NoteFilter
	visible := f.Write(partial)
	note := f.last
	if len(f.rest) > 0 { // the end of it is the beginning of a note
		partial = visible
		if note != "" {
			partial += "\n\n" + noteOpening + " " + note + "]"
		}
	}
	if strings.TrimSpace(partial) == "" {
		return c
	}
	c.turns++
	c = c.remember(Past{Role: User, Text: question}, c.turns, count)
	c = c.remember(Past{Role: Assistant, Text: visible}, c.turns, count)
	if note != "" {
		c.notes = c.notes.push(note)
	}
	if question != "" {
		c = c.replay(wire{Message: Message{Role: User, Content: question}, tokens: count(question), turn: c.turns})
	}
	return c.replay(wire{Message: Message{Role: Assistant, Content: partial}, tokens: count(partial), turn: c.turns})
}

// Include makes items known that no turn attaches, such as the notes of a project:
// they stand in the library from the next turn on, in front of everything else if
// the conversation begins with that turn, else behind it. That turn begins an
// epoch. What is known already stays where it is.
func (c Conversation) Include(items []Item) Conversation {
	var added []*entry
	for _, it := range items {
		if slices.Contains(c.included, it.Ref) {
			continue
		}
		c.included = append(slices.Clip(c.included), it.Ref)
		if c.find(it.ID) < 0 {
			added = append(added,
				&entry{
					Ref: it.Ref, shown: it, first: it.ID, called: it.ID, absent: true,
					told: itemNotice{left: true}, since: c.turns + 1,
				})
		}
	}
	switch {
	case len(added) == 0:
		return c
	case c.turns == 0:
		c.known = append(added, c.known...)
	default:
		c.known = append(slices.Clip(c.known), added...)
		c.cause = cmp.Or(c.cause, CauseL1)
	}
	return c
}

// Excludes lists which of refs Include was never given, or forgot.
func (c Conversation) Excludes(refs []Ref) []Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool { return slices.Contains(c.included, r) })
}

// Forget removes an item from everything that will be sent. It costs one epoch.
// An id that is not known changes nothing.
func (c Conversation) Forget(id string) Conversation {
	i := c.find(id)
	if i < 0 {
		return c
	}
	c.included = slices.DeleteFunc(slices.Clone(c.included), func(r Ref) bool { return r == c.known[i].Ref })
	c.known = slices.Delete(slices.Clone(c.known), i, i+1)
	c.cause = CauseForget
	return c.Mute(id, false)
}

// Relabel is a conversation from which something was forgotten, with other context
// lines in its history: edit gives the new line for the one that was there. It
// changes nothing where the next turn begins no epoch.
func (c Conversation) Relabel(edit func(line string) string, count func(string) int) Conversation {
	if c.cause == "" || c.past == c.twin {
		return c
	}
	next, cited := c, c.forLayout("").past.all()
	next.past, next.twin = tape[wire]{}, tape[wire]{}
	for i, w := range c.forLayout(Strict).past.all() {
		m := Past{Role: w.Role, Text: w.Content}
		if line, ok := strings.CutSuffix(cited[i].Content, "\n"+w.Content); ok {
			m.Context = edit(line)
		}
		next = next.remember(m, w.turn, count)
	}
	return next
}

// Mute keeps the bytes of an item where they are, so that the cache holds, but
// stops referring to it: attaching it sends nothing. That its text is outdated
// is said all the same, since the model still has it. An item that is not known
// can be muted too. Mute(id, false) undoes it.
func (c Conversation) Mute(id string, muted bool) Conversation {
	if c.muted[id] == muted {
		return c
	}
	all := maps.Clone(c.muted)
	if all == nil {
		all = map[string]bool{}
	}
	if all[id] = true; !muted {
		delete(all, id)
	}
	c.muted = all
	return c
}

// Refresh makes the next turn rebuild the library from current content.
func (c Conversation) Refresh() Conversation {
	c.cause = CauseRefresh
	return c
}
