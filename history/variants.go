package history

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// The ends of a turn that something else has taken the place of stand in a
// comment of their own below the hidden block, a line for each:
//
//	<!-- ibid-variants
//	{"h":"q3Ab","n":2,"a":[{"x":"Two.","t":1727129885,"z":7200},{"k":"the footer"}]}
//	{"h":"q3Ab","n":2}
//	-->
//
// n is the number of the turn and h the hash of its question, which counts more.
// The lines of a turn stand in the order in which its ends came; the one without
// an answer (a) stands for the end that is shown. A question (q) is written only
// where it is not the one of the chat. The lines of turns that were taken back
// have numbers behind the last turn.

const variantsOpen = md.HiddenOpen + "-variants"

// Variant is one end of a turn: its question, and what answered it.
type Variant struct {
	Messages []Message // question, replies, notes to self; nil for the end that stands in the chat
	Model    string    // that answered, "" if unknown
	Usage    *Usage    // of the answer, nil if unknown
}

// Ends lists the ends of the turn whose question is Messages[at], the one that
// stands in the chat among them, and the place of that one. They are to be read.
func (c *Chat) Ends(at int) (ends []Variant, shown int) {
	question := c.Messages[at]
	ends, shown = question.ends()
	question.Variants = nil
	ends[shown].Messages = append([]Message{question}, c.Messages[at+1:c.turnEnd(at)]...)
	return ends, shown
}

// ends are those of the turn that begins with m, and the place of the one that is shown.
func (m *Message) ends() (ends []Variant, shown int) {
	ends = slices.Clone(m.Variants)
	if shown = slices.IndexFunc(ends, Variant.stands); shown < 0 {
		shown, ends = len(ends), append(ends, Variant{})
	}
	return ends, shown
}

// answers are the ends of a turn but for the one that is shown if nothing answered it.
func (c *Chat) answers(at int) []Variant {
	ends, shown := c.Ends(at)
	if len(ends[shown].Messages) == 1 {
		ends = slices.Delete(ends, shown, shown+1)
	}
	return ends
}

// stands reports whether the end is the one that stands in the chat.
func (v Variant) stands() bool { return v.Messages == nil }

// Reply is the text that a reader sees of the answer, and how it ended.
func (v Variant) Reply() (text string, status Status) {
	var texts []string
	for i := 1; i < len(v.Messages); i++ {
		if m := &v.Messages[i]; m.Role != NoteToSelf {
			texts, status = append(texts, m.Text), m.Status
		}
	}
	return strings.Join(texts, "\n\n"), status
}

// eachQuestion is ends with what change makes of their questions.
func eachQuestion(ends []Variant, change func(Message) Message) []Variant {
	ends = slices.Clone(ends)
	for i := range ends {
		if messages := ends[i].Messages; messages != nil {
			ends[i].Messages = append([]Message{change(messages[0])}, messages[1:]...)
		}
	}
	return ends
}

// Withdraw takes everything that names one of refs out of the chat.
func (c *Chat) Withdraw(refs []prompt.Ref) {
	without := func(m Message) Message { return m.Without(refs) }
	c.Messages, c.Undone = slices.Clone(c.Messages), slices.Clone(c.Undone)
	for i := range c.Messages {
		c.Messages[i] = without(c.Messages[i])
	}
	for i := range c.Undone {
		c.Undone[i] = eachQuestion(c.Undone[i], without)
	}
}

// turnEnd is the index behind the last message of the turn that begins at at.
func (c *Chat) turnEnd(at int) int {
	for at++; at < len(c.Messages) && c.Messages[at].Role != User; at++ {
	}
	return at
}

// LastTurn is the index of the last question, -1 if there is none.
func (c *Chat) LastTurn() int {
	at := len(c.Messages) - 1
	for at >= 0 && c.Messages[at].Role != User {
		at--
	}
	return at
}

// Through is how many displayed messages the first n turns and what stands in
// front of them are.
func (c *Chat) Through(n int) int {
	shown := 0
	for i, m := range c.Display() {
		if m.Role == User {
			n--
		}
		if n < 0 {
			return i - 1
		}
		shown = i
	}
	return shown
}

