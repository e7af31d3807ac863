package prompt

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Dump returns the whole request as text for a person, message by message, with notes-to-self under a heading of
// their own.
func (e Envelope) Dump() string {
	var b strings.Builder
	messages := e.Messages()
	b.WriteString("=== SYSTEM PROMPT ===\n\n")
	if len(messages) > 0 && messages[0].Role == System {
		b.WriteString(messages[0].Content + "\n\n")
	}
	b.WriteString("=== CONVERSATION HISTORY ===\n\n")
	for _, m := range e.History() {
		text, note := m.Content, ""
		if m.Role == Assistant {
			text, note, _ = SplitNote(m.Content)
		}
		if text != "" {
			section(&b, strings.ToUpper(string(m.Role)), text)
		}
		if note != "" {
			section(&b, "NOTE TO SELF", note)
		}
	}
	b.WriteString("=== CURRENT USER MESSAGE ===\n\n" + e.request.user[0].Content)
	if len(e.request.loop) > 0 {
		b.WriteString("\n\n" + strings.TrimSuffix(e.Text("tools"), "\n\n"))
	}
	return b.String()
}

// dumpLoop writes a message of a tool loop.
func dumpLoop(b *strings.Builder, m Message) {
	if m.Role == ToolRole || m.Role == User {
		section(b, "TOOL RESULT", m.Content)
		return
	}
	if m.Content != "" {
		section(b, strings.ToUpper(string(m.Role)), m.Content)
	}
	for _, c := range m.ToolCalls {
		section(b, "TOOL CALL", c.Name+" "+c.Arguments)
	}
}

// DiffRequests returns a unified diff of the dumps of two requests, "" if they are the same.
func DiffRequests(a, b Envelope, nameA, nameB string) string {
	return strings.TrimSuffix(udiff.Unified(nameA, nameB, a.Dump()+"\n", b.Dump()+"\n"), "\n")
}

func section(b *strings.Builder, head, text string) {
	b.WriteString("--- " + head + " ---\n" + text + "\n\n")
}
