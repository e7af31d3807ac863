package dates

import (
	"strings"
	"time"
)

// FoundTime is a time that a text mentions.
type FoundTime struct {
	Range
	Text       string // the time as written, without the words that introduce it: "last week"
	Start, End int    // offsets, with those words: "in the last week"

	text int // offset of Text
}

// Find returns the times that a text mentions, in their order. It leaves out words that can mean something
// else: a month, weekday, season, quarter or year alone counts only behind a word such as "in", "on" or "of"
// ("may", "march" and "sat" are words). It also leaves out a time beside a word of time that it does not
// understand in this place: "in the week of May". Code, quotes, [[links]], #tags, @names and addresses are
// skipped.
func Find(text string, now time.Time) []FoundTime {
	p := parser{now: now, today: Midnight(now)}
	folded, from := fold(text, true)
	var best []FoundTime
	for _, words := range tokenize(folded) {
		var all []FoundTime
		for start := 0; start < len(words); {
			end := start
			for end < len(words) && words[end].kind != 0 {
				end++
			}
			all = append(all, p.findIn(words[start:end])...)
			start = end + 1
		}
		if len(all) > len(best) {
			best = all
		}
	}
	for i := range best {
		f := &best[i]
		f.Start, f.text, f.End = from[f.Start], from[f.text], from[f.End]
		f.Text = text[f.text:f.End]
	}
	return best
}

// Cut returns a text without the times that it mentions, and the names and values of these, see Find.
func Cut(text string, now time.Time) (rest, names string, times []Range) {
	from := 0
	for _, f := range Find(text, now) {
		times, names = append(times, f.Range), names+", "+f.Text
		rest += text[from:f.Start] + " "
		from = f.End
	}
	return rest + text[from:], strings.TrimPrefix(names, ", "), times
}

// findIn returns the times in consecutive words of time. If one of the words belongs to no time, it returns
// none, since that word may change the meaning of the others.
func (p parser) findIn(words []token) (all []FoundTime) {
	apart := true // separated from the last time
	words = trimTrailingLeads(words)
	for i := 0; i < len(words); {
		if n, r := p.longestAt(words, i, len(all) > 0 && words[i-1].kind == '&'); apart && n > 0 {
			first := i
			for first > 0 && words[first-1].isKind(leads) {
				first--
			}
			all = append(all, FoundTime{
				Range: r, Start: words[first].start, End: words[i+n-1].end, text: words[i].start,
			})
			i += n
			apart = false
			continue
		}
		if !isNeutral(words, i) {
			return nil
		}
		apart = apart || words[i].isKind(",&")
		i++
	}
	return all
}

// isNeutral reports whether a word beside a time does not change its meaning.
func isNeutral(words []token, i int) bool {
	const joins = "&-h]"
	last := i == len(words)-1
	switch t := words[i]; {
	case t.isKind("rR~]"): // they refer to a following time
		return last
	case t.isKind("-h"):
		return last || i == 0
	case t.isKind("nD"): // one of us, COVID-19 in 2020
		return !(i > 1 && words[i-1].isKind(joins)) && !(!last && words[i+1].isKind(joins)) &&
			(!t.digits || !last && words[i+1].kind == 'i')
	default:
		return t.isKind(leads + ",&")
	}
}

// longestAt parses the longest time at words[i:] and returns the number of its words, 0 if there is none.
// listed says that another time precedes it in a list.
func (p parser) longestAt(words []token, i int, listed bool) (int, Range) {
	for n := min(len(words)-i, maxWords); n > 0; n-- {
		part := words[i : i+n]
		if part[0].isKind(leads+",&") || part[n-1].isKind(leads+",&") {
			continue
		}
		if r, ok := p.parse(part); ok && (listed || meansTime(part) || isIntroduced(words[:i], part)) {
			return n, r
		}
	}
	return 0, Range{}
}

// meansTime reports whether words that can be read as a time are certainly meant as one.
func meansTime(words []token) bool {
	parts, digits := 0, false
	for _, t := range words {
		switch {
		case t.isKind("oYaf[<>({]BSAUjvx"), t.isKind("rR") && (t.n != 0 || !hasKind(words, "m")),
			t.dense && t.isKind("mW"):
			return true
		case t.isKind("mwsqkyu"):
			parts++
		}
		digits = digits || t.isKind("n") && t.digits || t.kind == 'D'
	}
	return parts > 1 || digits && hasKind(words, "m")
}

// isIntroduced reports whether the words before end with one that introduces a month, or another name that can be a
// time.
func isIntroduced(before, words []token) bool {
	mask := 1
	switch {
	case hasKind(words, "w"):
		mask = 2
	case hasKind(words, "sq"):
		mask = 5
	case hasKind(words, "u"):
		mask = 7
	case hasKind(words, "N"):
		return false
	}
	for i := len(before) - 1; i >= 0 && before[i].isKind("itg-"); i-- {
		if before[i].n&mask != 0 || before[i].kind != 't' {
			return before[i].n&mask != 0
		}
	}
	return false
}
