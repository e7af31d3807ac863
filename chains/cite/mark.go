package cite

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The forms of a mark, where N is one number or several: "1, 2", "1 and 2", "1-3".
//
//	[^N]                     a footnote, the form that models are told to write
//	[N]  ［N］  (^N)           a footnote without its sign, or with other brackets
//	【N】  【N†source】          the form of some models' own searches
//	[source N]  [Document N]  a footnote with a word; see sourceWords
//
// Only the first form is a footnote wherever it stands. The others are read as one where they stand like a footnote
// and have numbers of sources.

// mark is a span of a text that refers to sources.
type mark struct {
	from, to int
	form     markForm
	numbers  []int
}

// markForm is the form of a mark.
type markForm byte

const (
	signedForm markForm = iota // [^1]
	bareForm                   // [1], which may also be an index, a year or a link
	roundForm                  // (^1), which may also be an exponent
	heavyForm                  // 【1】
	wordForm                   // [source 1]
)

// verdict says whether a text begins with a mark.
type verdict byte

const (
	isNone  verdict = iota
	isBegun         // the text ends before this is known
	isWhole
)

const (
	maxMark   = 100 // bytes of a mark
	maxRange  = 20  // numbers of a range, "1-20"
	maxDigits = 9
)

var openings = []struct {
	open, close string
	form        markForm
}{
	{"[", "]", bareForm}, {"［", "］", bareForm}, {"(^", ")", roundForm}, {"（^", "）", roundForm}, {"【", "】", heavyForm},
}

// sourceWords are the words in front of the number in a mark.
var sourceWords = []string{
	"source", "sources", "src", "document", "documents", "doc", "docs", "ref", "refs", "reference", "references",
	"cite", "citation", "footnote", "passage", "id", "quelle", "quellen", "dokument", "dokumente", "fußnote", "beleg",
	"fuente", "fuentes", "fonte", "fontes", "documento", "documentos", "источник", "документ", "来源", "文档", "出典", "文書",
}

// joints are the words that join numbers of a mark, and adjacent marks.
var joints = []string{"and", "&", "und", "et", "y", "и"}

// readMark reads the mark at the beginning of a text.
func readMark(text string) (mark, verdict) {
	begun := isNone
	for _, o := range openings {
		if rest, ok := strings.CutPrefix(text, o.open); ok {
			m := mark{form: o.form}
			r := markReader{rest: rest, mark: &m}
			result := r.read(o.close)
			m.to = len(text) - len(r.rest)
			if m.to > maxMark {
				return mark{}, isNone
			}
			return m, result
		}
		if strings.HasPrefix(o.open, text) {
			begun = isBegun
		}
	}
	return mark{}, begun
}

// markReader reads a mark behind its opening bracket.
type markReader struct {
	rest string
	mark *mark
}

func (r *markReader) read(end string) verdict {
	if r.mark.form != roundForm && r.skip("^") {
		r.mark.form = signedForm
	} else if result := r.word(); result != isWhole {
		return result
	}
	for {
		if result := r.number(); result != isWhole {
			return result
		}
		if result := r.toNumber(); result != isWhole {
			return result
		}
		if r.mark.form == heavyForm && r.skip("†") {
			at := strings.IndexAny(r.rest, "】\n")
			if at < 0 {
				return r.begun()
			}
			r.rest = r.rest[at:]
		}
		if r.skip(end) {
			return isWhole
		}
		if result := r.separator(end); result != isWhole {
			return result
		}
	}
}

// begun returns isBegun as long as the mark may not be too long.
func (r *markReader) begun() verdict {
	if len(r.rest) > maxMark {
		return isNone
	}
	r.rest = ""
	return isBegun
}

// skip skips text, and reports whether it was there.
func (r *markReader) skip(text string) bool {
	rest, ok := strings.CutPrefix(r.rest, text)
	r.rest = rest
	return ok
}

// spaces skips spaces and returns their number.
func (r *markReader) spaces() (n int) {
	for r.skip(" ") {
		n++
	}
	return n
}

