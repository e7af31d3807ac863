package dates

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:embed words.txt
var wordTable string

// token is one or several words with one meaning; see words.txt for the kinds.
type token struct {
	kind       byte // 0 for a word that has nothing to do with times
	n          int
	start, end int  // offsets in the folded text
	digits     bool // written in digits
	dense      bool // written in a script without spaces
}

// tables holds the words of each language, and the forms of times in digits.
type tables struct {
	languages []map[string]token
	digits    []form
}

var table = sync.OnceValue(func() (t tables) {
	for line := range strings.Lines(wordTable) {
		switch fields := strings.Fields(line); {
		case len(fields) == 0 || fields[0] == "#":
		case fields[0] == "=":
			t.languages = append(t.languages, map[string]token{})
		case len(t.languages) == 0:
			t.digits = append(t.digits, form{regexp.MustCompile("^" + fields[1]), fields[0]})
		default:
			n, _ := strconv.Atoi(fields[1])
			for _, w := range fields[2:] {
				w, _ = fold(w, false)
				first, _ := utf8.DecodeRuneInString(w)
				t.languages[len(t.languages)-1][w] = token{kind: fields[0][0], n: n, dense: isDense(first)}
			}
		}
	}
	return t
})

func isDense(r rune) bool { return r >= 0x2E80 }

// fold returns text in lower case and without accents, and for each byte of it the offset in text. If passing
// is set, a span that skippedLen finds becomes one zero byte.
func fold(text string, passing bool) (folded string, from []int) {
	var b strings.Builder
	next, apart := 0, true
	for at, r := range text {
		if at < next {
			continue
		}
		if apart && passing {
			if next = at + skippedLen(text[at:]); next > at {
				b.WriteByte(0)
				from = append(from, at)
				continue
			}
		}
		apart = unicode.IsSpace(r) || strings.ContainsRune("([{", r) || isDense(r)
		if r == '’' {
			r = '\''
		}
		for _, r := range norm.NFKD.String(string(r)) {
			if unicode.Is(unicode.Mn, r) {
				continue
			}
			n, _ := b.WriteRune(unicode.ToLower(r))
			for range n {
				from = append(from, at)
			}
		}
	}
	return b.String(), append(from, len(text))
}

// lengthUntil returns the length of text before the first rune for which end is true.
func lengthUntil(text string, end func(rune) bool) int {
	if i := strings.IndexFunc(text, end); i >= 0 {
		return i
	}
	return len(text)
}

// quotations are pairs of marks that begin and end quotes.
var quotations = strings.Fields("[[ ]] \" \" ` ` “ ” „ “ « » 「 」 『 』 《 》")

// skippedLen returns the length of a link, quote, code span, tag, name or address at the beginning of text,
// which is skipped; 0 if there is none. It reads at most 500 bytes.
func skippedLen(text string) int {
	text = text[:min(len(text), 500)]
	for marks := range slices.Chunk(quotations, 2) {
		if rest, ok := strings.CutPrefix(text, marks[0]); ok {
			if i := strings.Index(rest, marks[1]); i >= 0 {
				return len(marks[0]) + i + len(marks[1])
			}
		}
	}
	word := text[:lengthUntil(text, unicode.IsSpace)]
	if strings.HasPrefix(word, "#") || strings.HasPrefix(word, "@") || strings.Contains(word, "://") {
		return len(word)
	}
	return 0
}

// form is a form of times in digits, with the kinds of its tokens.
type form struct {
	pattern *regexp.Regexp
	kinds   string
}

// longestWord limits the length in bytes of several words that form one token.
const longestWord = 30

// lexer splits a text into the words of one language.
type lexer struct {
	text     string
	words    map[string]token
	dayFirst bool // in 3/4/2025 the day comes first
	at       int
	tokens   []token
	known    int // number of bytes in known words; those in words of time count twice
}

func lex(text string, language int) lexer {
	l := lexer{text: text, words: table().languages[language], dayFirst: language > 0}
	for l.at < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.at:])
		switch {
		case unicode.IsSpace(r), r == '\'', r == '.' && l.lastIs("nDm") && !strings.HasPrefix(l.text[l.at:], ".."):
			l.at += size
		case l.number():
		case unicode.IsLetter(r) || isDense(r) && unicode.IsNumber(r):
			l.word(isDense(r))
		default:
			l.mark(r, size)
		}
	}
	return l
}

