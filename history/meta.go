package history

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff/lcs"

	"ibid/context/prompt"
)

// Meta is what the hidden block knows about a message. All of it is optional.
type Meta struct {
	Refs   []prompt.Ref      // what the person attached, in the person's order
	Items  []Item            // what that came to: folders and tags expanded, in the order sent
	Layers map[string]string // hash of each layer of the request, by layer id
	Epoch  string            // cause of the engine's epoch that began here, "" if none
	Model  string            // the model that replied, where it is not the chat's
	Usage  *Usage            // what the provider reported, nil if nothing
}

// empty reports whether there is nothing to keep.
func (m *Meta) empty() bool {
	return len(m.Refs) == 0 && len(m.Items) == 0 && len(m.Layers) == 0 && m.Epoch == "" && m.Model == "" && m.Usage == nil
}

// Item is a thing that went to the model with a message.
type Item struct {
	Ref      prompt.Ref
	Revision string // the first 16 hex digits of its revision, as prompt.Revision.Short gives them
}

// Usage is what a provider reported about a request, in tokens; a negative
// number was not reported. It has the shape of chains.Usage, so that either
// converts to the other.
type Usage struct {
	Prompt     int     `json:"prompt"`
	Cached     int     `json:"cached"`
	CacheWrite int     `json:"cache_write"`
	Completion int     `json:"completion"`
	Reasoning  int     `json:"reasoning"`
	Cost       float64 `json:"cost"` // in US dollars
}

// The hidden block is JSON in an HTML comment, one line per message so that a
// version control system shows small changes:
//
//	<!-- ibid {"v":1,"turns":[
//	{"h":"…","items":[["note","a.md","0123456789abcdef"]]},
//	{"h":"…","notes":["I added the footer."]}
//	]} -->
//
// "--" would end the comment and "**" could pass for a header with readers that
// search for one, so neither stands in it.

const (
	blockOpen  = "<!-- ibid "
	blockClose = "-->"
)

// block is the JSON of the hidden block.
type block struct {
	V         int      `json:"v"`
	Title     string   `json:"title,omitempty"` // as topic and title had it: where they differ, the other one was edited
	Active    string   `json:"active,omitempty"`
	Origin    *Origin  `json:"branch,omitempty"`
	Muted     []refTag `json:"muted,omitempty"`
	Forgotten []refTag `json:"forgotten,omitempty"`
	Compat    bool     `json:"compat,omitempty"`
	Notes     []string `json:"notes,omitempty"` // notes to self before the first message
	Turns     []entry  `json:"turns"`
}

// entry is one displayed message with the notes to self that follow it.
type entry struct {
	H      string            `json:"h"` // hash of role and text
	T      int64             `json:"t,omitempty"`
	S      Status            `json:"s,omitempty"`
	Refs   []refTag          `json:"refs,omitempty"`
	Items  [][3]string       `json:"items,omitempty"`
	Layers map[string]string `json:"layers,omitempty"`
	Epoch  string            `json:"epoch,omitempty"`
	Model  string            `json:"model,omitempty"`
	Usage  *Usage            `json:"usage,omitempty"`
	Notes  []string          `json:"notes,omitempty"`
}

// refTag is a reference as [kind, id].
type refTag [2]string

func refTags(refs []prompt.Ref) []refTag {
	var tags []refTag
	for _, r := range refs {
		tags = append(tags, refTag{string(r.Kind), r.ID})
	}
	return tags
}

func tagRefs(tags []refTag) []prompt.Ref {
	var refs []prompt.Ref
	for _, t := range tags {
		refs = append(refs, prompt.Ref{Kind: prompt.Kind(t[0]), ID: t[1]})
	}
	return refs
}

// messageHash identifies a displayed message by role and text.
func messageHash(role Role, text string) string {
	h := sha256.New()
	h.Write([]byte(role))
	h.Write([]byte{0})
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// appendBlock writes the hidden block, or nothing when it would say nothing.
func appendBlock(b []byte, c *Chat) []byte {
	blk := block{
		V: version, Title: cleanTitle(c.Title), Active: c.Active, Muted: refTags(c.Muted), Forgotten: refTags(c.Forgotten), Compat: c.Compat,
	}
	worth := c.Active != "" || len(c.Muted) > 0 || len(c.Forgotten) > 0 || c.Compat
	if c.Origin != (Origin{}) {
		blk.Origin = &c.Origin
		worth = true
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Role != NoteToSelf {
			blk.Turns = append(blk.Turns, newEntry(m))
			worth = worth || m.Status != "" || !m.Meta.empty()
			continue
		}
		worth = true
		notes := &blk.Notes
		if n := len(blk.Turns); n > 0 {
			notes = &blk.Turns[n-1].Notes
		}
		*notes = append(*notes, m.Text)
	}
	if !worth {
		return b
	}
	turns := blk.Turns
	blk.Turns = []entry{}
	head := marshal(blk)
	b = append(b, blockOpen...)
	b = append(b, bytes.TrimSuffix(head, []byte("]}"))...)
	for i := range turns {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '\n')
		b = append(b, marshal(turns[i])...)
	}
	return append(b, "\n]} -->\n\n"...)
}

func newEntry(m *Message) entry {
	e := entry{H: messageHash(m.Role, m.Text), S: m.Status}
	if !m.Time.IsZero() {
		e.T = m.Time.Unix()
	}
	e.Refs = refTags(m.Meta.Refs)
	for _, it := range m.Meta.Items {
		e.Items = append(e.Items, [3]string{string(it.Ref.Kind), it.Ref.ID, it.Revision})
	}
	e.Layers, e.Epoch, e.Model, e.Usage = m.Meta.Layers, m.Meta.Epoch, m.Meta.Model, m.Meta.Usage
	return e
}

