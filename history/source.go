package history

import (
	"bytes"
	"strings"
	"time"

	"ibid/history/properties"
	"ibid/vault/md"
)

// Unchanged text is copied: a chat that was read keeps the text of its file in pieces, and encoding copies each
// piece as long as its content is that of the chat.

// source is the text around the messages of a file. The copies of a chat share it, so it never changes.
type source struct {
	opening string // byte order mark, and the line that opens the frontmatter
	inside  string
	closing string // the line that closes the frontmatter; "" if there is none
	before  string // between the frontmatter and the hidden block
	after   string // between the hidden block and the first message
	block   bool   // there was a hidden block
	crlf    bool   // line ends are those of Windows

	front facts
	read  Chat // the chat in the properties, with those in the hidden block
	seen  Chat // the chat in the properties alone
}

// hiddenComments is the text of ibid's comments before the first message. A merge may have left several of a kind.
type hiddenComments struct{ block, variants string }

// cutHidden splits the text before the first message around ibid's comments.
func (s *source) cutHidden(text string) (h hiddenComments) {
	start, _, ok := md.FindHidden(text)
	if !ok {
		start = strings.IndexByte(text, '\n') + 1
		if s.closing == "" || strings.TrimSpace(text[:start]) != "" {
			start = 0
		}
	}
	s.block, s.before, text = ok, text[:start], text[start:]
	for {
		start, end, ok := md.FindHidden(text)
		if !ok {
			s.after += text
			return h
		}
		if strings.TrimSpace(text[:start]) != "" {
			s.after += text[:start]
		}
		if comment := text[start:end]; strings.HasPrefix(comment, variantsOpen) {
			h.variants += "\n" + comment
		} else {
			h.block += "\n" + comment
		}
		text = text[end:]
	}
}

// withMissing returns s with those properties of another file added that s does not have.
func (s *source) withMissing(other *source) *source {
	if s.front.Fixed {
		s, other = other, s
	}
	sum := *s
	sum.front.List = s.front.Join(&other.front.List)
	sum.inside = string(s.appendInside(nil, &sum.front.List))
	return &sum
}

// appendInside appends the inside of the frontmatter with the properties of now.
func (s *source) appendInside(b []byte, now *properties.List) []byte {
	text, from := now.Text(&s.front.List, s.inside)
	return s.convertLineEnds(append(b, text...), len(b)+from)
}

// messageSource is the text of a message in its file, in parts, with the parsed values of these parts.
type messageSource struct {
	gap     string // blank lines before it
	head    string // header and text
	context string // context line
	rest    string // time stamp, and the text below the message
	tail    string // white space at the end of the file
	foreign bool
	headers int // lines of another program's message that read as headers

	text, thought, written string // Message.Text, Thought and After
	time                   time.Time
	parsedContext          *Context // nil if the context is empty
}

// remember records the values of the parts, which are those of m.
func (p *messageSource) remember(m *Message) {
	p.text, p.thought, p.written, p.time = m.Text, m.Thought, m.After, m.Time
	if p.parsedContext = nil; !m.Context.Empty() {
		c := m.Context
		p.parsedContext = &c
	}
}

// matchesContext reports whether the context line has the entries of c.
func (p *messageSource) matchesContext(c *Context) bool {
	return p.parsedContext == nil && c.Empty() || p.parsedContext != nil && p.parsedContext.equal(c)
}

// foreignHeaders counts the lines that read as headers up to the last message that another program wrote.
func foreignHeaders(messages []Message) int {
	n, foreign := 0, 0
	for i := range messages {
		m := &messages[i]
		switch {
		case m.Foreign() && m.Text == m.src.text:
			n += m.src.headers
		default:
			n++
		}
		if m.Foreign() {
			foreign = n
		}
	}
	return foreign
}

// convertLineEnds converts b[from:] to the line ends of the file.
func (s *source) convertLineEnds(b []byte, from int) []byte {
	if s == nil || !s.crlf {
		return b
	}
	return append(b[:from], bytes.ReplaceAll(b[from:], []byte("\n"), []byte("\r\n"))...)
}
