package gather

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/md"
)

// A text may name things to attach:
//
//	@path/to/note.md  @Note name  @"any name"  @Note#L10-L20  @folder/  #tag  @https://…
//	@active  @pins  @vault  @web  @memory  @composer
//	[[Note]]  [[Note|alias]]  [[Note#Heading]]  [[Note#^block]]
//
// Rules: a mention begins where a word can begin, so that user@example.com is none; text in a code span or a fence
// contains none; of a name with spaces the longest that exists is meant. If the spaces of its beginning are escaped, as
// in @Note\ name, it ends at the first that is not.

// mention is a reference in a text: the text after "@" or in brackets.
type mention struct {
	raw   string // as typed, with its "@" or brackets
	ref   string // its name; for an open one everything up to the end of the line
	open  bool   // "@Note name": the vault decides where the name ends
	link  bool   // quoted or in brackets: the name of a note, whatever it looks like
	start int    // byte offset of raw

	bracketed bool // a link, which may name the end of a path

	chosen bool // picked from a list, or named alone and not in a text

	picked prompt.Ref // picked from a list, so that no lookup is needed
}

// purpose returns what the name is looked up for: what is typed behind "@" is chosen, a link is read.
func (m *mention) purpose() vault.Purpose {
	if m.bracketed {
		return vault.ToRead
	}
	return vault.ToChoose
}

// mentions returns the references in a text, and those that its spans stand for, in order.
func mentions(text string, spans []prompt.Span) []mention {
	text, found := mask(text, spans)
	var code md.Fences
	offset := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		bare := strings.TrimRight(line, "\r\n")
		if !code.Line(bare) {
			for _, m := range lineMentions(bare) {
				if m.start += offset; m.isTyped() {
					found = append(found, m)
				}
			}
		}
		offset += len(line)
	}
	slices.SortStableFunc(found, func(a, b mention) int { return a.start - b.start })
	return found
}

// maskByte replaces each byte of a span that could be part of a reference. No name contains it.
const maskByte = '\x00'

// mask masks the spans of a text. It keeps white space and the punctuation that ends a sentence, because these end
// a name that was typed before the span.
func mask(text string, spans []prompt.Span) (string, []mention) {
	var picked []mention
	b := []byte(text)
	for _, s := range spans {
		from := min(max(s.From, 0), len(b))
		to := max(min(s.To, len(b)), from)
		for i := from; i < to; i++ {
			if !strings.ContainsRune(" \t\r\n.,;:!?", rune(b[i])) {
				b[i] = maskByte
			}
		}
		if s.Ref.ID != "" {
			picked = append(picked, mention{raw: text[from:to], picked: s.Ref, chosen: true, start: from})
		}
	}
	return string(b), picked
}

// isTyped reports whether the whole mention was typed. It cuts the name of an open one where pasted text begins.
func (m *mention) isTyped() bool {
	if strings.IndexByte(m.raw, maskByte) >= 0 {
		return false
	}
	m.ref, _, _ = strings.Cut(m.ref, string(maskByte))
	return m.ref != ""
}

func lineMentions(line string) []mention {
	var found []mention
	var spans md.CodeSpans
	for i := 0; i < len(line); {
		rest := line[i:]
		var m mention
		var n int
		switch {
		case rest[0] == '\\':
			i += min(2, len(rest)) // an escaped character begins no mention
			continue
		case rest[0] == '`':
			i += spans.Len(rest)
			continue
		case strings.HasPrefix(rest, "[["):
			m, n = wikilink(rest)
		case strings.HasPrefix(rest, "@[[") && wordStart(line[:i]):
			if m, n = wikilink(rest[1:]); n > 0 {
				m.raw, n = "@"+m.raw, n+1
			}
		case rest[0] == '@' && wordStart(line[:i]):
			m, n = readMention(rest)
		case rest[0] == '#' && wordStart(line[:i]):
			if k := md.TagLen(rest[1:]); k > 0 {
				m, n = mention{raw: rest[:1+k], ref: rest[:1+k]}, 1+k
			}
		}
		if n == 0 {
			_, size := utf8.DecodeRuneInString(rest)
			i += size
			continue
		}
		m.start = i
		found = append(found, m)
		i += n
	}
	return found
}

// wordStart reports whether a word can begin after before.
func wordStart(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	return size == 0 || unicode.IsSpace(r) ||
		strings.ContainsRune("([{<\"'“‘«„—–,;:!?…。，、；：！？「『（【", r) || fold.IsDense(r)
}

func wikilink(s string) (mention, int) {
	inner, n := md.Wikilink(s)
	name, _ := md.Target(inner)
	if name == "" || s[2] == '[' {
		return mention{}, 0
	}
	return mention{raw: s[:n], ref: name, link: true, bracketed: true}, n
}

// readMention parses the text after an "@" at the beginning of s.
func readMention(s string) (mention, int) {
	rest := s[1:]
	switch {
	case strings.HasPrefix(rest, `"`):
		end := strings.IndexByte(rest[1:], '"')
		if end <= 0 {
			return mention{}, 0
		}
		return mention{raw: s[:end+3], ref: rest[1 : end+1], link: true}, end + 3
	case md.StartsURL(rest):
		url := rest[:md.URLLen(rest)]
		return mention{raw: "@" + url, ref: url}, 1 + len(url)
	case strings.HasPrefix(rest, "#"):
		if n := md.TagLen(rest[1:]); n > 0 {
			return mention{raw: s[:2+n], ref: rest[:1+n]}, 2 + n
		}
		return mention{}, 0
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if rest == "" || unicode.IsSpace(r) || r == '@' {
		return mention{}, 0
	}
	word := rest[:wordEnd(rest)]
	if word == "" {
		return mention{}, 0
	}
	if name := unescaped(word); name != word {
		return mention{raw: "@" + word, ref: name}, 1 + len(word)
	}
	return mention{raw: "@" + word, ref: rest, open: true}, 1 + len(word)
}

// wordEnd returns the end of the first word of s, without closing punctuation. An escaped space is part of the word.
func wordEnd(s string) int {
	end := 0
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if unicode.IsSpace(r) {
			break
		}
		if strings.HasPrefix(s[end:], escapedSpace) {
			size = len(escapedSpace)
		}
		end += size
	}
	return len(strings.TrimRightFunc(s[:end], md.IsClosing))
}

// escapedSpace is a space in a file name as shells write it.
const escapedSpace = `\ `

// unescaped returns the name that a word with escaped spaces stands for. In any other word a backslash may separate
// folders.
func unescaped(word string) string {
	if !strings.Contains(word, escapedSpace) {
		return word
	}
	var b strings.Builder
	for i := range len(word) {
		isEscape := word[i] == '\\' && i+1 < len(word) && strings.IndexByte(` '"()[]{}&$;!#~*?<>|,`, word[i+1]) >= 0
		if !isEscape {
			b.WriteByte(word[i])
		}
	}
	return b.String()
}
