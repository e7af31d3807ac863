package offline

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/index/stem"
)

// expect is the kind of thing that a question asks for. A passage that contains one is more likely to answer than
// one that merely contains the words.
type expect string

// The kinds. Each has lists in words.txt: "ask-…" are words that ask for it, "noun-…" its names after "which" and
// "what", "sign-…" words of passages that contain one. Entries in scripts without spaces match anywhere in the
// text.
const (
	anything   expect = ""
	aPlace     expect = "place"
	aTime      expect = "time"
	aName      expect = "name"
	anAmount   expect = "amount"
	aPrice     expect = "price"
	aReason    expect = "reason"
	aDecision  expect = "decision"
	expectGain        = 1.6 // factor for the score of a passage that contains it
)

// expectations are in the order in which scripts without spaces are searched, so that the word for "how long", a
// time, comes before the one for "how", an amount.
var expectations = [...]expect{aDecision, aPrice, aTime, aReason, aPlace, aName, anAmount}

// expects returns the kind of thing that a question with these folded words asks for.
func expects(question string, words []string) expect {
	for _, e := range expectations {
		if containsAny("ask-"+string(e), question) {
			return e
		}
	}
	if anyIn("ask-price", words) {
		return aPrice
	}
	if len(words) > 0 && words[0] == "ou" { // French "où", which folds to "ou", "or", elsewhere in a sentence
		return aPlace
	}
	for i, w := range words {
		if isIn("how", w) && i+1 < len(words) && isIn("measure", words[i+1]) {
			return anAmount
		}
		if !isIn("which", w) {
			continue
		}
		const near = 4
		for _, noun := range words[i+1 : min(len(words), i+1+near)] {
			for _, e := range expectations {
				if e.isNoun(noun) {
					return e
				}
			}
		}
	}
	const front = 3 // first words, among which a pronoun asks; later it joins a clause
	for i, w := range words {
		for _, e := range expectations {
			if isIn("ask-"+string(e), w) && (i < front || !stem.Common(w)) {
				return e
			}
		}
	}
	return anything
}

// isNoun reports whether a folded word is a noun for e, or its plural.
func (e expect) isNoun(word string) bool { return e.lists("noun-", word) }

// lists reports whether a folded word, or its singular, is in the list of e with the prefix of.
func (e expect) lists(of, word string) bool {
	list := of + string(e)
	return isIn(list, word) || isIn(list, strings.TrimSuffix(word, "s"))
}

// topics returns the terms of a question without the words that only ask for e. A noun for e has little weight.
func (e expect) topics(question string) []term {
	terms := slices.DeleteFunc(termsOf(cutDense("ask-"+string(e), question)), func(t term) bool {
		return isIn("ask-"+string(e), t.text) || (e == anAmount || e == aPrice) && isIn("measure", t.text)
	})
	for i := range terms {
		if e.isNoun(terms[i].text) {
			terms[i].weight = min(terms[i].weight, weakWeight)
		}
	}
	switch e {
	case anything, anAmount, aPrice: // "which wine", "how many bees"; the other pronouns are followed by a verb
		if i := slices.IndexFunc(terms, func(t term) bool { return t.weight > weakWeight }); i >= 0 {
			terms[i].key = true
		}
	}
	return terms
}

// cutDense removes the entries of a list in scripts without spaces from a text.
func cutDense(list, text string) string {
	for _, entry := range slices.Backward(slices.Sorted(maps.Keys(lists()[list]))) { // longer entries first
		if isDense(entry) {
			text = strings.ReplaceAll(text, entry, " ")
		}
	}
	return text
}

// containsAny reports whether text contains an entry of a list in a script without spaces.
func containsAny(list, text string) bool {
	for entry := range lists()[list] {
		if isDense(entry) && strings.Contains(text, entry) {
			return true
		}
	}
	return false
}

// isDense reports whether an entry is in a script without spaces.
func isDense(entry string) bool {
	r, _ := utf8.DecodeRuneInString(entry)
	return script(r) != noScript
}

// in reports whether a text contains the expected kind of thing.
func (e expect) in(text string) bool {
	if e == anything {
		return false
	}
	found := e == aName && strings.Contains(text, "[[") || e == aPrice && strings.ContainsAny(text, "€$£¥")
	list, first, before := "sign-"+string(e), true, ""
	if rest, times := withoutTimes(text); e == aTime {
		found = times != ""
	} else if e == anAmount { // a day is no amount
		text = rest
	}
	eachWord(text, func(w string, s scriptKind) {
		if found {
			return
		}
		r, _ := utf8.DecodeRuneInString(w)
		digits := unicode.IsDigit(r)
		switch {
		case s != noScript:
			found = containsAny(list, w) &&
				(e != aTime && e != anAmount && e != aPrice || unicode.IsDigit(lastRune(before)) ||
					strings.ContainsAny(w, hanNumbers))
		case e == anAmount:
			found = digits || isIn(list, foldWord(w))
		case e == aTime:
			found = digits && (len(w) == 4 || strings.Contains(text, w+":")) || e.lists("sign-", foldWord(w))
		case e == aName:
			found = !first && unicode.IsUpper(r) || isIn(list, foldWord(w))
		case e == aPlace:
			found = isIn(list, before) && !digits && !isIn("sign-time", foldWord(w)) || isIn("noun-place", foldWord(w))
		default:
			found = e.lists("sign-", foldWord(w)) || e.isNoun(foldWord(w))
		}
		first, before = false, foldWord(w)
	})
	return found
}

const hanNumbers = "一二三四五六七八九十百千万两半"

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
