package dates

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Found is a time that a text speaks of.
type Found struct {
	Range
	Text       string // as it is written, without the words that lead to it: "last week"
	Start, End int    // where it stands, with those: "in the last week"
}

const (
	mostWords = 7  // of a time in a text
	mostRunes = 14 // of one in a script without spaces
)

// Find finds the times that a text speaks of, in their order. What may be meant
// otherwise is none: a month, weekday, season, quarter or year alone counts only
// behind such a word as "in", "on" or "of" ("may", "march" and "sat" are words). Code, quotes,
// [[links]], #tags and @names are passed over.
func Find(text string, now time.Time) []Found {
	p := parser{now: now, today: dayOf(now)}
	words := cutWords(text)
	isGerman := slices.ContainsFunc(words, func(w textWord) bool { return strings.Contains(german, " "+w.plain+" ") })
	var all []Found
	for i := 0; i < len(words); i++ {
		if words[i].dense {
			all = append(all, p.findDense(text, words[i])...)
			continue
		}
		most := 0
		for most < min(mostWords, words[i].reach) && words[i+most].timely {
			most++
		}
		for n := most; n > 0; n-- {
			if f, ok := p.findAt(text, words[i:i+n]); ok && (f.Text != "hier" || !isGerman) {
				all = append(all, f)
				i += n - 1
				break
			}
		}
	}
	return all
}

// textWord is a word of a text.
type textWord struct {
	start, end int
	plain      string // see plain
	dense      bool   // in a script without spaces
	timely     bool   // it may be part of a time
	reach      int    // how many words from here on may belong together
}

// cutWords cuts a text at spaces. Marks around words are left out.
func cutWords(text string) []textWord {
	var words []textWord
	flush := func(from int) { // nothing reaches beyond the end
		for i := len(words) - 1; i >= from; i-- {
			words[i].reach = len(words) - i
		}
	}
	from := 0
	for at := 0; at < len(text); {
		if n := passedOver(text[at:]); n > 0 {
			flush(from)
			from, at = len(words), at+n
			continue
		}
		end := len(text)
		if i := strings.IndexFunc(text[at:], unicode.IsSpace); i >= 0 {
			end = at + i
		}
		if end == at {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
			continue
		}
		start := at + len(text[at:end]) - len(strings.TrimLeftFunc(text[at:end], notWord))
		stop := start + len(strings.TrimRightFunc(text[start:end], notWord))
		if start < stop {
			if start > at {
				flush(from)
				from = len(words)
			}
			w := textWord{start: start, end: stop, plain: plain(text[start:stop])}
			w.dense = strings.ContainsFunc(w.plain, func(r rune) bool { return r >= 0x2E80 })
			w.timely = known(w.plain) || strings.ContainsAny(w.plain, "0123456789-'’") || strings.Contains(joined, " "+w.plain+" ")
			words = append(words, w)
		}
		if mark := text[max(stop, at):end]; mark != "" && mark != "," && (mark != "." || !digitBefore(text, stop)) {
			flush(from)
			from = len(words)
		}
		at = end
	}
	flush(from)
	return words
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

func digitBefore(text string, at int) bool { return at > 0 && text[at-1] >= '0' && text[at-1] <= '9' }

// passedOver is how much of the beginning of a text is not read: a link, quote,
// code span, tag or name.
func passedOver(text string) int {
	for _, marks := range [][2]string{{"[[", "]]"}, {`"`, `"`}, {"`", "`"}} {
		if rest, ok := strings.CutPrefix(text, marks[0]); ok {
			if i := strings.Index(rest, marks[1]); i >= 0 {
				return len(marks[0]) + i + len(marks[1])
			}
		}
	}
	if text[0] == '#' || text[0] == '@' {
		if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
			return i
		}
		return len(text)
	}
	return 0
}

