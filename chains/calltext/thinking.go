package calltext

import (
	"strings"

	"ibid/vault/md"
)

// WithoutThinking removes the reasoning from a reply that another program saved with it: it is shown, but never
// sent back. Reasoning begins a line; the tag in a sentence or in a code fence is text.
func WithoutThinking(text string) string {
	const opening, closing = "<think>", "</think>"
	if !strings.Contains(text, opening) {
		return text
	}
	var out strings.Builder
	var code md.Fences
	for text != "" {
		line, _, _ := strings.Cut(text, "\n")
		if !code.Line(line) && strings.HasPrefix(strings.TrimSpace(line), opening) {
			_, after, closed := strings.Cut(text, closing)
			if !closed {
				after = "" // the reply broke off within its reasoning
			}
			text = strings.TrimLeft(after, " \n")
			continue
		}
		n := min(len(line)+1, len(text))
		out.WriteString(text[:n])
		text = text[n:]
	}
	return out.String()
}
