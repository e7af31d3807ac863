package calltext

import (
	"bytes"
	"strings"

	"ibid/vault/md"
)

// scan follows the body of a call while it streams.
type scan struct {
	quote    byte // quotation mark of the open string, 0 if none is open
	escaped  bool
	depth    int  // open brackets
	began    int  // opening brackets so far
	size     int  // bytes up to the end of the first value, or so far
	balanced bool // the first value is complete
	value    bool // the body is only a value
	tags     bool // the body consists of tags
	words    int  // before the first value
	last     byte // last byte that is not white space
	before   byte // previous byte
}

// step processes the next byte.
func (s *scan) step(c byte) {
	if s.balanced || s.tags {
		return
	}
	s.size++
	s.read(c)
	if s.before = c; !space(c) {
		s.last = c
	}
}

func (s *scan) read(c byte) {
	if s.quote != 0 {
		switch {
		case s.escaped:
			s.escaped = false
		case c == '\\':
			s.escaped = true
		case c == s.quote:
			s.quote = 0
		}
		return
	}
	switch c {
	case '<':
		s.tags = s.began == 0 && !s.value
	case '[':
		if s.began > 0 || !isWord(rune(s.before)) { // else it is a mark after a name: localSearch[ARGS]{…}
			s.depth++
			s.began++
		}
	case '{':
		s.depth++
		s.began++
	case '(':
		if s.depth > 0 || isWord(rune(s.before)) {
			s.depth++
			s.began++
		}
	case '}', ']', ')':
		if s.began > 0 {
			s.depth--
			s.balanced = s.depth <= 0
		}
	case '"':
		if s.depth > 0 {
			s.quote = c
		}
	case '\'':
		if s.depth > 0 && strings.IndexByte("{[(,:=", s.last) >= 0 {
			s.quote = c
		}
	}
}

// blanks is the white space in calls.
const blanks = " \t\r\n"

func space(c byte) bool { return strings.IndexByte(blanks, c) >= 0 }

// lead reports whether c may be between a token and its value, where a name and other tokens can be, but no prose.
func (s *scan) lead(c byte) bool {
	if c == ' ' && s.last != 0 {
		s.words++
	}
	return s.words < 3 && (c >= 0x80 || isWord(rune(c)) || space(c) || strings.IndexByte(".:<>[]|/=-`", c) >= 0)
}

// tagEnd returns the length of the body of a call whose closing tag ends with c, -1 if it has not ended. A tag
// within a string ends it only at the beginning of a line; after a complete value, any closing tag does.
func (s *scan) tagEnd(c byte, body []byte, word string) int {
	if c != '>' {
		return -1
	}
	from := max(0, len(body)-maxTag)
	i := from + max(0, bytes.LastIndex(body[from:], []byte("</")))
	t := readTag(string(body[i:]))
	if !t.closing || t.size < len(body)-i {
		return -1
	}
	own := FoldName(t.word) == FoldName(word)
	if s.balanced && !s.tags || own && (s.quote == 0 || s.tags || atLineStart(body[:i])) {
		return i
	}
	return -1
}

// atLineStart reports whether only blanks follow the last line end.
func atLineStart(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// fenceEnd returns the length of the body of a call in a fence, -1 if the fence does not end with the last byte.
func (s *scan) fenceEnd(body []byte, open md.Fence) int {
	if n := len(body); n == 0 || body[n-1] != '\n' || !s.balanced {
		return -1
	}
	i := bytes.LastIndexByte(body[:len(body)-1], '\n') + 1
	if closesFence(string(body[i:]), open) {
		return i
	}
	return -1
}

func closesFence(line string, open md.Fence) bool {
	f, ok := md.FenceOf(strings.TrimSpace(line))
	return ok && f.Closes(open)
}

// lostEnd returns the length of a body whose end was not recognized, for instance because its closing mark is in a
// string that is not closed; next is the offset after that mark. Without such a mark it returns the whole length
// and -1.
func (f *form) lostEnd(body string) (n, next int) {
	if f.fence.Len > 0 {
		for line := range strings.Lines(body) {
			if closesFence(line, f.fence) {
				return n, n + len(line)
			}
			n += len(line)
		}
	} else if f.word != "" {
		if text, after := untilTag(body, f.word); len(text) < len(body) {
			return len(text), len(body) - len(after)
		}
	}
	return len(body), -1
}
