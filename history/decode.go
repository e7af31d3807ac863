package history

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ibid/vault/md"
)

// Decode reads a saved chat of any version that ibid or Obsidian Copilot has written. Times without a zone are
// local wall time. Tolerated defects come back as warnings; a file that is no chat gives ErrNotChat.
func Decode(data []byte) (Chat, []Warning, error) {
	return decode(data, time.Local)
}

// notChat returns ErrNotChat with the reason, where one is known.
func notChat(text string) error {
	switch text = strings.TrimSpace(text); {
	case text == "":
		return fmt.Errorf("%w: the file is empty", ErrNotChat)
	case strings.HasPrefix(text+"--", "---") && !strings.Contains(text, "\n---"):
		return fmt.Errorf("%w: it is cut off within its properties; a backup of the folder may have it whole", ErrNotChat)
	}
	return ErrNotChat
}

func decode(data []byte, zone *time.Location) (Chat, []Warning, error) {
	r, err := parseFile(string(data))
	d := decoder{zone: zone}
	if err != nil {
		d.warn("frontmatter", "the properties at the top are damaged; what could be read of them was kept")
	}
	if !r.src.isChat(len(r.spans), true) {
		return Chat{}, nil, notChat(string(data))
	}
	c := r.front.chat
	c.file.src = r.src
	blk, whole := readBlock(r.hidden.block)
	variants, sound := readVariants(r.hidden.variants)
	if !whole || !sound {
		d.warn("metadata",
			"the hidden data of this chat is damaged; what could be read of it is used, and the text is complete")
	}
	c.Messages = make([]Message, 0, len(r.spans))
	places := make([]messageSource, len(r.spans))
	for i, s := range r.spans {
		p := &places[i]
		m := d.message(s, r.norm[r.body+s.start:r.body+s.end], r.text.next(r.body+s.end), i+1, p)
		if i > 0 {
			p.gap, places[i-1].tail = places[i-1].tail, ""
		}
		m.src = p
		c.Messages = append(c.Messages, m)
	}
	if c.Epoch == 0 && len(c.Messages) > 0 && !c.Messages[0].Time.IsZero() {
		c.Epoch = c.Messages[0].Time.UnixMilli()
	}
	c.file.compat = hasInlined(c.Messages)
	if blk != nil {
		if r.front.legacy {
			c.Title = r.front.edited(blk.Title)
		}
		if lost := blk.apply(&c); lost > 0 {
			d.warn("metadata",
				fmt.Sprintf("edited elsewhere: hidden data of %d message(s) no longer fits and was left out", lost))
		}
	}
	c.attachVariants(variants)
	if c.file.src.read.file.version > version {
		c.ReadOnly = true
		d.warn("newer", "written by a newer ibid: opened read-only; update ibid to continue this chat")
	}
	return c, d.warnings, nil
}

// attachVariants adds the variants of a file to c, and remembers the state of the chat as the file has it, now that all
// of it was read.
func (c *Chat) attachVariants(variants []variantLine) {
	c.addVariants(variants)
	if links := c.file.src.front.links; links != nil {
		_, c.file.src.front.addedLinks = pairLinks(usedLinks(c), links)
	}
	for i := range c.Messages {
		if m := &c.Messages[i]; m.src != nil {
			m.src.remember(m)
		}
	}
}

// parsedFile is a file in its parts. Offsets refer to norm: the text without byte order mark and, if the first
// line ends with \r\n, with plain line ends; text gives the original bytes.
type parsedFile struct {
	norm         string
	text         originalText
	src          *source
	front        front
	body         int // where the frontmatter ends
	spans        []span
	firstMessage int // offset of the first message in the body
	hidden       hiddenComments
}

// parseFile finds the frontmatter and the messages of a file. The error says that the properties are damaged; the
// result holds what could be read of them.
func parseFile(file string) (parsedFile, error) {
	text := strings.TrimPrefix(file, "\uFEFF")
	r := parsedFile{norm: text, text: originalText{text: text}, src: &source{opening: file[:len(file)-len(text)]}}
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		r.src.crlf = true
		r.norm = strings.ReplaceAll(text, "\r\n", "\n")
	}
	r.text.norm = r.norm
	inside, at, ok := md.Frontmatter(r.norm)
	for range headerLines(inside) { // the frontmatter was never closed: what looks like its end is in a message
		ok = false
	}
	var err error
	r.front.foreign = math.MaxInt
	if ok {
		r.body = at
		r.src.opening += r.text.next(len("---\n"))
		r.src.inside = r.text.next(len("---\n") + len(inside))
		r.src.closing = r.text.next(at)
		r.front, err = parseFront(inside, "")
	}
	r.src.seen = r.front.chat
	r.spans, r.firstMessage = splitMessages(r.norm[r.body:], r.front.foreign)
	r.hidden = r.src.cutHidden(r.text.next(r.body + r.firstMessage))
	if strings.Contains(r.hidden.block, `"own":`) { // properties that the frontmatter has no place for
		if blk, _ := readBlock(r.hidden.block); blk != nil && blk.Own != "" {
			r.front, err = parseFront(inside, blk.Own)
			r.spans, _ = splitMessages(r.norm[r.body:], r.front.foreign)
		}
	}
	r.src.front = r.front.facts
	r.src.read = r.front.chat
	return r, err
}

// originalText returns, piece by piece, the text that norm was made of: norm has plain line ends in place of those
// of Windows.
type originalText struct {
	text, norm string
	at, from   int // end of the pieces returned so far: norm[:at] and text[:from]
}

