package dates

import (
	"time"
)

// FoundTime is a time that a text speaks of.
type FoundTime struct {
	Range
	Text       string // as it is written, without the words that lead to it: "last week"
	Start, End int    // where it stands, with those: "in the last week"

	text int // where Text begins
}

// Find finds the times that a text speaks of, in their order. What may be meant
// otherwise is none: a month, weekday, season, quarter or year alone counts only
// behind such a word as "in", "on" or "of" ("may", "march" and "sat" are words). Nor is
// one that stands beside a word of time that is not understood with it: "in the week of
// May". Code, quotes, [[links]], #tags, @names and addresses are passed over.
func Find(text string, now time.Time) []FoundTime {
	p := parser{now: now, today: Midnight(now)}
	folded, from := fold(text, true)
	var best []FoundTime
	for _, words := range readings(folded) {
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

// findIn finds the times in words of time that stand together. If one of these
// belongs to none, there is none: it may say what the others are not.
func (p parser) findIn(words []token) (all []FoundTime) {
	apart := true // from the time before
	words = withoutLast(words)
	for i := 0; i < len(words); {
		if n, r := p.longestAt(words, i, len(all) > 0 && words[i-1].kind == '&'); apart && n > 0 {
			first := i
			for first > 0 && words[first-1].is(leads) {
				first--
			}
			all = append(all, FoundTime{Range: r, Start: words[first].start, End: words[i+n-1].end, text: words[i].start})
			i += n
			apart = false
			continue
		}
		if !isNeutral(words, i) {
			return nil
		}
		apart = apart || words[i].is(",&")
		i++
	}
	return all
}

// isNeutral reports whether a word beside a time says nothing of it.
func isNeutral(words []token, i int) bool {
	const joins = "&-h]"
	last := i == len(words)-1
	switch t := words[i]; {
	case t.is("rR~]"): // of what follows
		return last
	case t.is("-h"):
		return last || i == 0
	case t.is("nD"): // one of us, COVID-19 in 2020
		return !(i > 1 && words[i-1].is(joins)) && !(!last && words[i+1].is(joins)) && (!t.digits || !last && words[i+1].kind == 'i')
	default:
		return t.is(leads + ",&")
	}
}

// longestAt reads as many words as make a time, 0 if there is none. listed says that
// another one stands before.
func (p parser) longestAt(words []token, i int, listed bool) (int, Range) {
	for n := min(len(words)-i, mostTold); n > 0; n-- {
		part := words[i : i+n]
		if part[0].is(leads+",&") || part[n-1].is(leads+",&") {
			continue
		}
		if r, ok := p.parse(part); ok && (listed || meansTime(part) || ledTo(words[:i], part)) {
			return n, r
		}
	}
	return 0, Range{}
}

// meansTime reports whether words that can be read as a time are meant as one.
func meansTime(words []token) bool {
	parts, digits := 0, false
	for _, t := range words {
		switch {
		case t.is("oYaf[<>({]BSAUjvx"), t.is("rR") && (t.n != 0 || !hasKind(words, "m")), t.dense && t.is("mW"):
			return true
		case t.is("mwsqkyu"):
			parts++
		}
		digits = digits || t.is("n") && t.digits || t.kind == 'D'
	}
	return parts > 1 || digits && hasKind(words, "m")
}

// ledTo reports whether words end with one that says that a month, or what else a
// time consists of, follows.
func ledTo(before, words []token) bool {
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
	for i := len(before) - 1; i >= 0 && before[i].is("itg-"); i-- {
		if before[i].n&mask != 0 || before[i].kind != 't' {
			return before[i].n&mask != 0
		}
	}
	return false
}