// word skips a word for sources and what stands between it and a number. Without one it skips nothing.
func (r *markReader) word() verdict {
	end := strings.IndexFunc(r.rest, func(c rune) bool { return !unicode.IsLetter(c) })
	if end == 0 && r.rest[0] < utf8.RuneSelf {
		return isWhole
	}
	if end < 0 || !utf8.FullRuneInString(r.rest[end:]) { // the last character may be cut
		if !beginsWord(strings.ToLower(strings.ToValidUTF8(r.rest, ""))) {
			return isNone
		}
		r.rest = ""
		return isBegun
	}
	if r.mark.form == roundForm || !slices.Contains(sourceWords, strings.ToLower(r.rest[:end])) {
		return isNone
	}
	r.mark.form = wordForm
	r.rest = r.rest[end:]
	if !r.skip(":") {
		r.skip(".")
	}
	r.spaces()
	r.skip("#")
	return isWhole
}

// beginsWord reports whether a word for sources may begin with text, whose last character may be cut.
func beginsWord(text string) bool {
	return slices.ContainsFunc(sourceWords, func(word string) bool { return strings.HasPrefix(word, text) })
}

// number reads a number, which may have a sign on either side.
func (r *markReader) number() verdict {
	r.skip("^")
	n := 0
	for n < len(r.rest) && r.rest[n] >= '0' && r.rest[n] <= '9' {
		n++
	}
	if n > maxDigits || n == 0 && r.rest != "" {
		return isNone
	}
	if n == len(r.rest) {
		r.rest = ""
		return isBegun
	}
	number, _ := strconv.Atoi(r.rest[:n]) // at most nine digits
	r.mark.numbers = append(r.mark.numbers, number)
	r.rest = r.rest[n:]
	r.skip("^")
	return isWhole
}

// separator skips what separates two numbers.
func (r *markReader) separator(end string) verdict {
	if strings.HasPrefix(end, r.rest) || strings.HasPrefix("†", r.rest) {
		r.rest = ""
		return isBegun
	}
	spaces := r.spaces()
	stop := r.skip(",") || r.skip(";")
	after := r.spaces()
	if r.mark.form == bareForm { // a closer form, because this may be anything
		if r.rest != "" && (spaces > 0 || !stop || after > 1) {
			return isNone
		}
		return isWhole
	}
	joined := slices.ContainsFunc(joints, func(word string) bool { return r.skip(word + " ") })
	again := r.mark.form == wordForm && slices.ContainsFunc(sourceWords, func(word string) bool {
		return len(r.rest) > len(word) && strings.EqualFold(r.rest[:len(word)], word) && r.rest[len(word)] == ' '
	})
	if again {
		_, r.rest, _ = strings.Cut(r.rest, " ")
	}
	switch cut := strings.ToLower(r.rest); {
	case cut == "":
		return isBegun
	case slices.ContainsFunc(joints, func(word string) bool { return strings.HasPrefix(word+" ", cut) }),
		r.mark.form == wordForm && beginsWord(strings.TrimSuffix(cut, " ")):
		r.rest = ""
		return isBegun
	case spaces+after == 0 && !stop && !joined:
		return isNone
	}
	return isWhole
}

// toNumber reads a dash and the number behind it, and adds the numbers in between. Without a dash it reads nothing.
func (r *markReader) toNumber() verdict {
	dashed := false
	for _, dash := range []string{"-", "–", "—"} {
		if strings.HasPrefix(dash, r.rest) && r.rest != dash {
			r.rest = ""
			return isBegun
		}
		dashed = dashed || r.skip(dash)
	}
	if !dashed {
		return isWhole
	}
	last := len(r.mark.numbers)
	if result := r.number(); result != isWhole {
		return result
	}
	from, to := r.mark.numbers[last-1], r.mark.numbers[last]
	if to <= from || to-from > maxRange {
		return isNone
	}
	r.mark.numbers = r.mark.numbers[:last]
	for n := from + 1; n <= to; n++ {
		r.mark.numbers = append(r.mark.numbers, n)
	}
	return isWhole
}

// reference returns the mark that cites a number.
func reference(n int) string { return "[^" + strconv.Itoa(n) + "]" }

// references returns the marks that cite numbers.
func references(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(reference(n))
	}
	return b.String()
}
