package history

import (
	"bytes"
	"strings"
)

// Encode returns c as a markdown note, the same bytes for the same value. Times are written as the wall time of
// their location. Parts that did not change since they were read are copied byte for byte.
func Encode(c *Chat) []byte { return encode(c, true) }

// encode encodes c; own says whether to write the properties and hidden data that only ibid reads.
func encode(c *Chat, own bool) []byte {
	b := appendTop(make([]byte, 0, len(c.file.saved)+4096), c, own)
	for i := range c.Messages {
		m := &c.Messages[i]
		switch {
		case i == 0:
			if len(b) > 0 && b[len(b)-1] != '\n' { // the file was cut off above its messages
				b = appendGap(b, c.file.src)
			}
		case m.src != nil && m.src.gap != "":
			b = append(b, m.src.gap...)
		default:
			b = appendGap(b, c.file.src)
		}
		b = appendMessage(b, m, c.file.src)
	}
	return b
}

// appendTop appends the text above the messages.
func appendTop(b []byte, c *Chat, own bool) []byte {
	b, left := appendProperties(b, c, own)
	s := c.file.src
	if s == nil {
		return appendBlock(append(b, '\n'), c, nil)
	}
	if b = append(b, s.before...); !own {
		return append(b, s.after...)
	}
	start := len(b)
	b = appendBlock(b, c, left)
	switch written := len(b) > start; {
	case s.block && written:
		b = b[:len(b)-len("\n\n")]
	case s.block:
		return append(b, strings.TrimLeft(s.after, "\r\n")...)
	}
	return append(s.convertLineEnds(b, start), s.after...)
}

// appendGap appends the line ends that are missing from a blank line between two messages.
func appendGap(b []byte, s *source) []byte {
	text := bytes.TrimRight(b, "\r\n")
	start := len(b)
	for n := bytes.Count(b[len(text):], []byte("\n")); n < 2; n++ {
		b = append(b, '\n')
	}
	return s.convertLineEnds(b, start)
}

// appendMessage appends one message in Copilot's grammar.
func appendMessage(b []byte, m *Message, s *source) []byte {
	p := m.src
	start := len(b)
	if p != nil && m.Text == p.text && m.Thought == p.thought {
		b = append(b, p.head...)
	} else {
		b = s.convertLineEnds(appendText(b, m), start)
	}
	start = len(b)
	if p != nil && p.matchesContext(&m.Context) {
		b = append(b, p.context...)
	} else {
		b = s.convertLineEnds(appendContext(b, &m.Context), start)
	}
	start = len(b)
	if p != nil && m.Time == p.time && m.After == p.written {
		return append(append(b, p.rest...), p.tail...)
	}
	return s.convertLineEnds(appendStamp(b, m), start)
}

// appendText appends the header and the text of a message.
func appendText(b []byte, m *Message) []byte {
	text := m.Text
	if m.Role == User {
		b = append(b, userHeader...)
	} else {
		b = append(b, aiHeader...)
		text = withThought(m.Thought, ownReply(text))
	}
	return appendEscaped(append(b, ' '), text)
}

// appendStamp appends the time of a message, and the text that somebody wrote below it.
func appendStamp(b []byte, m *Message) []byte {
	b = append(append(b, '\n'), stampOpen...)
	if m.Time.IsZero() {
		b = append(b, unknownTime...)
	} else {
		b = m.Time.AppendFormat(b, stampLayout)
	}
	b = append(b, ']')
	if m.After != "" {
		b = append(b, "\n\n"...)
		b = appendEscaped(b, m.After)
	}
	return b
}

// Export returns the messages as plain markdown: no properties, no metadata, nothing hidden.
func Export(c *Chat) []byte {
	var b strings.Builder
	b.WriteString("# " + c.Name() + "\n")
	for _, m := range c.Messages {
		name := "You"
		if m.Role == Assistant {
			name = "Assistant"
		}
		b.WriteString("\n## " + name + "\n\n")
		if text := strings.TrimSpace(m.Text); text != "" {
			b.WriteString(text + "\n")
		}
		if m.Status != "" {
			b.WriteString("\n*" + m.Status.Describe() + "*\n")
		}
	}
	return []byte(b.String())
}

// Describe returns a phrase for how the reply ended.
func (s Status) Describe() string {
	switch s {
	case "":
		return "complete"
	case StatusCut:
		return "cut off"
	case StatusCancelled:
		return "stopped"
	case StatusLength:
		return "cut off at the model's length limit"
	case StatusFilter:
		return "ended by the provider's filter"
	}
	if kind := s.ErrorKind(); kind != "" {
		return "ended with an error: " + kind
	}
	return string(s)
}