// Show puts the k-th end of the turn whose question is Messages[at] in the place
// of the one that stands there, which is kept. It reports whether there is such
// an end and it did not stand there already.
func (c *Chat) Show(at, k int) bool {
	ends, shown := c.Ends(at)
	if k < 0 || k >= len(ends) || k == shown {
		return false
	}
	messages := slices.Clone(ends[k].Messages)
	ends[k].Messages = nil
	messages[0].Variants = ends
	c.Messages = slices.Concat(c.Messages[:at], messages, c.Messages[c.turnEnd(at):])
	return true
}

// Restart begins a new end of the turn whose question is Messages[at]: what
// answered it is kept beside it, and the new one is shown.
func (c *Chat) Restart(at int) {
	question := c.Messages[at]
	question.Variants = append(c.answers(at), Variant{})
	c.Messages = slices.Concat(c.Messages[:at], []Message{question}, c.Messages[c.turnEnd(at):])
}

// AddVariant keeps an end of the turn whose question is Messages[at] beside the one
// that is shown: in the place of the k-th, or as the newest if there is none. It
// returns its place.
func (c *Chat) AddVariant(at, k int, v Variant) int {
	m := &c.Messages[at]
	ends := slices.Clone(m.Variants)
	if len(ends) == 0 {
		ends = append(ends, Variant{})
	}
	if k < 0 || k >= len(ends) || ends[k].stands() {
		k, ends = len(ends), append(ends, v)
	}
	ends[k] = v
	m.Variants = ends
	return k
}

// Credit notes what answered the end that is shown.
func (c *Chat) Credit(at int, model string, u *Usage) {
	m := &c.Messages[at]
	ends, shown := m.ends()
	ends[shown].Model, ends[shown].Usage = model, u
	m.Variants = ends
}

// TakeBack takes the last turn out of the chat, and keeps what answered it for
// the turn that follows in its place.
func (c *Chat) TakeBack() {
	at := c.LastTurn()
	c.Undone = append([][]Variant{c.answers(at)}, c.Undone...)
	c.Messages = slices.Clone(c.Messages[:at])
}

// Post adds a question to the chat. What was taken back in its place becomes the
// other ends of its turn.
func (c *Chat) Post(question Message) {
	if len(c.Undone) > 0 {
		question.Variants = append(slices.Clone(c.Undone[0]), Variant{})
		c.Undone = c.Undone[1:]
	}
	c.Messages = append(c.Messages, question)
}

// variantLine is a line of the comment.
type variantLine struct {
	H string        `json:"h,omitempty"`
	N int           `json:"n"`
	Q *questionLine `json:"q,omitempty"`
	A []replyLine   `json:"a,omitempty"`
	M string        `json:"m,omitempty"`

	U json.RawMessage `json:"u,omitempty"` // see Usage.fields
}

// questionLine is a question that is not the one of the chat.
type questionLine struct {
	X *string `json:"x,omitempty"` // nil: the text is the same
	C string  `json:"c,omitempty"` // context line
	R refList `json:"r,omitempty"`
	I []Item  `json:"i,omitempty"`
	W string  `json:"w,omitempty"` // written below it
	instant
}

// replyLine is a reply, or a note to self (k).
type replyLine struct {
	X string `json:"x,omitempty"`
	K string `json:"k,omitempty"`
	S Status `json:"s,omitempty"`
	W string `json:"w,omitempty"`
	instant

	Thought string `json:"thought,omitempty"`
	workTag
}

func instantOf(t time.Time) (i instant) {
	if !t.IsZero() {
		_, i.Z = t.Zone()
		i.T = t.Unix()
	}
	return i
}

func (i instant) time() time.Time {
	if i == (instant{}) {
		return time.Time{}
	}
	return time.Unix(i.T, 0).In(time.FixedZone("", i.Z))
}