// lastIs reports whether the last token is of one of the kinds.
func (l *lexer) lastIs(kinds string) bool {
	return len(l.tokens) > 0 && strings.IndexByte(kinds, l.tokens[len(l.tokens)-1].kind) >= 0
}

func (l *lexer) add(t token, end int) {
	t.start, t.end = l.at, end
	l.tokens = append(l.tokens, t)
	l.at = end
}

// number reads a time in digits. Digits that are part of something else, such as 2.5, $2022 or v3, are no time.
func (l *lexer) number() bool {
	rest := l.text[l.at:]
	digits := isDigit(rest[0])
	if !digits && (strings.IndexByte("qkcws\xe7", rest[0]) < 0 ||
		!strings.ContainsAny(rest[:min(len(rest), longestWord)], "0123456789")) {
		return false
	}
	before, n := utf8.DecodeLastRuneInString(l.text[:l.at])
	free := n == 0 || l.lastIs("-") || before != '/' && !isWordRune(before)
	for _, form := range table().digits {
		if !free {
			break
		}
		m := form.pattern.FindStringSubmatch(rest)
		if m == nil {
			continue
		}
		if last, _ := utf8.DecodeLastRuneInString(m[0]); !isDense(last) &&
			!mayEndNumber(rest[len(m[0]):], form.kinds == "ymn") {
			continue
		}
		kinds, start, end := form.kinds, l.at, l.at+len(m[0])
		if first, _ := strconv.Atoi(m[1%len(m)]); kinds == "mny" && (l.dayFirst || first > 12) {
			kinds = "nmy"
		}
		for i := range kinds {
			t := token{kind: kinds[i], digits: true}
			if i+1 < len(m) {
				t.n, _ = strconv.Atoi(m[i+1])
			}
			l.at = start
			l.add(t, end)
		}
		return true
	}
	if digits {
		l.add(token{}, l.at+lengthUntil(rest, func(r rune) bool { return unicode.IsSpace(r) || isDense(r) }))
	}
	return digits
}

// isWordRune reports whether r belongs to the word or number beside it.
func isWordRune(r rune) bool {
	return !isDense(r) && (unicode.IsLetter(r) || unicode.IsNumber(r)) || strings.ContainsRune("_%$€£¥°\\.", r)
}

// mayEndNumber reports whether a number may end where rest begins.
func mayEndNumber(rest string, slash bool) bool {
	r, n := utf8.DecodeRuneInString(rest)
	next, more := utf8.DecodeRuneInString(rest[n:])
	switch {
	case n == 0, strings.HasPrefix(rest, ".."):
		return true
	case r == '.' || r == ',' || r == ':':
		return more == 0 || isDense(next) || !isWordRune(next)
	}
	return !isWordRune(r) && (r != '/' || slash)
}

// word reads the longest known sequence of words.
func (l *lexer) word(dense bool) {
	var best token
	key, end := make([]byte, 0, 2*longestWord), 0
	for at := l.at; at < len(l.text) && at-l.at < longestWord; {
		n := lengthUntil(l.text[at:], func(r rune) bool { return !unicode.IsLetter(r) || isDense(r) })
		if dense {
			_, n = utf8.DecodeRuneInString(l.text[at:])
		}
		if n == 0 {
			break
		}
		key = append(key, l.text[at:at+n]...)
		at += n
		if end == 0 {
			end = at
		}
		if t, ok := l.words[string(key)]; ok {
			best, end = t, at
		}
		if !dense {
			if at == len(l.text) || !strings.ContainsRune(" -'", rune(l.text[at])) {
				break
			}
			key = append(key, '_')
			at++
		}
	}
	switch best.kind {
	case 0:
	case '_':
		best.kind = 0
		l.known += end - l.at
	default:
		l.known += 2 * (end - l.at)
	}
	l.add(best, end)
}

// mark reads a punctuation mark.
func (l *lexer) mark(r rune, size int) {
	apart := func(side string) bool { return side == "" || side == " " }
	kind := byte(0)
	switch {
	case r == '-':
		kind = 'h'
		if apart(l.text[max(l.at-1, 0):l.at]) || apart(l.text[l.at+size:min(l.at+size+1, len(l.text))]) {
			kind = '-'
		}
	case r == '/' && l.lastIs("nv"), strings.ContainsRune("–—~〜", r):
		kind = '-'
	case strings.HasPrefix(l.text[l.at:], ".."):
		kind, size = '-', 2
	case r == ',':
		kind = ','
	case r == '、':
		kind = '&'
	}
	l.add(token{kind: kind}, l.at+size)
}
