package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// The hidden block is JSON in an HTML comment, a line for each turn so that a
// version control system shows small changes, and so that each can be read alone:
//
//	<!-- ibid {"v":2,"turns":[
//	{"h":"q3Ab9x/1","i":[["note","a.md","0123456789abcdef"]]},
//	{"h":"Hd72","i":[0],"n":["I added the footer."]}
//	]} -->
//
// h holds four characters for each message of the line. Items (i) and references in the person's order (r)
// belong to its first message; status (s), notes to self (n), calls of tools (tools) and the length of the list
// of sources (f) belong to its last. An item is written out where it occurs first; later occurrences are its
// number. sent describes the last request, see sent.go. off lists the tools that the person has turned off. Blocks of 2026 have the zone of the times (z), which is
// not read: times are shown as the text has them.
//
// "--" would end the comment, and "**" could pass for a header with readers that search for one, so the block
// contains neither.

const blockVersion = 2

// block is the hidden block.
type block struct {
	V     int    `json:"v"`
	Title string `json:"title,omitempty"` // old blocks only: the title, as it was in the properties
	Choices
	Origin    *Origin           `json:"branch,omitempty"`
	Muted     refList           `json:"muted,omitempty"`
	Forgotten refList           `json:"forgotten,omitempty"`
	Compat    bool              `json:"compat,omitempty"` // only in old blocks
	Totals    []json.RawMessage `json:"use,omitempty"`
	Notes     []string          `json:"notes,omitempty"` // old blocks only: notes to self before the first message
	Own       string            `json:"own,omitempty"`   // properties, as YAML, that the frontmatter has no place for
	Sent      json.RawMessage   `json:"sent,omitempty"`
	Turns     []json.RawMessage `json:"turns"`

	entries []blockEntry
	items   []Item // of the lines, by number
}

// turn is a line of the block.
type turn struct {
	H string    `json:"h"`
	I []itemTag `json:"i,omitempty"`
	R []itemTag `json:"r,omitempty"`
	S Status    `json:"s,omitempty"`
	N []string  `json:"n,omitempty"`
	workTag
}

// workTag describes the work done for a reply: calls of tools, changes of notes, listed sources.
type workTag struct {
	Tools  []ToolUse   `json:"tools,omitempty"`
	Writes []NoteWrite `json:"writes,omitempty"`
	Footer int         `json:"f,omitempty"`
	Notes  []int       `json:"fn,omitempty"` // Meta.Footnotes
}

func (m *Message) work() workTag {
	return workTag{m.keptTools(), m.keptWrites(), m.Meta.Footer, m.Meta.Footnotes}
}

func (t *workTag) restore(m *Meta) {
	for i := range t.Tools {
		t.Tools[i].At = max(t.Tools[i].At, 0)
	}
	m.Tools, m.Writes, m.Footer, m.Footnotes = t.Tools, t.Writes, t.Footer, t.Notes
}

// itemTag is an item, as its number or written out.
type itemTag struct {
	n  int
	it Item // zero if only the number is written
}

// MarshalJSON writes the number or the item.
func (t itemTag) MarshalJSON() ([]byte, error) {
	if t.it == (Item{}) {
		return marshal(t.n), nil
	}
	return marshal(t.it), nil
}

// UnmarshalJSON reads a number or an item.
func (t *itemTag) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, &t.it)
	}
	return json.Unmarshal(data, &t.n)
}

// blockEntry is the data that a block has about one message.
type blockEntry struct {
	hash   string
	meta   Meta
	status Status
	notes  []string
	v1     *messageV1 // the line of an old block, else nil
}

// refList is a list of references, written as items without a revision.
type refList []prompt.Ref

// MarshalJSON writes the references as items.
func (l refList) MarshalJSON() ([]byte, error) {
	items := make([]Item, len(l))
	for i, r := range l {
		items[i].Ref = r
	}
	return marshal(items), nil
}

// UnmarshalJSON reads the references from items.
func (l *refList) UnmarshalJSON(data []byte) error {
	var items []Item
	err := json.Unmarshal(data, &items)
	for _, it := range items {
		*l = append(*l, it.Ref)
	}
	return err
}

