package history

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ibid/vault/md"
)

// Decode reads a saved chat of any version that ibid or Obsidian Copilot has
// written. Times without a zone are local wall time. What was wrong and tolerated
// comes back as warnings; a file that is no chat gives ErrNotChat.
func Decode(data []byte) (Chat, []Warning, error) {
	return decode(data, time.Local)
}

func decode(data []byte, zone *time.Location) (Chat, []Warning, error) {
	text, crlf := normal(string(data))
	inside, body, hasFront := cutFront(text)
	f, err := parseFront(inside)
	d := decoder{zone: zone, escaped: f.chat.Version > 0}
	if err != nil {
		d.warn("frontmatter", "the properties at the top are damaged; what could be read of them was kept", 0)
	}
	if !d.escaped && !crlf && strings.Contains(body, "\r\n") {
		body = strings.ReplaceAll(body, "\r\n", "\n")
	}
	c := f.chat
	spans, first := split(body, d.escaped)
	if len(spans) == 0 && !(hasFront && f.isChat()) {
		return Chat{}, nil, ErrNotChat
	}
	blk, preamble, err := cutBlock(body[:first])
	if err != nil {
		d.warn("metadata", "the hidden data of this chat is damaged and was ignored; the text is complete", 0)
	}
	c.Preamble = d.free(preamble)
	c.Messages = make([]Message, 0, len(spans))
	for i, s := range spans {
		c.Messages = append(c.Messages, d.message(s.role, body[s.start:s.end], i+1))
	}
	if c.Epoch == 0 && len(c.Messages) > 0 && !c.Messages[0].Time.IsZero() {
		c.Epoch = c.Messages[0].Time.UnixMilli()
	}
	if blk != nil {
		c.Title = f.edited(blk.Title)
		if lost := blk.apply(&c); lost > 0 {
			d.warn("metadata", fmt.Sprintf("edited elsewhere: hidden data of %d message(s) no longer fits and was left out", lost), 0)
		}
	} else {
		c.Compat = f.chat.Version == 0 && inlined(c.Messages)
	}
	if f.chat.Version > version {
		c.ReadOnly = true
		d.warn("newer", "written by a newer ibid: opened read-only; update ibid to continue this chat", 0)
	}
	return c, d.warnings, nil
}

// normal cuts a byte order mark and makes CRLF into LF when the file's first
// line says that the whole file is kept that way.
func normal(text string) (string, bool) {
	text = strings.TrimPrefix(text, "\uFEFF")
	i := strings.IndexByte(text, '\n')
	if i <= 0 || text[i-1] != '\r' {
		return text, false
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), true
}

// isChat reports whether the properties alone make a file a chat.
func (f *front) isChat() bool {
	return f.chat.Version > 0 || f.chat.Epoch != 0 && f.chat.ModelKey != "" || slices.Contains(f.chat.Tags, chatTag)
}

// modelName is the model in Copilot's "name|provider".
func modelName(key string) string {
	if i := strings.LastIndexByte(key, '|'); i >= 0 {
		return key[:i]
	}
	return key
}

type decoder struct {
	zone     *time.Location
	escaped  bool // ibid wrote the file: texts are exact and escaped
	warnings []Warning
}

func (d *decoder) warn(kind, text string, message int) {
	d.warnings = append(d.warnings, Warning{Kind: kind, Text: text, Message: message})
}

// free is text that belongs to no message, without the blank lines around it.
func (d *decoder) free(s string) string {
	s = unescape(strings.Trim(s, "\n\r"))
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// message reads what stands between one header and the next. Metadata is at the
// end: a time stamp as the last line, a context line before it. Where other text
// is last, someone wrote below the message.
func (d *decoder) message(role Role, raw string, n int) Message {
	m := Message{Role: role}
	text, line := lastLine(raw)
	switch {
	case strings.HasPrefix(line, stampOpen):
		m.Time = parseStamp(stampText(line), d.zone)
		raw = text
	case strings.HasPrefix(line, contextOpen):
	default:
		if before, stamp, after, ok := d.appended(raw); ok {
			m.Time = parseStamp(stampText(stamp), d.zone)
			m.After = d.free(after)
			raw = before
			if m.After != "" {
				d.warn("appended", fmt.Sprintf("text below message %d belongs to no message: kept in the file, not sent", n), n)
			}
		} else if d.escaped {
			raw = strings.TrimSuffix(raw, "\n\n")
		}
	}
	if text, line := lastLine(raw); strings.HasPrefix(line, contextOpen) {
		m.Context = parseContext(line, d.escaped)
		raw = text
	}
	m.Text = d.text(role, raw)
	return m
}

// lastLine parts s before its last line that is not blank. text is without the
// newline between them.
func lastLine(s string) (text, line string) {
	s = strings.TrimRight(s, " \t\r\n")
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return s[:i], s[i+1:]
	}
	return "", s
}

// appended looks for the message's time stamp above text that was added below it.
// In files that ibid did not write, a stamp inside a code fence is text.
func (d *decoder) appended(raw string) (before, stamp, after string, ok bool) {
	var code []span
	if !d.escaped && strings.Contains(raw, "\n"+stampOpen) {
		code = fenced(raw)
	}
	for end := len(raw); end > 0; {
		i := strings.LastIndex(raw[:end], "\n"+stampOpen)
		if i < 0 {
			return "", "", "", false
		}
		line, rest, _ := strings.Cut(raw[i+1:], "\n")
		end = i
		for len(code) > 0 && code[len(code)-1].start > i {
			code = code[:len(code)-1]
		}
		switch n := len(code) - 1; {
		case !isStamp(line):
		case n >= 0 && code[n].end > i:
			end = code[n].start
		default:
			return raw[:i], line, rest, true
		}
	}
	return "", "", "", false
}

// fenced finds the code fences that are closed, from the first line of each to
// the start of the last.
func fenced(text string) []span {
	var all []span
	var open md.Fence
	var opened int
	for pos := 0; pos < len(text); {
		line, _, _ := strings.Cut(text[pos:], "\n")
		f := fence(line)
		switch {
		case f.Char == 0:
		case open.Char == 0:
			open, opened = f, pos
		case f.Closes(open):
			all = append(all, span{start: opened, end: pos})
			open = md.Fence{}
		}
		pos += len(line) + 1
	}
	return all
}

// text is the display text. In ibid's files it is exact; Copilot trims what it
// shows, and so do we for its files.
func (d *decoder) text(role Role, raw string) string {
	if d.escaped {
		return unescape(raw)
	}
	text := unescape(strings.TrimSpace(raw))
	if role == Assistant {
		text = foreignReply(text)
	}
	return text
}

// Before contexts were saved, some versions saved the text of the attached notes
// inside the message, and the question after it.

// inlineTags are how attached text was wrapped in such messages.
var inlineTags = []string{
	"[User query]:", "<note_context>", "<active_note>", "<selected_text>", "<url_content>", "<embedded_note>", "<variable",
	"<user_uploaded", "# Additional context:",
}

// inlined reports whether a chat without any context lines has messages that may
// carry their context in their text.
func inlined(messages []Message) bool {
	found := false
	for i := range messages {
		m := &messages[i]
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

// Inlined parts a message of a Compat chat into the context that was saved in
// its text and the question, its final line. Other messages have no context.
// The transcript shows Text in either case.
func (m *Message) Inlined() (context, question string) {
	text := strings.TrimSpace(m.Text)
	if i := strings.LastIndex(text, inlineTags[0]); i >= 0 {
		if q := strings.TrimSpace(text[i+len(inlineTags[0]):]); q != "" {
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