// next returns the original of norm from the end of the last call to norm[end].
func (o *originalText) next(end int) string {
	start := o.from
	if len(o.text) == len(o.norm) {
		o.at, o.from = end, end
		return o.text[start:end]
	}
	for ; o.at < end; o.at++ {
		for o.text[o.from] != o.norm[o.at] {
			o.from++
		}
		o.from++
	}
	return o.text[start:o.from]
}

// modelName returns the model of a key in Copilot's form "name|provider".
func modelName(key string) string {
	if i := strings.LastIndexByte(key, '|'); i >= 0 {
		return key[:i]
	}
	return key
}

type decoder struct {
	zone     *time.Location
	warnings []Warning
}

func (d *decoder) warn(kind, text string) {
	d.warnings = append(d.warnings, Warning{Kind: kind, Text: text})
}

// freeText returns text that belongs to no message, without the blank lines around it.
func freeText(s string) string {
	s = unescape(strings.Trim(s, "\n\r"))
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// message reads the message in norm, from one header to the next, and records in p where its parts are in the
// original. Metadata is at the end: a time stamp as the last line, a context line before it. If other text is
// last, somebody wrote below the message.
func (d *decoder) message(s span, norm, text string, n int, p *messageSource) Message {
	m := Message{Role: s.role}
	if s.foreign && strings.Contains(norm, "\r") {
		norm = strings.ReplaceAll(norm, "\r\n", "\n")
	}
	raw := norm[s.text-s.start:]
	end := len(strings.TrimRight(raw, " \t\r\n"))
	meta := end // where the time stamp begins, if there is one
	before, line := lastLine(raw)
	switch {
	case strings.HasPrefix(line, stampOpen):
		m.Time = parseStamp(stampText(line), d.zone)
		meta = len(before)
	case strings.HasPrefix(line, contextOpen):
	default:
		if before, stamp, after, ok := splitAppended(raw); ok {
			m.Time = parseStamp(stampText(stamp), d.zone)
			m.After = freeText(after)
			meta, end = len(before), len(strings.TrimRight(raw, "\r\n"))
			if m.After != "" {
				d.warn("appended",
					fmt.Sprintf("text below message %d belongs to no message: kept in the file, not sent", n))
			}
		} else if !s.foreign {
			// the rest is the blank line between two messages, or a part of it
			end = len(strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\n"))
			meta = end
		}
	}
	at := meta // start of the context line, if there is one
	if before, line := lastLine(raw[:meta]); strings.HasPrefix(line, contextOpen) {
		m.Context = parseContext(line, !s.foreign)
		at = len(before)
	}
	m.Text = messageText(s, raw[:at])
	if s.role == Assistant {
		m.Thought, m.Text = cutThought(m.Text)
	}
	from, o := s.text-s.start, originalText{text: text, norm: norm}
	p.head, p.context, p.rest, p.tail = o.next(from+at), o.next(from+meta), o.next(from+end), o.next(len(norm))
	if p.foreign = s.foreign; s.foreign {
		for range headerLines(norm) {
			p.headers++
		}
	}
	return m
}

// lastLine splits s before its last line that is not blank. text ends before the newline between them.
func lastLine(s string) (text, line string) {
	s = strings.TrimRight(s, " \t\r\n")
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return s[:i], s[i+1:]
	}
	return "", s
}

// splitAppended looks for the time stamp of a message that has other text below it.
func splitAppended(raw string) (before, stamp, after string, ok bool) {
	for end := len(raw); ; {
		if end = strings.LastIndex(raw[:end], "\n"+stampOpen); end < 0 {
			return "", "", "", false
		}
		if line, rest, _ := strings.Cut(raw[end+1:], "\n"); isStamp(line) {
			return raw[:end], line, rest, true
		}
	}
}

// messageText returns the text to display. What ibid wrote is exact; text of other writers is trimmed, as
// Copilot does for display.
func messageText(s span, raw string) string {
	if !s.foreign {
		return unescape(raw)
	}
	text := unescape(strings.TrimSpace(raw))
	if s.role == Assistant {
		text = foreignReply(text)
	}
	return text
}

// Before contexts were saved, some versions saved the text of the attached notes
// inside the message, and the question after it.

// inlinedQuery is the mark in front of the question in such messages.
const inlinedQuery = "[User query]:"

// hasInlined reports whether no message of other programs has a context line, and at least one may carry its
// context in its text.
func hasInlined(messages []Message) bool {
	found := false
	for i := range messages {
		m := &messages[i]
		if !m.Foreign() {
			continue
		}
		if !m.Context.Empty() {
			return false
		}
		if m.Role == User && !found {
			context, _ := m.Inlined()
			found = context != ""
		}
	}
	return found
}

// Inlined splits a message of a Compat chat into the context that was saved in its text and the question, its
// final line. For other messages context is "". The transcript shows Text in either case.
func (m *Message) Inlined() (context, question string) {
	text := strings.TrimSpace(m.Text)
	if i := strings.LastIndex(text, inlinedQuery); i >= 0 {
		if q := strings.TrimSpace(text[i+len(inlinedQuery):]); q != "" {
			return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text[:i]), "---")), q
		}
	}
	i := strings.LastIndexByte(text, '\n')
	if i < 0 {
		return "", m.Text
	}
	last := strings.TrimSpace(text[i+1:])
	context = strings.TrimSpace(text[:i])
	if context == "" || strings.HasPrefix(last, "```") || strings.HasPrefix(last, "</") {
		return "", m.Text
	}
	return context, last
}