// appendBlock appends the hidden block and the variants to b, or nothing when neither would carry information.
// left is the YAML of properties that the frontmatter has no place for.
func appendBlock(b []byte, c *Chat, left []byte) []byte {
	blk := block{
		V: blockVersion, Choices: c.Choices, Muted: c.Muted, Forgotten: c.Forgotten, Own: string(left),
		Turns: []json.RawMessage{},
	}
	if c.Origin != (Origin{}) {
		blk.Origin = &c.Origin
	}
	for _, t := range c.Totals {
		blk.Totals = append(blk.Totals, marshal(t.fields()))
	}
	variants := variantsComment(c)
	worth := len(variants) > 0 || string(marshal(blk)) != `{"v":2,"turns":[]}`
	w := blockWriter{numbers: map[Item]int{}, refs: map[prompt.Ref]int{}}
	for i := range c.Messages {
		worth = w.add(&c.Messages[i]) || worth
	}
	blk.Sent = c.Sent.tag(&w)
	if !worth && blk.Sent == nil {
		return b
	}
	b = append(b, md.HiddenOpen+" "...)
	b = append(b, bytes.TrimSuffix(marshal(blk), []byte("]}"))...)
	for i := range w.turns {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, '\n'), marshal(&w.turns[i])...)
	}
	return append(append(b, "\n]} -->\n\n"...), variants...)
}

// blockWriter makes the lines of a block.
type blockWriter struct {
	turns   []turn
	numbers map[Item]int // number of each item that was written out
	refs    map[prompt.Ref]int
}

func (w *blockWriter) last() *turn { return &w.turns[len(w.turns)-1] }

// add records a message in the block, and reports whether the block says more about it than its hash.
func (w *blockWriter) add(m *Message) bool {
	refs := m.Meta.Refs
	if m.plainRefs() {
		refs = nil
	}
	starts := m.Role == User || len(m.Meta.Items) > 0 || len(refs) > 0
	if n := len(w.turns); n == 0 || starts || w.last().ended() {
		w.turns = append(w.turns, turn{})
	}
	t := w.last()
	t.H += shortHash(m.Role, m.Text)
	t.S, t.N, t.workTag = m.Status, m.Notes, m.work()
	for _, it := range m.Meta.Items {
		t.I = append(t.I, w.item(it))
	}
	for _, r := range refs {
		if n, ok := w.refs[r]; ok {
			t.R = append(t.R, itemTag{n: n})
		} else {
			t.R = append(t.R, w.item(Item{Ref: r}))
		}
	}
	return len(t.I) > 0 || len(t.R) > 0 || t.ended()
}

// ended reports whether the line has data of its last message.
func (t *turn) ended() bool {
	return t.S != "" || len(t.N) > 0 || len(t.Tools) > 0 || len(t.Writes) > 0 || t.Footer > 0
}

// item returns the number of an item that was written before, else the item itself.
func (w *blockWriter) item(it Item) itemTag {
	if n, ok := w.numbers[it]; ok {
		return itemTag{n: n}
	}
	n := len(w.numbers)
	w.numbers[it] = n
	if _, ok := w.refs[it.Ref]; !ok {
		w.refs[it.Ref] = n
	}
	return itemTag{it: it}
}

// plainRefs reports whether the context line alone gives the message's references back.
func (m *Message) plainRefs() bool {
	if len(m.Meta.Refs) == 0 {
		return true
	}
	exact := func(r prompt.Ref) bool { return r.Kind != prompt.URL || escapeItem(r.ID, true) == r.ID }
	return slices.Equal(m.Meta.Refs, m.Context.Refs()) &&
		!slices.ContainsFunc(m.Meta.Refs, func(r prompt.Ref) bool { return !exact(r) })
}

// marshal encodes v as JSON that may stand in the block. It cannot fail for the types of this package.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	for _, c := range []string{"-", "*"} {
		if two := []byte(c + c); bytes.Contains(data, two) {
			data = bytes.ReplaceAll(data, two, fmt.Appendf(nil, `%s\u00%02x`, c, c))
		}
	}
	return data
}

// readBlock reads a hidden block line by line, nil if there is none. From a block that a merge or an editor has
// damaged it returns what can be read, nil if that is nothing; whole is false then.
func readBlock(text string) (blk *block, whole bool) {
	if text == "" {
		return nil, true
	}
	var r blockReader
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), md.HiddenOpen)
		line = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(line, md.HiddenClose)), ",")
		r.line(strings.TrimSpace(line))
	}
	if !r.hasHead && len(r.blk.entries) == 0 {
		return nil, false
	}
	r.blk.items = r.items
	return &r.blk, r.hasHead && !r.damaged
}

// blockReader reads the lines of a block.
type blockReader struct {
	blk         block
	items       []Item // items written out so far
	sharedItems int    // number of items that both sides of a merge conflict share
	hasHead     bool
	damaged     bool
}

