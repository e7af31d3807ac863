package cite

import (
	"bytes"
	"regexp"
	"strings"

	"ibid/vault/md"
)

// SignReader takes a reply as it streams and writes "[1]" as "[^1]" where a model left
// the sign out. An index, a year, a link, the number of a list and what stands in code
// stay as they are. Text is held back only while it may still become a reference. The
// text is the same however the reply is split. A SignReader is used by one goroutine.
type SignReader struct {
	Cites func(number int) bool // whether a source of this number may be meant

	code md.Fences // up to the last line
	text []byte    // the paragraph so far, as it was returned
	line int       // where its last line begins
	held []byte    // the beginning of a reference, or of several in a row
	out  []byte
}

var (
	bareForm   = regexp.MustCompile(`\[\d{1,4}(?:[,;] ?\d{1,4})*\]`)
	bareBegin  = regexp.MustCompile(`^(?:\[\d{1,4}(?:[,;] ?\d{1,4})*\])*(?:\[(?:\d{1,4}(?:[,;] ?\d{1,4})*(?:[,;] ?)?)?)?$`)
	onlyMarker = regexp.MustCompile(`^[\s>]*(?:[-*+#]+|\d+[.)])?\s*$`)
	codeSpan   = regexp.MustCompile("(?s)`[^`]+`|``.+?``")

	// A number at the end of a word without a blank is an index, but for scripts without blanks.
	behindWords = regexp.MustCompile(
		"(?:\\[\\^\\d{1,4}\\] *|[.,;:!?…%\"”’»*。，、；：！？」』）】] *|[\\p{L}\\p{N})\\]}'_`°€$] +|[\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Thai}])$")
)

const (
	longestRow  = 200     // bytes of references that follow each other, and of a line that tell what it is
	longestPart = 4 << 10 // bytes of a paragraph in which code is looked for
)

// BareNumbers is the numbers that stand in brackets in a text, without a sign.
func BareNumbers(text string) (all []int) {
	for _, form := range bareForm.FindAllString(text, -1) {
		all = append(all, numbersIn([]byte(form))...)
	}
	return all
}

// Write takes the next piece of the reply and returns the text that is settled.
func (r *SignReader) Write(piece string) string {
	for _, c := range []byte(piece) {
		if c == '[' || len(r.held) > 0 {
			if held := append(r.held, c); len(held) < longestRow && bareBegin.Match(held) {
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

// Close returns what was held back.
func (r *SignReader) Close() string {
	r.settle(0)
	return r.Write("")
}

func (r *SignReader) add(text ...byte) {
	r.text, r.out = append(r.text, text...), append(r.out, text...)
}

// settle decides about what is held, which next follows, 0 for the end of the reply.
func (r *SignReader) settle(next byte) {
	held, line := r.held, r.text[r.line:]
	if bytes.HasSuffix(held, []byte("]")) && next != '(' && next != ']' &&
		behindWords.Match(line[max(0, len(line)-20):]) &&
		!onlyMarker.Match(line) && r.code.KindBehind(string(line[:min(len(line), longestRow)])) == md.TextLine &&
		!bytes.Contains(codeSpan.ReplaceAll(r.text[max(0, len(r.text)-longestPart):], nil), []byte("`")) {
		held = bareForm.ReplaceAllFunc(held, r.signed)
	}
	r.add(held...)
	r.held = r.held[:0]
}

// signed is a reference with its sign, if it is one.
func (r *SignReader) signed(form []byte) []byte {
	var all []byte
	for _, n := range numbersIn(form) {
		if !r.Cites(n) {
			return form
		}
		all = append(all, reference(n)...)
	}
	return all
}
