package wire

import (
	"slices"
	"strings"
)

// marksOfEnd are marks that the templates of models put after replies. Servers that do not know the template send
// them as text.
var marksOfEnd = []string{
	"<|return|>", "<|end|>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<end_of_turn>", "<turn|>",
	"<|END_RESPONSE|>", "<|END_TEXT|>", "<|END_OF_TURN_TOKEN|>", "<|end_of_solution|>",
}

// answerEnd is such a mark where the reply has begun with answerTag.
const answerEnd = "</answer>"

// maxMarks limits the bytes of consecutive marks that are removed.
const maxMarks = 4 << 10

// endMarks removes such marks from the end of a reply; elsewhere they are part of its text. Pieces may be cut
// anywhere. The zero value is ready for one reply.
type endMarks struct {
	inAnswer bool // the reply has begun with answerTag
	held     string
}

// add takes the next piece of a reply and returns the text that cannot belong to marks at the end.
func (e *endMarks) add(text string) string {
	text, e.held = e.held+text, ""
	for i := max(0, len(text)-maxMarks); i < len(text); i++ {
		if text[i] != '<' {
			continue
		}
		if only, _ := e.onlyMarks(text[i:]); only {
			text, e.held = text[:i], text[i:]
			break
		}
	}
	return text
}

// rest returns the text that was held back, when no marks follow it.
func (e *endMarks) rest() string {
	rest := e.held
	e.held = ""
	return rest
}

// close returns the text that was held back and is no mark. The reply has ended.
func (e *endMarks) close() string {
	rest := e.rest()
	if _, whole := e.onlyMarks(rest); whole {
		return ""
	}
	return rest
}

// onlyMarks reports whether text consists of marks and the blank space after them, where the last mark may be
// incomplete; whole reports that it is complete.
func (e *endMarks) onlyMarks(text string) (only, whole bool) {
	marks := marksOfEnd
	if e.inAnswer {
		marks = append(slices.Clip(marks), answerEnd)
	}
	for text != "" {
		cut := false
		for _, m := range marks {
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
