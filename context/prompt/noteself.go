package prompt

import (
	"bytes"
	"slices"
	"strings"

	"ibid/vault/md"
)

// A model may end a reply with a note to itself, "[NOTE TO SELF: …]". It is never shown, not even while the reply
// streams. The rules:
//
//   - brackets are balanced, so that a note may contain a [[wikilink]];
//   - all notes are hidden, and the last one counts;
//   - the opening may be in any case, with spaces before its colon, and after marks of a quotation, a list or
//     emphasis, which are hidden with the note; emphasis that does not end directly after the note stays;
//   - a note without a closing bracket ends at the next blank line, else with the reply;
//   - in a code fence, or directly after a backtick, it is normal text;
//   - white space before a note is hidden with it if nothing visible follows.

const noteOpening = "[NOTE TO SELF:"

const (
	maxSigns  = 16      // marks before a note
	maxBlanks = 8       // spaces before the colon
	maxBehind = 4 << 10 // bytes after a blank line in an open note, after which it counts as not closed
)

// NoteFilter removes notes-to-self from a reply while it streams. The result does not depend on how the reply is
// cut. The zero value is ready for a new reply. A NoteFilter is for one goroutine at a time.
type NoteFilter struct {
	rest   []byte // text that may become a note, or is one that has not ended
	at     int    // bytes of the note in rest that were read, 0 if there is none
	depth  int    // open brackets of the note so far
	blank  int    // offset of its first blank line, with the line end before it; 0 if there is none
	spaces []byte // white space that is shown only if something visible follows
	last   string // last complete note
	found  bool

	line []byte    // beginning of the current line, as far as fences need it
	code md.Fences // state after the previous line
	prev byte      // byte before rest
}

// Write takes the next piece of the reply and returns the text that can be shown.
func (f *NoteFilter) Write(chunk string) string {
	f.rest = append(f.rest, chunk...)
	return string(f.read(false))
}

// read removes from rest what is decided, at the end of the reply everything, and returns the text to show.
func (f *NoteFilter) read(end bool) (out []byte) {
	rest := f.rest
	for len(f.rest) > 0 {
		n, behind := f.noteLen(end)
		switch {
		case n < 0:
			if len(f.rest) < len(rest) {
				f.rest = append(rest[:0], f.rest...)
			}
			return out
		case n == 0:
			out = f.show(out, f.rest[0])
			n = 1
		default:
			f.at, f.blank, f.prev = 0, 0, ']'
			for _, c := range []byte(behind) {
				out = f.show(out, c)
			}
		}
		f.rest = f.rest[n:]
	}
	f.rest = rest[:0]
	return out
}

// noteLen returns the length of the note at the beginning of rest: 0 if there is none, -1 if that is not decided.
// behind is the text to show in its place.
func (f *NoteFilter) noteLen(end bool) (n int, behind string) {
	if strings.IndexByte("[*_>-", f.rest[0]) < 0 || f.prev == '`' {
		return 0, ""
	}
	signs, from, state := opening(f.rest[:min(len(f.rest), longestOpening)], len(bytes.TrimLeft(f.line, " \t")) == 0)
	switch {
	case state == mayBeOpening && !end:
		return -1, ""
	case state != isOpening || f.code.Inside(string(f.line)+string(f.rest[:signs])):
		return 0, ""
	}
	margin := " \t\r" // characters of a blank line within a note
	if bytes.IndexByte(f.rest[:signs], '>') >= 0 {
		margin += ">"
	}
	if f.at == 0 {
		f.at, f.depth = from, 1
	}
	for ; f.at < len(f.rest); f.at++ {
		switch c := f.rest[f.at]; {
		case c == '[':
			f.depth++
		case c == ']' && f.depth == 1:
			f.endNote(f.rest[from:f.at], margin)
			return f.emphasis(signs, end)
		case c == ']':
			f.depth--
		case c == '\n' && f.blank == 0:
			before := bytes.LastIndexByte(f.rest[from:f.at], '\n')
			if before >= 0 && len(bytes.Trim(f.rest[from+before:f.at], margin+"\n")) == 0 {
				f.blank = from + before
			}
		}
	}
	switch {
	case f.blank > 0 && (end || f.at-f.blank > maxBehind):
		n = f.blank
	case end:
		n = f.at
	default:
		return -1, ""
	}
	f.endNote(f.rest[from:n], margin)
	return n, ""
}

