package wire

import "strings"

// marksOfEnd stand behind replies, put there by templates of models. Servers that do not
// know the template send it as text.
var marksOfEnd = []string{"<|return|>", "<|end|>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>"}

// maxMarks bounds the bytes of marks in a row that are taken off.
const maxMarks = 4 << 10

// endMarks takes such marks off the end of a reply; elsewhere they are words of it.
// Text may be cut anywhere. The zero value is ready for one reply.
type endMarks struct{ held string }

// add takes the next piece of a reply, and gives what is not one of the marks.
func (e *endMarks) add(text string) string {
	text, e.held = e.held+text, ""
	for i := max(0, len(text)-maxMarks); i < len(text); i++ {
		if text[i] != '<' {
			continue
		}
		if only, _ := onlyMarks(text[i:]); only {
			text, e.held = text[:i], text[i:]
			break
		}
	}
	return text
}

// rest gives what was held back, where the reply goes on in another way.
func (e *endMarks) rest() string {
	rest := e.held
	e.held = ""
	return rest
}

// close gives what was held back and is no mark: the reply ended.
func (e *endMarks) close() string {
	rest := e.rest()
	if _, whole := onlyMarks(rest); whole {
		return ""
	}
	return rest
}

// onlyMarks reports whether text is marks and the blank space behind them, the last
// of which may be cut off; whole says that it is not.
func onlyMarks(text string) (only, whole bool) {
	for text != "" {
		cut := false
		for _, m := range marksOfEnd {
			if rest, ok := strings.CutPrefix(text, m); ok {
				text, cut = strings.TrimLeft(rest, blank), true
				break
			}
			only = only || strings.HasPrefix(m, text)
		}
		if !cut {
			return only, false
		}
		only = false
	}
	return true, true
}