// askedOf is what is written of a question.
func askedOf(m *Message) *questionLine {
	a := &questionLine{X: &m.Text, C: string(bytes.TrimPrefix(appendContext(nil, &m.Context), []byte("\n"))), I: m.Meta.Items, W: m.After, instant: instantOf(m.Time)}
	if !m.plainRefs() {
		a.R = m.Meta.Refs
	}
	return a
}

func (a *questionLine) message(now *Message) Message {
	m := Message{Role: User, After: a.W, Time: a.time(), Context: parseContext(a.C, true), Meta: Meta{Refs: a.R, Items: a.I}}
	switch {
	case a.X != nil:
		m.Text = *a.X
	case now != nil:
		m.Text = now.Text
	}
	m.Context.restoreURLs(m.Meta.Refs)
	return m
}

// line is what is written of an end; now is the question of the chat, nil if the
// turn was taken back.
func (v *Variant) line(n int, now *Message) variantLine {
	l := variantLine{N: n, M: v.Model}
	if u := v.Usage; u != nil && !math.IsInf(u.Cost, 0) && !math.IsNaN(u.Cost) {
		l.U = marshal(u.fields())
	}
	if now != nil {
		l.H = shortHash(User, now.Text)
	}
	for i := range v.Messages {
		m := &v.Messages[i]
		switch {
		case m.Role == NoteToSelf:
			l.A = append(l.A, replyLine{K: m.Text})
		case i > 0:
			l.A = append(l.A, replyLine{Thought: m.Thought, X: m.Text, S: m.Status, W: m.After, instant: instantOf(m.Time), workTag: m.work()})
		case now == nil:
			l.Q = askedOf(m)
		default:
			if q := askedOf(m); !bytes.Equal(marshal(q), marshal(askedOf(now))) {
				if l.Q = q; m.Text == now.Text {
					q.X = nil
				}
			}
		}
	}
	return l
}

// variantLines is the comment, line by line.
func (c *Chat) variantLines() (lines []variantLine) {
	turns := 0
	for n, at := range c.Questions() {
		turns = n
		if m := &c.Messages[at]; len(m.Variants) > 1 {
			for k := range m.Variants {
				lines = append(lines, m.Variants[k].line(n, m))
			}
		}
	}
	for i, ends := range c.Undone {
		for k := range ends {
			lines = append(lines, ends[k].line(turns+1+i, nil))
		}
	}
	return lines
}

// appendVariants writes the comment, or nothing if there are no variants.
func appendVariants(b []byte, c *Chat) []byte {
	lines := c.variantLines()
	if len(lines) == 0 {
		return b
	}
	b = append(b, variantsOpen...)
	for i := range lines {
		b = append(append(b, '\n'), marshal(&lines[i])...)
	}
	return append(b, "\n"+md.HiddenClose+"\n\n"...)
}

// readVariants reads the comment. Of one that a merge or an editor has damaged
// every line that can be read counts; ok says that there was no other.
func readVariants(text string) (lines []variantLine, ok bool) {
	ok = true
	for line := range strings.SplitSeq(text, "\n") {
		var l variantLine
		switch line = strings.TrimSpace(line); {
		case line == "" || line == variantsOpen || line == md.HiddenClose:
		case json.Unmarshal([]byte(line), &l) != nil || l.N < 1:
			ok = false
		default:
			lines = append(lines, l)
		}
	}
	return lines, ok
}

