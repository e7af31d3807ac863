package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Limits of comparing lines word by word.
const (
	maxWords       = 20_000 // words on both sides of a block
	minCommonShare = 0.3    // share of a line's text in common, below which all of it counts as changed
)

// markWords marks the differences between the lines that a block removes and those that it adds. A line that has
// little in common with the other side gets no parts.
func markWords(old, now []string) (removed, added [][]Part) {
	removed, added = make([][]Part, len(old)), make([][]Part, len(now))
	if len(old) == 0 || len(now) == 0 {
		return removed, added
	}
	a, b := tokens(old), tokens(now)
	if len(a)+len(b) > maxWords {
		return removed, added
	}
	for _, d := range lcs.DiffLines(textsOf(a), textsOf(b)) {
		for i := d.Start; i < d.End; i++ {
			a[i].changed = true
		}
		for j := d.ReplStart; j < d.ReplEnd; j++ {
			b[j].changed = true
		}
	}
	setParts(removed, a)
	setParts(added, b)
	return removed, added
}

// token is a word, white space, or another character of a line.
type token struct {
	text    string
	line    int
	changed bool
}

// tokens splits lines into words. The end of a line is a token of its own.
func tokens(lines []string) (all []token) {
	for n, line := range lines {
		text := trimLineEnd(line)
		for text != "" {
			size := tokenLen(text)
			all = append(all, token{text: text[:size], line: n})
			text = text[size:]
		}
		all = append(all, token{text: "\n", line: n})
	}
	return all
}

func textsOf(tokens []token) []string {
	texts := make([]string, len(tokens))
	for i, t := range tokens {
		texts[i] = t.text
	}
	return texts
}

// tokenLen returns the length of the token at the beginning of text.
func tokenLen(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	class := classOf(first)
	if class == other {
		return size
	}
	end := strings.IndexFunc(text, func(r rune) bool { return classOf(r) != class })
	if end < 0 {
		return len(text)
	}
	return end
}

type class uint8

const (
	other class = iota
	word
	space
)

func classOf(r rune) class {
	switch {
	case unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r):
		return other // written without spaces: each character is a token
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return word
	case unicode.IsSpace(r):
		return space
	}
	return other
}

// setParts sets the parts of each line that has enough in common with the other side.
func setParts(to [][]Part, tokens []token) {
	for len(tokens) > 0 {
		line, end, all, same := tokens[0].line, 0, 0, 0
		for end < len(tokens) && tokens[end].line == line {
			if t := &tokens[end]; classOf(firstRune(t.text)) != space {
				all += len(t.text)
				if !t.changed {
					same += len(t.text)
				}
			}
			end++
		}
		if all > 0 && float64(same) >= minCommonShare*float64(all) {
			to[line] = joinTokens(tokens[:end-1]) // without the line end
		}
		tokens = tokens[end:]
	}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// joinTokens makes parts of tokens: it joins neighbours that are both changed or both unchanged, and white
// space between two changed words.
func joinTokens(tokens []token) (parts []Part) {
	for i, t := range tokens {
		between := i > 0 && i+1 < len(tokens) && tokens[i-1].changed && tokens[i+1].changed &&
			strings.TrimSpace(t.text) == ""
		changed := t.changed || between
		if n := len(parts); n > 0 && parts[n-1].Changed == changed {
			parts[n-1].Text += t.text
			continue
		}
		parts = append(parts, Part{t.text, changed})
	}
	return parts
}
