package cite

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

// SignReader takes a reply as it streams and writes "[1]" as "[^1]" where a model left
// the sign out. An index, a year, a link, the number of a list and what stands in code
// stay as they are. Text is held back only while it may still become a reference. The
// text is the same however the reply is split. A SignReader is used by one goroutine.
type SignReader struct {
	Cites func(number int) bool // whether a source of this number may be meant

	code  md.Fences
	line  []byte // the line so far, as it was returned
	ticks int    // backticks that opened a span of code, 0 outside of one
	run   int    // backticks that the line ends with
	held  []byte // the beginning of a reference, or of several
}

// longestRow is how many bytes of references that follow each other are looked at, and
// how many at the beginning of a line tell what it is.
const longestRow = 200

var (
	bareForm   = regexp.MustCompile(`\[\d{1,4}(?:[,;] ?\d{1,4})*\]`)
	bareBegin  = regexp.MustCompile(`^(?:\[\d{1,4}(?:[,;] ?\d{1,4})*\])*(?:\[(?:\d{1,4}(?:[,;] ?\d{1,4})*(?:[,;] ?)?)?)?$`)
	signedEnd  = regexp.MustCompile(`\[\^\d{1,4}\]$`)
	onlyMarker = regexp.MustCompile(`^[\s>]*(?:[-*+#]+|\d+[.)])?$`)
)

// Write takes the next piece of the reply and returns the text that is settled.
func (r *SignReader) Write(piece string) string {
	var out []byte
	for piece != "" {
		n := 0
		if len(r.held) == 0 {
			if n = strings.IndexAny(piece, "[`\n"); n < 0 {
				n = len(piece)
			}
			out = r.pass(out, piece[:n])
		}
		if n < len(piece) {
			out = r.step(out, piece[n])
			n++
		}
		piece = piece[n:]
	}
	return string(out)
}

// Close returns what was held back.
func (r *SignReader) Close() string { return string(r.settle(nil, 0)) }

// Bare is the numbers that stand in brackets in a text, without a sign.
func Bare(text string) (all []int) {
	for _, form := range bareForm.FindAllString(text, -1) {
		all = append(all, numbersIn([]byte(form))...)
	}
	return all
}

// step takes a byte that may have to do with a reference, or with code.
func (r *SignReader) step(out []byte, c byte) []byte {
	if c == '[' || len(r.held) > 0 {
		if r.held = append(r.held, c); len(r.held) < longestRow && bareBegin.Match(r.held) {
			return out
		}
		r.held = r.held[:len(r.held)-1]
		if out = r.settle(out, c); c == '[' {
			r.held = append(r.held, c)
			return out
		}
	}
	return r.pass(out, string([]byte{c}))
}

// pass lets text through that is no reference; only the first byte of it may be a
// backtick or the end of a line.
func (r *SignReader) pass(out []byte, text string) []byte {
	switch {
	case text == "":
		return out
	case text[0] == '`':
		r.run++
	default:
		r.endRun()
	}
	r.line = append(r.line, text...)
	if text[0] == '\n' {
		line := string(r.line[:len(r.line)-1])
		if r.code.Line(line); strings.TrimSpace(line) == "" || r.code.Kind() != md.TextLine {
			r.ticks = 0
		}
		r.line = r.line[:0]
	}
	return append(out, text...)
}

// endRun takes in that a row of backticks is whole: it begins a span of code, or ends it.
func (r *SignReader) endRun() {
	switch before := len(r.line) - r.run; {
	case r.run == 0:
	case r.ticks == r.run:
		r.ticks = 0
	case r.ticks == 0 && (before == 0 || r.line[before-1] != '\\'):
		r.ticks = r.run
	}
	r.run = 0
}

// settle writes what is held, which next follows, 0 for the end of the reply.
func (r *SignReader) settle(out []byte, next byte) []byte {
	held := r.held
	r.held = nil
	if len(held) == 0 {
		return out
	}
	r.endRun()
	if held[len(held)-1] == ']' && next != '(' && next != ']' && r.ticks == 0 && r.behindWords() && r.code.KindBehind(string(r.line[:min(len(r.line), longestRow)])) == md.TextLine {
		held = bareForm.ReplaceAllFunc(held, r.signed)
	}
	r.line = append(r.line, held...)
	return append(out, held...)
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

// behindWords reports whether the line so far ends with what a reference may follow. A
// number at the end of a word without a blank is an index, but for scripts that have none.
func (r *SignReader) behindWords() bool {
	words := bytes.TrimRight(r.line, " ")
	last, _ := utf8.DecodeLastRune(words)
	switch blank := len(words) < len(r.line); {
	case len(words) < longestRow && onlyMarker.Match(words):
		return false
	case signedEnd.Match(words[max(0, len(words)-len("[^1234]")):]), strings.ContainsRune(".,;:!?…%\"”’»*。，、；：！？”」』）】", last):
		return true
	case blank:
		return unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(")]}'_`°€$", last)
	}
	return unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
