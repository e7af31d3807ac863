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

// A comment below the hidden block holds the ends of a turn that were replaced, a line for each:
//
//	<!-- ibid-variants
//	{"h":"q3Ab","n":2,"a":[{"x":"Two.","t":1727129885,"z":7200},{"k":"the footer"}]}
//	{"h":"q3Ab","n":2}
//	-->
//
// n is the number of the turn and h the hash of its question; where they disagree, h decides. The lines of a
// turn are in the order in which its ends came; the line without an answer (a) represents the displayed end. A
// question (q) is written only if it differs from that of the chat. The lines of turns that were taken back
// have numbers behind the last turn.

const variantsOpen = md.HiddenOpen + "-variants"

// Variant is one end of a turn: its question and the answer.
type Variant struct {
	Messages []Message // question and replies; nil for the displayed end, which is in the chat
	Model    string    // model that answered, "" if unknown
	Usage    *Usage    // usage of the answer, nil if unknown
}

// Ends returns the ends of the turn whose question is Messages[at], and the index of the displayed one, which
// has its messages too. They must not be changed.
func (c *Chat) Ends(at int) (ends []Variant, shown int) {
	question := c.Messages[at]
	ends, shown = question.ends()
	question.Variants = nil
	ends[shown].Messages = append([]Message{question}, c.Messages[at+1:c.turnEnd(at)]...)
	return ends, shown
}

// ends returns the ends of the turn that begins with m, and the index of the displayed one, without its
// messages.
func (m *Message) ends() (ends []Variant, shown int) {
	ends = slices.Clone(m.Variants)
	if shown = slices.IndexFunc(ends, Variant.isShown); shown < 0 {
		shown, ends = len(ends), append(ends, Variant{})
	}
	return ends, shown
}

// answers returns the ends of a turn, without the displayed one if that has no answer.
func (c *Chat) answers(at int) []Variant {
	ends, shown := c.Ends(at)
	if !ends[shown].Answered() {
		ends = slices.Delete(ends, shown, shown+1)
	}
	return ends
}

// isShown reports whether the end is the displayed one.
func (v Variant) isShown() bool { return v.Messages == nil }

// Answered reports whether the end has an answer, a reply or notes.
func (v Variant) Answered() bool {
	return len(v.Messages) > 1 || len(v.Messages) == 1 && len(v.Messages[0].Notes) > 0
}

// Reply returns the displayed text of the answer, and how it ended.
func (v Variant) Reply() (text string, status Status) {
	var texts []string
	for i := 1; i < len(v.Messages); i++ {
		texts, status = append(texts, v.Messages[i].Text), v.Messages[i].Status
	}
	return strings.Join(texts, "\n\n"), status
}

// mapQuestions returns a copy of ends with change applied to the questions.
func mapQuestions(ends []Variant, change func(Message) Message) []Variant {
	ends = slices.Clone(ends)
	for i := range ends {
		if messages := ends[i].Messages; messages != nil {
			ends[i].Messages = append([]Message{change(messages[0])}, messages[1:]...)
		}
	}
	return ends
}

// Withdraw removes everything that names one of refs from the chat, its variants and the turns taken back.
func (c *Chat) Withdraw(refs []prompt.Ref) {
	without := func(m Message) Message { return m.Without(refs) }
	c.Messages, c.Undone = slices.Clone(c.Messages), slices.Clone(c.Undone)
	for i := range c.Messages {
		c.Messages[i] = without(c.Messages[i])
	}
	for i := range c.Undone {
		c.Undone[i] = mapQuestions(c.Undone[i], without)
	}
}

// turnEnd returns the index behind the last message of the turn that begins at at.
func (c *Chat) turnEnd(at int) int {
	for at++; at < len(c.Messages) && c.Messages[at].Role != User; at++ {
	}
	return at
}