// emphasis is noteLen for a closed note: emphasis around it is part of it, if it ends on both sides.
func (f *NoteFilter) emphasis(signs int, end bool) (n int, behind string) {
	began := f.rest[len(bytes.TrimRight(f.rest[:signs], "*_")):signs]
	ends, n := bytes.Clone(began), f.at+1
	slices.Reverse(ends)
	switch after := f.rest[n:]; {
	case bytes.HasPrefix(after, ends):
		return n + len(ends), ""
	case !bytes.HasPrefix(ends, after):
		return n, string(began)
	case end:
		return len(f.rest), ""
	}
	return -1, ""
}

// endNote stores a note.
func (f *NoteFilter) endNote(note []byte, margin string) {
	lines := strings.Split(string(note), "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimLeft(lines[i], margin)
	}
	f.last, f.found = strings.TrimSpace(strings.Join(lines, "\n")), true
}

// longestOpening is the number of bytes that decide whether a note begins.
const longestOpening = maxSigns + len(noteOpening) + maxBlanks + 1

const (
	noOpening = iota
	mayBeOpening
	isOpening
)

// opening reports whether a text begins with the opening of a note, or may become one, the length of the marks
// before it, and the offset of the note's text. Marks of a quotation and of a list count only at the beginning of a
// line.
func opening(text []byte, lineStart bool) (signs, from, state int) {
	allowed := "*_"
	if lineStart {
		allowed = "*_>- "
	}
	rest := bytes.TrimLeft(text, allowed)
	signs = len(text) - len(rest)
	const word = len(noteOpening) - 1
	begun := rest[:min(word, len(rest))]
	if signs > maxSigns || !bytes.EqualFold(begun, []byte(noteOpening[:len(begun)])) {
		return signs, 0, noOpening
	}
	after := bytes.TrimLeft(rest[len(begun):], " ")
	from = len(text) - len(after) + 1
	switch {
	case from-1-signs-len(begun) > maxBlanks:
		return signs, 0, noOpening
	case len(after) == 0:
		return signs, 0, mayBeOpening
	case after[0] == ':':
		return signs, from, isOpening
	}
	return signs, 0, noOpening
}

// show adds one byte to the output, after the white space that was held back.
func (f *NoteFilter) show(out []byte, c byte) []byte {
	f.track(c)
	if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
		f.spaces = append(f.spaces, c)
		return out
	}
	out = append(out, f.spaces...)
	f.spaces = f.spaces[:0]
	return append(out, c)
}

// track follows code fences line by line.
func (f *NoteFilter) track(c byte) {
	f.prev = c
	switch {
	case c == '\n':
		f.code.Line(string(f.line))
		f.line = f.line[:0]
	case len(f.line) < maxFenceLine:
		f.line = append(f.line, c)
	case len(f.line) == maxFenceLine:
		f.line = append(f.line, '.') // a longer line closes no fence
	}
}

// maxFenceLine limits the bytes of a line that are examined.
const maxFenceLine = 256

// Close ends the reply. It returns the rest of the visible text and the model's note, if there is one.
func (f *NoteFilter) Close() (visible, note string, found bool) {
	visible = string(f.read(true))
	note, found = f.last, f.found
	*f = NoteFilter{}
	return visible, note, found
}

// SplitNote splits a whole reply into the visible text and the model's note.
func SplitNote(reply string) (visible, note string, found bool) {
	var f NoteFilter
	visible = f.Write(reply)
	tail, note, found := f.Close()
	return visible + tail, note, found
}

// maxActivity limits the activity line, in characters.
const maxActivity = 400

// activityNote converts an activity line to a note-to-self: one line of limited length, in which no bracket ends
// the note early.
func activityNote(line string) string {
	line = md.Clip(md.OneLine(clean(line)), maxActivity)
	depth := 0
	for _, r := range line {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 {
		line = strings.NewReplacer("[", "(", "]", ")").Replace(line)
	}
	return line
}
