package prompt

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
)

// Conversation is the state of the engine: what the model knows, where that is in the prompt, and the messages as
// they were sent.
//
// A Conversation is a value. Every method returns a new value and leaves the old one unchanged, so to go back to an
// earlier turn is to use its earlier value: cancel, failure, retry, edit and branch need nothing else. Values share
// memory. Values derived from each other must not be used by several goroutines at once. The zero value is an empty
// conversation.
type Conversation struct {
	known []*entry // in the order of first appearance; entries are replaced, never changed
	epoch epoch
	sent  tape[wire] // user messages and replies of this epoch, byte for byte
	// of the turns in sent: what their messages do not tell
	traces tape[Trace]
	// all messages in raw form: without and with the context lines in front
	plain, cited tape[wire]
	strict       bool            // the epoch has the strict layout, which sends plain
	notes        tape[string]    // all notes-to-self, oldest first
	turns        int             // turns that were begun
	fold         fold            // turns that were folded away
	summary      summary         // for the next fold; its turns are 0 if none was requested since the last fold
	before       sentBefore      // for predictions
	unsent       bool            // arranged again, and not as the last request was
	reopened     bool            // the next turn rebuilds everything
	cause        Cause           // set if the next turn must begin an epoch because of something the person did
	muted        map[string]bool // ids of muted items; replaced, never changed
	included     []Ref           // items added by Include and not forgotten since
}

// wire is a message with values that are computed once.
type wire struct {
	Message
	tokens int
	turn   int               // number of its turn, from 1
	sum    [sha256.Size]byte // hash of role, text and calls, set for messages of the history and of a loop
}

// epoch is the part of the prompt that is constant until the next epoch.
type epoch struct {
	n       int
	turn    int // turn that began it
	first   int // index into past of the first message that is in sent
	cause   Cause
	set     Settings
	system  wire
	l1      segment
	library segment
	notes   segment // notes-to-self in the system message
	guide   segment
	copies  []*libraryCopy // of the library, in order
	left    []Ref          // items that an earlier message said to have left the prompt
	date    string         // date that the messages said last
	size    int            // tokens of the whole request if it was shortened for this epoch, else 0
}

// segment is a part of the system message with its hash and size.
type segment struct {
	text   string
	tokens int
	sum    [sha256.Size]byte
}

// renewed returns the segment of a text, s itself if that is its text already.
func (s segment) renewed(text string, count func(string) int) segment {
	if s.text == text && s.sum != [sha256.Size]byte{} {
		return s
	}
	return segment{text: text, tokens: count(text), sum: sha256.Sum256([]byte(text))}
}

// fold describes the oldest turns that were replaced.
type fold struct {
	turns       int     // number of turns
	messages    int     // index into past of the first message that is sent
	notes       int     // notes-to-self that were dropped with them
	summary     summary // of these turns, or of the first of them
	replacement []wire  // messages that replace the others
}

// summary is a model's summary of the first turns.
type summary struct {
	turns int
	text  string // "" if there is none
}

// Past is a message of a conversation that is reopened, as the person saw it.
type Past struct {
	Role    Role // User or Assistant
	Text    string
	Context string // context line of a user message, "" for none
}

// RecalledItem is an item that a reopened conversation knows.
type RecalledItem struct {
	Item  Item // current content
	Since int  // turn in which it was first attached, from 1
	Used  int  // turn in which it was last attached
	Times int  // number of turns in which it was attached
	Muted bool

	Changed bool // the content differs from the one that the model was shown last
	Left    bool // the model was told that the prompt does not contain it any more
	// the library has it, even if it is part of a note there; false for a part of a known note leaves it out
	InLibrary bool
}

// Reopen rebuilds a conversation from a saved chat: the messages as they were shown, the items in the order of
// first appearance with their current content, and the notes-to-self, oldest first. The next turn builds everything
// anew. A nil count counts one token per four bytes.
func Reopen(past []Past, items []RecalledItem, notes []string, count func(string) int) Conversation {
	if count == nil {
		count = ApproximateTokens
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
		note := c.indexOf(r.Item.Path)
		partOfKnown := note >= 0 && c.known[note].Kind == Note && r.Item.part(r.Item.Path)
		if c.indexOf(r.Item.ID) >= 0 || partOfKnown && !r.InLibrary {
			continue
		}
		c.known = append(c.known,
			&entry{
				Ref: r.Item.Ref, shown: r.Item, firstID: r.Item.ID, promptName: r.Item.ID, swapped: r.Changed,
				since: r.Since, used: r.Used, times: r.Times, lastNotice: itemNotice{leftPrompt: r.Left},
			})
	}
	for _, n := range notes {
		c.notes = c.notes.push(n)
	}
	return c
}

// remember adds a message to the history, in both forms. It ignores an empty message.
func (c Conversation) remember(m Past, turn int, count func(string) int) Conversation {
	if m.Text == "" {
		return c
	}
	w := wire{Message: Message{Role: m.Role, Content: m.Text}, tokens: count(m.Text), turn: turn}.withSum()
	c.plain = c.plain.push(w)
	if m.Context != "" {
		w.Content = oneLine(m.Context) + "\n" + m.Text
		w.tokens = count(w.Content)
		w = w.withSum()
	}
	c.cited = c.cited.push(w)
	return c
}

// past returns all messages in the raw form that the epoch sends. An index into one form is valid in the other.
func (c *Conversation) past() []wire {
	if c.strict {
		return c.plain.all()
	}
	return c.cited.all()
}