// marshal is JSON that may stand in the block. The only way to fail is a number
// that JSON cannot hold, which a cost that is not a number would be.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		if e, ok := v.(entry); ok {
			e.Usage = nil
			return marshal(e)
		}
		return []byte("{}")
	}
	data = bytes.ReplaceAll(data, []byte("--"), []byte(`-\u002d`))
	return bytes.ReplaceAll(data, []byte("**"), []byte(`*\u002a`))
}

// cutBlock takes the hidden block out of the text before the first message.
func cutBlock(preamble string) (blk *block, rest string, err error) {
	start := strings.Index(preamble, blockOpen)
	if start < 0 || start > 0 && preamble[start-1] != '\n' {
		return nil, preamble, nil
	}
	length := strings.Index(preamble[start:], blockClose)
	if length < 0 {
		return nil, preamble, nil
	}
	data := preamble[start+len(blockOpen) : start+length]
	rest = preamble[:start] + preamble[start+length+len(blockClose):]
	blk = new(block)
	if err := json.Unmarshal([]byte(data), blk); err != nil {
		return nil, rest, fmt.Errorf("read the hidden block: %w", err)
	}
	return blk, rest, nil
}

// apply gives the messages what the block knows about them and puts the notes to
// self in their places. It returns how many entries matched no message.
func (blk *block) apply(c *Chat) (lost int) {
	c.Active, c.Compat = blk.Active, blk.Compat
	c.Muted, c.Forgotten = tagRefs(blk.Muted), tagRefs(blk.Forgotten)
	if blk.Origin != nil {
		c.Origin = *blk.Origin
	}
	hashes := make([]string, len(c.Messages))
	for i := range c.Messages {
		hashes[i] = messageHash(c.Messages[i].Role, c.Messages[i].Text)
	}
	known := make([]string, len(blk.Turns))
	for i := range blk.Turns {
		known[i] = blk.Turns[i].H
	}
	match := align(hashes, known)
	messages := make([]Message, 0, len(c.Messages))
	messages = appendNotes(messages, blk.Notes)
	for i := range c.Messages {
		m := c.Messages[i]
		if match[i] < 0 {
			messages = append(messages, m)
			continue
		}
		e := &blk.Turns[match[i]]
		lost--
		e.restore(&m)
		messages = append(messages, m)
		messages = appendNotes(messages, e.Notes)
	}
	c.Messages = messages
	return lost + len(blk.Turns)
}

func appendNotes(messages []Message, notes []string) []Message {
	for _, n := range notes {
		messages = append(messages, Message{Role: NoteToSelf, Text: n})
	}
	return messages
}

// restore fills m with what e knows.
func (e *entry) restore(m *Message) {
	m.Status = e.S
	m.Meta = Meta{Refs: tagRefs(e.Refs), Layers: e.Layers, Epoch: e.Epoch, Model: e.Model, Usage: e.Usage}
	for _, it := range e.Items {
		m.Meta.Items = append(m.Meta.Items, Item{Ref: prompt.Ref{Kind: prompt.Kind(it[0]), ID: it[1]}, Revision: revision(it[2])})
	}
	if e.T != 0 && !m.Time.IsZero() {
		m.Time = sameWall(m.Time, e.T)
	}
	m.Context.adopt(m.Meta.Refs)
}

// revision is s if it looks like a recorded revision, else "".
func revision(s string) string {
	if len(s) != 16 {
		return ""
	}
	if _, err := strconv.ParseUint(s, 16, 64); err != nil {
		return ""
	}
	return s
}

// sameWall finds the location in which the recorded instant shows the wall time
// that was read: the file keeps it when it is opened in another zone. A wall
// time that a person has changed is no whole number of quarter hours away.
func sameWall(read time.Time, unix int64) time.Time {
	_, offset := read.Zone()
	wall := read.Unix() + int64(offset)
	shift := wall - unix
	switch {
	case read.Unix() == unix:
		return read
	case shift%(15*60) == 0 && shift >= -14*3600 && shift <= 14*3600:
		return time.Unix(unix, 0).In(time.FixedZone("", int(shift)))
	}
	return read
}

// adopt replaces URLs by the exact spelling that the block has for them, since
// the context line cannot hold every URL unchanged.
func (c *Context) adopt(refs []prompt.Ref) {
	exact := map[string]string{}
	for _, r := range refs {
		if written := escapeItem(r.ID, true); r.Kind == prompt.URL && written != r.ID {
			exact[written] = r.ID
		}
	}
	for _, list := range [][]string{c.URLs, c.WebTabs} {
		for i, written := range list {
			list[i] = cmp.Or(exact[written], written)
		}
	}
}

// align matches the messages of a file with entries of its block by hash, in
// order, as many as possible: match[i] is the entry of message i, or -1.
func align(messages, entries []string) (match []int) {
	match = make([]int, len(messages))
	i, j := 0, 0
	common := func(end int) {
		for ; i < end; i, j = i+1, j+1 {
			match[i] = j
		}
	}
	for _, d := range lcs.DiffLines(messages, entries) {
		for common(d.Start); i < d.End; i++ {
			match[i] = -1
		}
		j = d.ReplEnd
	}
	common(len(messages))
	return match
}
