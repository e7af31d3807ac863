package history

import (
	"strings"
)

// Encode writes a chat as a markdown note, the same bytes for the same value.
// Times are written as the wall time of the location they carry. It writes the
// present format whatever the chat was read from.
func Encode(c *Chat) []byte {
	size := 512
	for i := range c.Messages {
		size += len(c.Messages[i].Text) + 160
	}
	b := appendFront(make([]byte, 0, size), c, version)
	b = append(b, '\n')
	b = appendBlock(b, c)
	if c.Preamble != "" {
		b = appendEscaped(b, c.Preamble)
		b = append(b, "\n\n"...)
	}
	first := true
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Role == NoteToSelf {
			continue
		}
		if !first {
			b = append(b, "\n\n"...)
		}
		first = false
		b = appendMessage(b, m)
	}
	return b
}

// appendMessage writes one message in Copilot's grammar.
func appendMessage(b []byte, m *Message) []byte {
	text := m.Text
	if m.Role == User {
		b = append(b, userHeader...)
	} else {
		b = append(b, aiHeader...)
		text = ownReply(text)
	}
	b = append(b, ' ')
	b = appendEscaped(b, text)
	b = appendContext(b, &m.Context)
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

// Export writes what the chat shows as plain markdown: no properties, no
// metadata, nothing hidden.
func Export(c *Chat) []byte {
	var b strings.Builder
	b.WriteString("# " + c.Name() + "\n")
	for _, m := range c.Display() {
		name := "You"
		if m.Role == Assistant {
			name = "Assistant"
		}
		b.WriteString("\n## " + name + "\n\n")
		if text := strings.TrimSpace(m.Text); text != "" {
			b.WriteString(text + "\n")
		}
		if m.Status != "" {
			b.WriteString("\n*" + m.Status.describe() + "*\n")
		}
	}
	return []byte(b.String())
}

// describe says in words how a reply ended.
func (s Status) describe() string {
	switch s {
	case "":
		return "complete"
	case StatusCut:
		return "cut off"
	case StatusCancelled:
		return "stopped"
	}
	if kind := s.ErrorKind(); kind != "" {
		return "ended with an error: " + kind
	}
	return string(s)
}