func (r *blockReader) line(line string) {
	switch {
	case line == "" || line == "]}":
	case strings.HasPrefix(line, "<<<<<<<"):
		r.sharedItems, r.damaged = len(r.items), true
	case strings.HasPrefix(line, "=======") || strings.HasPrefix(line, "|||||||"):
		r.items, r.damaged = r.items[:min(r.sharedItems, len(r.items))], true
	case strings.HasPrefix(line, ">>>>>>>"):
	case strings.HasPrefix(line, `{"v":`):
		r.head(line)
	default:
		if !r.turn([]byte(line)) {
			r.damaged = true
		}
	}
}

// head reads the first line. A merge conflict can leave two of them.
func (r *blockReader) head(line string) {
	var blk block
	if json.Unmarshal([]byte(line), &blk) != nil && json.Unmarshal([]byte(line+"]}"), &blk) != nil {
		r.damaged = true
		return
	}
	if r.hasHead {
		r.items = nil
		r.blk.Muted = unique(append(r.blk.Muted, blk.Muted...))
		r.blk.Forgotten = unique(append(r.blk.Forgotten, blk.Forgotten...))
	} else {
		blk.entries = r.blk.entries
		r.blk, r.hasHead = blk, true
	}
	for _, t := range blk.Turns {
		r.line(string(t))
	}
}

// turn reads the line of one turn, and reports whether it is valid.
func (r *blockReader) turn(line []byte) bool {
	if r.blk.V == 1 {
		k, ok := readV1(line)
		r.blk.entries = append(r.blk.entries, k...)
		return ok
	}
	var t turn
	if json.Unmarshal(line, &t) != nil || len(t.H) == 0 || len(t.H)%4 != 0 {
		return false
	}
	whole := true
	from := len(r.blk.entries)
	for h := t.H; h != ""; h = h[4:] {
		r.blk.entries = append(r.blk.entries, blockEntry{hash: h[:4]})
	}
	first, last := &r.blk.entries[from], &r.blk.entries[len(r.blk.entries)-1]
	items := func(tags []itemTag) (all []Item) {
		for _, v := range tags {
			it, ok := r.item(v)
			if whole = whole && ok; ok {
				all = append(all, it)
			}
		}
		return all
	}
	first.meta.Items = items(t.I)
	for _, it := range items(t.R) {
		first.meta.Refs = append(first.meta.Refs, it.Ref)
	}
	last.status, last.notes = t.S, t.N
	t.restore(&last.meta)
	return whole
}

// item returns the item that t writes out or whose number it is; ok is false if there is no such number.
func (r *blockReader) item(t itemTag) (Item, bool) {
	if t.it != (Item{}) {
		r.items = append(r.items, t.it)
		return t.it, true
	}
	if t.n < 0 || t.n >= len(r.items) {
		return Item{}, false
	}
	return r.items[t.n], true
}

// apply copies the block's data to c and its messages. It returns the number of
// entries that match no message.
func (blk *block) apply(c *Chat) (lost int) {
	c.Choices, c.Muted, c.Forgotten = blk.Choices, blk.Muted, blk.Forgotten
	if blk.Origin != nil {
		c.Origin = *blk.Origin
	}
	c.Sent = readSent(blk.Sent, blk.items)
	blk.readTotals(c)
	hash := shortHash
	if blk.V == 1 {
		hash, c.file.compat = messageHash, blk.Compat
	}
	hashes := make([]string, len(c.Messages))
	for i := range c.Messages {
		hashes[i] = hash(c.Messages[i].Role, c.Messages[i].Text)
	}
	entries := make([]string, len(blk.entries))
	for i := range blk.entries {
		entries[i] = blk.entries[i].hash
	}
	match := align(hashes, entries)
	foreign := blk.Compat // until the first message that ibid has sent
	for i := range c.Messages {
		m := &c.Messages[i]
		k := &blockEntry{}
		if match[i] >= 0 {
			k = &blk.entries[match[i]]
			k.restore(m)
			lost--
		}
		if i == 0 {
			m.Notes = append(blk.Notes, m.Notes...)
		}
		if foreign = foreign && !k.v1.sent(); foreign {
			m.src.foreign = true
		}
		if k.v1 != nil && k.v1.Usage != nil {
			c.Spend(m.Time, Total{Model: c.Model, Turns: 1, Usage: *k.v1.Usage})
		}
	}
	return lost + len(blk.entries)
}

// restore copies k to m.
func (k *blockEntry) restore(m *Message) {
	m.Status, m.Meta, m.Notes = k.status, k.meta, k.notes
	m.Context.restoreURLs(m.Meta.Refs)
}