// LastTurn returns the index of the last question, -1 if there is none.
func (c *Chat) LastTurn() int {
	at := len(c.Messages) - 1
	for at >= 0 && c.Messages[at].Role != User {
		at--
	}
	return at
}

// Through returns the number of messages in the first n turns and before them.
func (c *Chat) Through(n int) int {
	for turn, at := range c.Questions() {
		if turn > n {
			return at
		}
	}
	return len(c.Messages)
}

// Show displays the k-th end of the turn whose question is Messages[at], and keeps the present one as a
// variant. It returns false, and changes nothing, if there is no such end or it is displayed already.
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

// Restart begins a new, displayed end of the turn whose question is Messages[at]; the present answer is kept as
// a variant.
func (c *Chat) Restart(at int) {
	question := c.Messages[at]
	question.Variants, question.Notes = append(c.answers(at), Variant{}), nil
	c.Messages = slices.Concat(c.Messages[:at], []Message{question}, c.Messages[c.turnEnd(at):])
}

// AddVariant adds v to the ends of the turn whose question is Messages[at], without displaying it: in place of
// the k-th end, or as the newest if there is no such end or it is displayed. It returns the index.
func (c *Chat) AddVariant(at, k int, v Variant) int {
	m := &c.Messages[at]
	ends := slices.Clone(m.Variants)
	if len(ends) == 0 {
		ends = append(ends, Variant{})
	}
	if k < 0 || k >= len(ends) || ends[k].isShown() {
		k, ends = len(ends), append(ends, v)
	}
	ends[k] = v
	m.Variants = ends
	return k
}

// RecordUsage records the model and the usage of the displayed end.
func (c *Chat) RecordUsage(at int, model string, u *Usage) {
	m := &c.Messages[at]
	ends, shown := m.ends()
	ends[shown].Model, ends[shown].Usage = model, u
	m.Variants = ends
}

// TakeBack removes the last turn from the chat, and keeps its answers for the turn that will take its place.
func (c *Chat) TakeBack() {
	at := c.LastTurn()
	c.Undone = append([][]Variant{c.answers(at)}, c.Undone...)
	c.Messages = slices.Clone(c.Messages[:at])
}

// AddQuestion appends a question to the chat. Ends that were taken back in its place become the other ends of its
// turn.
func (c *Chat) AddQuestion(question Message) {
	if len(c.Undone) > 0 {
		question.Variants = append(slices.Clone(c.Undone[0]), Variant{})
		c.Undone = c.Undone[1:]
	}
	c.Messages = append(c.Messages, question)
}

// variantLine is one line of the comment.
type variantLine struct {
	H string        `json:"h,omitempty"`
	N int           `json:"n"`
	Q *messageLine  `json:"q,omitempty"` // the question, if it differs from that of the chat
	A []messageLine `json:"a,omitempty"`
	M string        `json:"m,omitempty"`

	U json.RawMessage `json:"u,omitempty"` // see Usage.fields
}