// findAt reads words as a time.
func (p parser) findAt(text string, words []textWord) (f Found, ok bool) {
	first, last := words[0], words[len(words)-1]
	if slices.ContainsFunc(words[1:], func(w textWord) bool { return w.dense }) || isNoise(last.plain) || last.plain == "a" || last.plain == "an" || last.end-first.start > longest {
		return f, false
	}
	meant, ok := tokens(text[first.start:last.end])
	if !ok || len(meant) > 12 || !sure(meant, words) {
		return f, false
	}
	if f.Range, ok = p.parse(meant); !ok {
		return f, false
	}
	f.Start, f.End = first.start, last.end
	for len(words) > 1 && isNoise(words[0].plain) {
		words = words[1:]
	}
	f.Text = text[words[0].start:f.End]
	return f, true
}

func isNoise(w string) bool { return strings.Contains(noise, " "+w+" ") }

const (
	joined   = " il y week end fin avant apres antes "               // parts of phrases
	notTimes = " now jetzt ahora maintenant "                        // in a text, though they can be read as one
	german   = " ist was ich der die das und steht gibt wer wo wie " // where "hier" is here
)

// sure reports whether words of a text are meant as the time that they can be
// read as.
func sure(meant []token, words []textWord) bool {
	parts, digits := 0, false
	for _, w := range words {
		digits = digits || strings.ContainsAny(w.plain, "0123456789")
		if strings.Contains(notTimes, " "+w.plain+" ") && len(words) == 1 {
			return false
		}
	}
	for _, t := range meant {
		switch t.kind {
		case kindMonth, kindWeekday, kindSeason, kindQuarter, kindWeekNo, kindYear:
			parts++
		case kindNumber:
			if !digits {
				break // "may one": read on as if it were a month alone
			}
			return true
		case kindAnd, kindUntil:
		default:
			return true
		}
	}
	if parts > 1 && indexed(meant, kindYear) {
		return true
	}
	return ledTo(meant[0].kind, words)
}

// ledTo reports whether words begin with one that says that a month, or what else
// is of this kind, follows.
func ledTo(kind byte, words []textWord) bool {
	i := slices.IndexFunc(words, func(w textWord) bool { return !isNoise(w.plain) })
	if i < 1 {
		return false
	}
	before, leads := words[i-1].plain, " in im en of de during within "
	switch kind {
	case kindWeekday:
		leads = " on am el le los of "
	case kindSeason, kindQuarter:
		if i > 1 && strings.Contains(" the der dem l el la ", " "+before+" ") {
			before = words[i-2].plain
		}
		leads += "au du del "
	}
	return strings.Contains(leads, " "+before+" ")
}

// findDense finds times in a word of a script without spaces.
func (p parser) findDense(text string, w textWord) (all []Found) {
	word := text[w.start:w.end]
	for from := 0; from < len(word); {
		n := p.denseAt(word[from:])
		if n == 0 {
			_, n = utf8.DecodeRuneInString(word[from:])
			if digits := digitsEnd(word[from:]); digits > 0 {
				n = digits
			}
			from += n
			continue
		}
		meant, _ := tokens(word[from : from+n])
		r, _ := p.parse(meant)
		start := w.start + from
		all = append(all, Found{r, text[start : start+n], start, start + n})
		from += n
	}
	return all
}

// denseAt is the length of the longest time that a word begins with, 0 if it
// begins with none.
func (p parser) denseAt(word string) int {
	if first, _ := longestWord(plain(word)); first == "" && digitsEnd(word) == 0 || isNoise(first) {
		return 0
	}
	best, runes, dense := 0, 0, false
	for i, r := range word {
		if runes++; runes > mostRunes {
			break
		}
		dense = dense || r >= 0x2E80
		if !dense || isNoise(string(r)) {
			continue
		}
		_, size := utf8.DecodeRuneInString(word[i:])
		end := i + size
		if meant, ok := tokens(word[:end]); ok {
			if _, ok := p.parse(meant); ok {
				best = end
			}
		}
	}
	return best
}
