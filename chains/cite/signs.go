package cite

import (
	"bytes"
	"regexp"
	"strings"

	"ibid/vault/md"
)

// SignReader writes "[1]" as "[^1]" in a streaming reply, where a model left the sign out. It leaves indexes,
// years, links, numbers of lists and code unchanged. Text is held back only as long as it may still become a
// reference. The result does not depend on how the reply is cut. A SignReader is for one goroutine.
type SignReader struct {
	Cites func(number int) bool // reports whether a source of this number may be meant

	code md.Fences // state after the last line
	text []byte    // paragraph so far, as it was returned
	line int       // offset of its last line
	held []byte    // beginning of a reference, or of several adjacent ones
	out  []byte
}

var (
	bareForm   = regexp.MustCompile(`\[\d{1,4}(?:[,;] ?\d{1,4})*\]`)
	bareBegin  = regexp.MustCompile(`^(?:\[\d{1,4}(?:[,;] ?\d{1,4})*\])*(?:\[(?:\d{1,4}(?:[,;] ?\d{1,4})*(?:[,;] ?)?)?)?$`)
	onlyMarker = regexp.MustCompile(`^[\s>]*(?:[-*+#]+|\d+[.)])?\s*$`)
	codeSpan   = regexp.MustCompile("(?s)`[^`]+`|``.+?``")

	// A number directly after a word is an index, except in scripts without spaces.
	afterWord = regexp.MustCompile(
		"(?:\\[\\^\\d{1,4}\\] *|[.,;:!?…%\"”’»*。，、；：！？」』）】] *|[\\p{L}\\p{N})\\]}'_`°€$] +|[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}])$")
)

const (
	maxRow       = 200     // bytes of adjacent references, and of a line that are examined
	maxParagraph = 4 << 10 // bytes of a paragraph that are searched for code
)

// BareNumbers returns the numbers in brackets in a text, without a sign.
func BareNumbers(text string) (all []int) {
	for _, form := range bareForm.FindAllString(text, -1) {
		all = append(all, numbersIn(form)...)
	}
	return all
}

// Write takes the next piece of the reply and returns the text that is decided.
func (r *SignReader) Write(piece string) string {
	for _, c := range []byte(piece) {
		if c == '[' || len(r.held) > 0 {
			if held := append(r.held, c); len(held) < maxRow && bareBegin.Match(held) {
				r.held = held
				continue
			}
			if r.settle(c); c == '[' {
				r.held = append(r.held, c)
				continue
			}
		}
		r.add(c)
		if c == '\n' {
			line := string(r.text[r.line:])
			r.code.Line(strings.TrimSuffix(line, "\n"))
			if r.line = len(r.text); strings.TrimSpace(line) == "" || r.code.Kind() != md.TextLine {
				r.text, r.line = r.text[:0], 0
			}
		}
	}
	out := string(r.out)
	r.out = r.out[:0]
	return out
}

// Close returns the rest.
func (r *SignReader) Close() string {
	r.settle(0)
	return r.Write("")
}

func (r *SignReader) add(text ...byte) {
	r.text, r.out = append(r.text, text...), append(r.out, text...)
}

// settle decides about held. next is the byte after it, 0 at the end of the reply.
func (r *SignReader) settle(next byte) {
	held, line := r.held, r.text[r.line:]
	if bytes.HasSuffix(held, []byte("]")) && next != '(' && next != ']' &&
		afterWord.Match(line[max(0, len(line)-20):]) &&
		!onlyMarker.Match(line) && r.code.KindBehind(string(line[:min(len(line), maxRow)])) == md.TextLine &&
		!bytes.Contains(codeSpan.ReplaceAll(r.text[max(0, len(r.text)-maxParagraph):], nil), []byte("`")) {
		held = bareForm.ReplaceAllFunc(held, r.signed)
	}
	r.add(held...)
	r.held = r.held[:0]
}

// signed returns a reference with its sign, or form unchanged if it is none.
func (r *SignReader) signed(form []byte) []byte {
	var all []byte
	for _, n := range numbersIn(string(form)) {
		if !r.Cites(n) {
			return form
		}
		all = append(all, reference(n)...)
	}
	return all
}