// replay adds a message to those of the epoch.
func (c Conversation) replay(w wire) Conversation {
	c.sent = c.sent.push(w.withSum())
	return c
}

// withSum returns w with its hash.
func (w wire) withSum() wire {
	w.sum = sha256.Sum256([]byte(string(w.Role) + "\n" + w.Content + w.extra()))
	return w
}

// Known returns what the model knows, in the order of first appearance, with the content that it was shown last.
// Each of these must be looked at again before a turn.
func (c Conversation) Known() []Item {
	items := make([]Item, len(c.known))
	for i, e := range c.known {
		items[i] = e.shown
		items[i].Ref = e.Ref
	}
	return items
}

// Shown returns the content of an item that the model was shown last, and the turn that last attached it; false if
// the prompt does not contain it.
func (c Conversation) Shown(id string) (it Item, turn int, ok bool) {
	i := c.indexOf(id)
	if i < 0 || c.known[i].absent {
		return Item{}, 0, false
	}
	return c.known[i].shown, c.known[i].used, true
}

// Copy returns the copy of an item in the library, and the turn that made the library; false if it has none.
func (c Conversation) Copy(id string) (it Item, turn int, ok bool) {
	i := c.indexOf(id)
	if i < 0 || c.known[i].copy == nil {
		return Item{}, 0, false
	}
	return c.known[i].copy.item, c.epoch.turn, true
}

// Notes returns all notes-to-self, oldest first.
func (c Conversation) Notes() []string { return slices.Clone(c.notes.all()) }

// Next returns the conversation with the items of this request, but without its question and reply.
func (e Envelope) Next() Conversation { return e.next }

// Commit returns the conversation after a turn with a complete reply: its question, with what was attached, and the
// reply become part of it, byte for byte. The results of tools do not; activity, one line that lists the lookups,
// is kept instead, at the end of a reply without a note-to-self. Only Commit makes what the turn attached known, so
// a turn that failed or was cancelled leaves no trace.
func (e Envelope) Commit(reply, activity string) Conversation {
	c := e.next
	visible, note, _ := SplitNote(reply)
	trace := e.kept.trace
	trace.LookedUp = e.kept.message != nil
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
		c = c.replay(wire{Message: Message{Role: Assistant, Content: reply}, tokens: e.count(reply), turn: c.turns})
	}
	c.traces = c.traces.push(trace.withReply(reply, visible, note))
	c = c.remember(Past{Role: User, Text: e.question, Context: e.kept.context}, c.turns, e.count)
	c = c.remember(Past{Role: Assistant, Text: visible}, c.turns, e.count)
	if note != "" {
		c.notes = c.notes.push(note)
	}
	c.unsent = false
	c.before = sentBefore{request: e.request, reply: reply, places: e.cache.places, set: c.epoch.set}
	return c
}

// Aside adds an exchange that the model did not finish, as plain messages: the attachments of its turn stay
// unknown. A note-to-self counts only if it is complete. An exchange without a visible reply or a note is not
// added.
func (c Conversation) Aside(question, partial string, count func(string) int) Conversation {
	if count == nil {
		count = ApproximateTokens
	}
	var f NoteFilter
	visible := f.Write(partial)
	note := f.last
	partial = replyText(visible, note)
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

// Include adds items that no turn attaches, such as the notes of a project. They are in the library from the next
// turn on, which begins an epoch: before everything else if it is the first turn, else after it. Known items stay
// where they are.
func (c Conversation) Include(items []Item) Conversation {
	var added []*entry
	for _, it := range items {
		if slices.Contains(c.included, it.Ref) {
			continue
		}
		c.included = append(slices.Clip(c.included), it.Ref)
		if c.indexOf(it.ID) < 0 {
			added = append(added,
				&entry{
					Ref: it.Ref, shown: it, firstID: it.ID, promptName: it.ID, absent: true,
					lastNotice: itemNotice{leftPrompt: true}, since: c.turns + 1,
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

// Excludes returns those of refs that were never included, or were forgotten.
func (c Conversation) Excludes(refs []Ref) []Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool { return slices.Contains(c.included, r) })
}

// Forget removes an item from all later requests. That begins an epoch. It ignores unknown ids.
func (c Conversation) Forget(id string) Conversation {
	i := c.indexOf(id)
	if i < 0 {
		return c
	}
	c.included = slices.DeleteFunc(slices.Clone(c.included), func(r Ref) bool { return r == c.known[i].Ref })
	c.known = slices.Delete(slices.Clone(c.known), i, i+1)
	c.cause = CauseForget
	return c.Mute(id, false)
}

// Relabel replaces the context lines in the history, after something was forgotten; edit returns the new line for
// an old one. It changes nothing unless the next turn begins an epoch.
func (c Conversation) Relabel(edit func(line string) string, count func(string) int) Conversation {
	if c.cause == "" {
		return c
	}
	next, cited := c, c.cited.all()
	next.plain, next.cited = tape[wire]{}, tape[wire]{}
	for i, w := range c.plain.all() {
		m := Past{Role: w.Role, Text: w.Content}
		if line, ok := strings.CutSuffix(cited[i].Content, "\n"+w.Content); ok {
			m.Context = edit(line)
		}
		next = next.remember(m, w.turn, count)
	}
	return next
}

// Mute stops referring to an item: attaching it sends nothing. Its bytes stay where they are, so that the cache
// holds. The model is still told when its text is outdated. Unknown items can be muted, too. Mute(id, false) undoes
// it.
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

// Refresh makes the next turn rebuild the library with the current content.
func (c Conversation) Refresh() Conversation {
	c.cause = CauseRefresh
	return c
}
