package calltext

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mender makes JSON of an object or list as models write it, while it streams: with any quotes or none around keys
// and words, extra commas, Python's constants, full-width punctuation, line ends and unescaped quotes in strings.
type mender struct {
	out     []byte
	open    []byte // brackets that are to close, the innermost last
	ends    string // marks that may end the open string, "" outside of strings
	mark    []byte // such a mark and the white space after it: what follows decides whether it ends the string
	escaped bool
	word    []byte // text without quotes
	last    byte   // last bracket, comma or colon outside of strings
	key     bool   // a key is waiting for its colon
	code    bool   // it is the arguments of a call in Python's syntax: (query="roof")
	done    bool
	partial []byte // beginning of a character
}

// Mend returns the object or list at the beginning of a text as JSON, with what is missing at its end. size is its
// length in the text; whole reports whether nothing was missing. There may be mistakes that it cannot mend.
func Mend(text string) (data []byte, size int, whole bool) {
	var m mender
	for size = 0; size < len(text) && !m.done; size++ {
		m.write(text[size])
	}
	return m.finish(), size, m.done
}

// Object parses the object at the beginning of a text, as far as it goes; nil if there is none.
func Object(text string) map[string]any {
	object, _ := mended(text).(map[string]any)
	return object
}

// mended returns the value at the beginning of a text, nil if there is none. Numbers are json.Number.
func mended(text string) (v any) {
	text = strings.Trim(text, blanks)
	if text == "" || strings.IndexByte("{[(", text[0]) < 0 {
		return nil
	}
	data, _, _ := Mend(text)
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	_ = d.Decode(&v) // nil for what cannot be mended
	return v
}

// write takes the next byte.
func (m *mender) write(c byte) {
	if m.partial = append(m.partial, c); utf8.FullRune(m.partial) {
		r, _ := utf8.DecodeRune(m.partial)
		m.partial = m.partial[:0]
		if m.ends == "" || m.inString(r) {
			m.outside(r)
		}
	}
}

// stringEnds has the marks that begin strings, with those that end them.
var stringEnds = map[rune]string{'"': `"`, '\'': "'", '`': "`", '‘': "’'", '“': `”"“＂`, '”': `”"“＂`, '＂': `”"“＂`}

// asciiMarks has the ASCII of full-width punctuation.
var asciiMarks = map[rune]rune{'｛': '{', '｝': '}', '［': '[', '］': ']', '：': ':', '，': ',', '　': ' '}

// inString takes a character of a string. It reports whether the string ended before it.
func (m *mender) inString(r rune) (ended bool) {
	switch {
	case m.mark == nil:
	case unicode.IsSpace(r):
		m.mark = utf8.AppendRune(m.mark, r)
		return false
	case strings.ContainsRune(",;:=}]", cmp.Or(asciiMarks[r], r)), r == ')' && m.code:
		m.endString()
		return true
	default: // models do not always escape marks within strings
		for _, c := range string(m.mark) {
			m.character(c)
		}
		m.mark = nil
	}
	switch {
	case m.escaped && strings.ContainsRune(`"\/bfnrtu`, r):
		m.out = append(m.out, '\\', byte(r))
		m.escaped = false
	case !m.escaped && r == '\\':
		m.escaped = true
	case !m.escaped && strings.ContainsRune(m.ends, r):
		m.mark = utf8.AppendRune(nil, r)
	default:
		m.character(r)
		m.escaped = false
	}
	return false
}

func (m *mender) endString() {
	m.out, m.mark, m.ends = append(m.out, '"'), nil, ""
}

// character adds a character of a string.
func (m *mender) character(r rune) {
	if r >= ' ' && r != '"' && r != '\\' {
		m.out = utf8.AppendRune(m.out, r)
		return
	}
	quoted := JSON(string(r))
	m.out = append(m.out, quoted[1:len(quoted)-1]...)
}

// outside takes a character outside of strings.
func (m *mender) outside(r rune) {
	r = cmp.Or(asciiMarks[r], r)
	ends := stringEnds[r]
	switch {
	case r == '(' && m.last == 0:
		m.code, r = true, '{'
	case r == ')' && m.code:
		r = '}'
	}
	switch inWord := len(m.word) > 0; {
	case r == '{' || r == '[':
		m.endWord()
		m.open = append(m.open, byte(r)+2) // the closing bracket is the next but one in ASCII
		m.structure(byte(r))
	case r == '}' || r == ']':
		m.closeBracket(byte(r))
	case r == ',' || r == ';':
		m.endMember()
		m.structure(',')
	case (r == ':' || r == '=') && m.atKey():
		m.endWord()
		m.structure(':')
	case ends != "" && !inWord:
		m.ends, m.key, m.out = ends, m.atKey(), append(m.out, '"')
	case inWord || !unicode.IsSpace(r):
		m.word = utf8.AppendRune(m.word, r)
	}
}

// structure adds a bracket, a comma or a colon.
func (m *mender) structure(c byte) {
	m.out, m.last, m.key = append(m.out, c), c, false
}

// atKey reports whether the next text is a key.
func (m *mender) atKey() bool {
	return bytes.HasSuffix(m.open, []byte("}")) && (m.last == '{' || m.last == ',')
}

// constants are Python's names of constants.
var constants = map[string]string{"True": "true", "False": "false", "None": "null"}

// endWord ends a text without quotes: a constant, a number, or a string.
func (m *mender) endWord() {
	word := strings.TrimSpace(string(m.word))
	if m.word = m.word[:0]; word == "" {
		return
	}
	word = cmp.Or(constants[word], word)
	if m.key = m.atKey(); m.key || !json.Valid([]byte(word)) {
		word = JSON(word)
	}
	m.out = append(m.out, word...)
}

// endMember completes a member before a comma or a bracket.
func (m *mender) endMember() {
	m.endWord()
	m.out = bytes.TrimSuffix(m.out, []byte(","))
	switch {
	case m.key:
		m.out = append(m.out, ":null"...)
	case bytes.HasSuffix(m.out, []byte(":")):
		m.out = append(m.out, "null"...)
	}
}

// closeBracket closes the innermost bracket of this kind, and those in it.
func (m *mender) closeBracket(c byte) {
	m.endMember()
	for last := byte(0); last != c && len(m.open) > 0; m.structure(last) {
		last = m.open[len(m.open)-1]
		m.open = m.open[:len(m.open)-1]
	}
	m.done = len(m.open) == 0
}

// finish adds what is missing and returns the JSON.
func (m *mender) finish() []byte {
	if m.done {
		return m.out
	}
	if m.ends != "" {
		if m.mark == nil { // brackets at the end belong to the values around the string
			for _, c := range slices.Backward(m.open) {
				m.out = bytes.TrimSuffix(m.out, []byte{c})
			}
		}
		m.endString()
	}
	m.endMember()
	for _, c := range slices.Backward(m.open) {
		m.out = append(m.out, c)
	}
	return m.out
}

// JSON encodes a value that came from JSON, on one line and with sorted keys.
func JSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // maps, lists, strings and numbers always encode
	return strings.TrimSpace(b.String())
}