// messageLine is a question or a reply of an end, or a note to self.
type messageLine struct {
	X *string `json:"x,omitempty"` // the text, nil if it is that of the chat's question
	K string  `json:"k,omitempty"` // a note to self; nothing else is set then
	C string  `json:"c,omitempty"` // context line
	R refList `json:"r,omitempty"`
	I []Item  `json:"i,omitempty"`
	S Status  `json:"s,omitempty"`
	W string  `json:"w,omitempty"` // text below the message, Message.After
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

// newMessageLine returns the line for a message.
func newMessageLine(m *Message) messageLine {
	l := messageLine{
		X: &m.Text, C: string(bytes.TrimPrefix(appendContext(nil, &m.Context), []byte("\n"))), I: m.Meta.Items,
		S: m.Status, W: m.After, instant: instantOf(m.Time), Thought: m.Thought, workTag: m.work(),
	}
	if !m.plainRefs() {
		l.R = m.Meta.Refs
	}
	return l
}

// message returns the message of a line, whose text is that of same if the line has none.
func (l *messageLine) message(role Role, same string) Message {
	m := Message{
		Role: role, Text: same, Status: l.S, Thought: l.Thought, After: l.W, Time: l.time(),
		Context: parseContext(l.C, true), Meta: Meta{Refs: l.R, Items: l.I},
	}
	if l.X != nil {
		m.Text = *l.X
	}
	l.restore(&m.Meta)
	m.Context.restoreURLs(m.Meta.Refs)
	return m
}

// line returns the line for an end; now is the question in the chat, nil if the turn was taken back.
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
		case i > 0:
			l.A = append(l.A, newMessageLine(m))
		case now == nil || !bytes.Equal(marshal(newMessageLine(m)), marshal(newMessageLine(now))):
			q := newMessageLine(m)
			if l.Q = &q; now != nil && m.Text == now.Text {
				q.X = nil
			}
		}
		for _, note := range m.Notes {
			l.A = append(l.A, messageLine{K: note})
		}
	}
	return l
}

// variantLines returns the lines of the comment.
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

// variantsComment returns the comment, nil if there are no variants.
func variantsComment(c *Chat) []byte {
	lines := c.variantLines()
	if len(lines) == 0 {
		return nil
	}
	b := []byte(variantsOpen)
	for i := range lines {
		b = append(append(b, '\n'), marshal(&lines[i])...)
	}
	return append(b, "\n"+md.HiddenClose+"\n\n"...)
}

// readVariants reads the comment. From a comment that a merge or an editor has damaged it returns the readable
// lines; ok is false then.
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

// addVariants replaces the variants of a chat by those in lines. A turn that has moved is found by its
// question, else the turn that is there now gets them.
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
			n = len(turns) - 1 // the turn does not exist any more
		}
		switch {
		case n < 0 && len(l.A) > 0: // no turn remains: the answer goes to those taken back
			c.addUndone(0, l.end(nil))
		case n < 0:
		case n < len(turns) && l.isShown():
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

// isShown reports whether the line represents the displayed end.
func (l *variantLine) isShown() bool { return l.Q == nil && len(l.A) == 0 }

// end returns the end that a line describes.
func (l *variantLine) end(now *Message) Variant {
	v := Variant{Model: l.M}
	var u Usage
	if fields := u.fields(); json.Unmarshal(l.U, &fields) == nil {
		v.Usage = &u
	}
	if l.isShown() {
		return v
	}
	question := Message{Role: User}
	if now != nil {
		question = *now
		question.Variants, question.Notes = nil, nil
	}
	if l.Q != nil {
		question = l.Q.message(User, question.Text)
	}
	v.Messages = append(v.Messages, question)
	for _, a := range l.A {
		if a.K != "" {
			last := &v.Messages[len(v.Messages)-1]
			last.Notes = append(last.Notes, a.K)
		} else {
			v.Messages = append(v.Messages, a.message(Assistant, ""))
		}
	}
	return v
}

// sameEnd reports whether two ends have the same texts and times.
func sameEnd(a, b []Message) bool {
	return slices.EqualFunc(a, b, func(a, b Message) bool {
		return a.Role == b.Role && a.Text == b.Text && slices.Equal(a.Notes, b.Notes) &&
			a.Time.Format(stampLayout) == b.Time.Format(stampLayout)
	})
}

// mergeVariants sets the variants of c, which was merged, to all of ours and those of theirs that base does not
// have.
func (c *Chat) mergeVariants(ours, base, theirs []variantLine) {
	key := func(l *variantLine) string { return string(marshal(l)) }
	known := map[string]bool{}
	for i := range base {
		known[key(&base[i])] = true
	}
	for i := range theirs { // addVariants skips those that are among ours too
		if l := &theirs[i]; !known[key(l)] {
			ours = append(ours, *l)
		}
	}
	c.addVariants(ours)
}