// addVariants gives the turns of a chat the ends that lines name. A turn that is
// no longer where it was is found by its question, else the turn that is there
// now has them.
func (c *Chat) addVariants(lines []variantLine) {
	var turns []int
	named := map[string]int{}
	for _, at := range c.Questions() {
		turns, c.Messages[at].Variants = append(turns, at), nil
	}
	hashes := make([]string, len(turns))
	if len(lines) > 0 {
		for n, at := range slices.Backward(turns) {
			hashes[n] = shortHash(User, c.Messages[at].Text)
			named[hashes[n]] = n
		}
	}
	c.Undone = nil
	seen, shown := map[string]bool{}, map[int]bool{}
	for i := range lines {
		l := &lines[i]
		key := string(marshal(l))
		if seen[key] {
			continue
		}
		seen[key] = true
		n := l.N - 1
		if at, ok := named[l.H]; ok && (n >= len(turns) || hashes[n] != l.H) {
			n = at
		}
		if n >= len(turns) && (l.Q == nil || l.H != "") {
			n = len(turns) - 1 // the turn is gone
		}
		switch {
		case n < 0 && len(l.A) > 0: // no turn is left: the answer is kept with those taken back
			c.addUndone(0, l.end(nil))
		case n < 0:
		case n < len(turns) && l.stands():
			if m := &c.Messages[turns[n]]; !shown[n] {
				m.Variants = append(m.Variants, l.end(m))
			}
			shown[n] = true
		case n < len(turns):
			m := &c.Messages[turns[n]]
			if v := l.end(m); !sameEnd(v.Messages, c.Messages[turns[n]:c.turnEnd(turns[n])]) {
				m.Variants = append(m.Variants, v)
			}
		case l.Q != nil:
			c.addUndone(min(n-len(turns), len(c.Undone)), l.end(nil))
		}
	}
	for n, at := range turns {
		if m := &c.Messages[at]; len(m.Variants) > 0 && !shown[n] {
			m.Variants = append(m.Variants, Variant{})
		}
	}
}

func (c *Chat) addUndone(i int, v Variant) {
	if i == len(c.Undone) {
		c.Undone = append(c.Undone, nil)
	}
	c.Undone[i] = append(c.Undone[i], v)
}

// stands reports whether the line is that of the end that is shown.
func (l *variantLine) stands() bool { return l.Q == nil && len(l.A) == 0 }

// end is the end that a line names.
func (l *variantLine) end(now *Message) Variant {
	v := Variant{Model: l.M}
	var u Usage
	if fields := u.fields(); json.Unmarshal(l.U, &fields) == nil {
		v.Usage = &u
	}
	if l.stands() {
		return v
	}
	question := Message{Role: User}
	switch {
	case l.Q != nil:
		question = l.Q.message(now)
	case now != nil:
		question = *now
		question.Variants = nil
	}
	v.Messages = append(v.Messages, question)
	for _, a := range l.A {
		if a.K != "" {
			v.Messages = append(v.Messages, Message{Role: NoteToSelf, Text: a.K})
		} else {
			reply := Message{Role: Assistant, Thought: a.Thought, Text: a.X, Status: a.S, After: a.W, Time: a.time()}
			a.restore(&reply.Meta)
			v.Messages = append(v.Messages, reply)
		}
	}
	return v
}

// sameEnd reports whether two ends say the same at the same time.
func sameEnd(a, b []Message) bool {
	return slices.EqualFunc(a, b, func(a, b Message) bool {
		return a.Role == b.Role && a.Text == b.Text && a.Time.Unix() == b.Time.Unix()
	})
}

// mergeVariants gives c, which was merged, the variants of both sides: all of
// ours, and what theirs has beyond base.
func (c *Chat) mergeVariants(ours, base, theirs []variantLine) {
	key := func(l *variantLine) string { return string(marshal(l)) }
	known := map[string]bool{}
	for _, lines := range [][]variantLine{ours, base} {
		for i := range lines {
			known[key(&lines[i])] = true
		}
	}
	for i := range theirs {
		if l := &theirs[i]; !known[key(l)] {
			ours = append(ours, *l)
		}
	}
	c.addVariants(ours)
}

// beforeRetry is theirs as it was before the last turn was sent again there, if it
// was and base ends as it did then.
func beforeRetry(base, theirs *Chat) (Chat, bool) {
	at, was := theirs.LastTurn(), base.LastTurn()
	if at < 0 || was < 0 {
		return Chat{}, false
	}
	ends, _ := theirs.Ends(at)
	k := slices.IndexFunc(ends, func(v Variant) bool { return sameEnd(v.Messages, base.Messages[was:]) })
	back := *theirs
	return back, back.Show(at, k)
}
