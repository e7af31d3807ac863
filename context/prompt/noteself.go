package prompt

import (
	"bytes"
	"slices"
	"strings"

	"ibid/vault/md"
)

// A model may end a reply with a note to itself, "[NOTE TO SELF: …]". It is
// never shown, not even while the reply streams. The rules:
//
//   - brackets are balanced, so a [[wikilink]] inside a note survives;
//   - of several notes the last one wins, and all of them are hidden;
//   - the opening may be in any case, with blanks before its colon, and behind the
//     signs of a quotation, a list or of emphasis, which go with the note; emphasis
//     that does not end right behind the note stays;
//   - a note that is never closed ends at the next blank line, else with the reply;
//   - inside a code fence, or right after a backtick, it is text like any other;
//   - white space before a note goes with it when nothing visible follows.

const noteOpening = "[NOTE TO SELF:"

const (
	maxSigns  = 16      // in front of a note
	maxBlanks = 8       // before the colon
	maxBehind = 4 << 10 // bytes behind a blank line of a note that is still open: then it will not be closed
)

// NoteFilter takes a reply as it streams and lets through what may be shown.
// The visible text is the same however the reply is split. The zero value is
// ready for a new reply. A NoteFilter is used by one goroutine at a time.
type NoteFilter struct {
	rest   []byte // what may become a note, or is one that has not ended
	at     int    // how far the note in rest was read, 0 if there is none
	depth  int    // open brackets of it up to there
	blank  int    // where its first blank line begins, with the line end before it; 0 if there is none
	spaces []byte // white space that is shown only if something visible follows
	last   string // the last complete note
	found  bool

	line []byte    // the start of the current line, as far as it matters for fences
	code md.Fences // at the end of the line before
	prev byte      // the byte before rest
}

// Write takes the next piece of the reply and returns what of it, and of what
// was held back before, may be shown now.
func (f *NoteFilter) Write(chunk string) string {
	f.rest = append(f.rest, chunk...)
	return string(f.read(false))
}

// read takes from rest what is decided: notes, and what is shown. At the end of the reply
// that is all.
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

// noteLen is the length of the note that rest begins with: 0 if there is none, -1 if that
// is not known yet. behind is what is shown in its place.
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
	margin := " \t\r" // what a blank line of a note may hold
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

// emphasis is noteLen for a note that is closed: the emphasis around it goes with it, once
// it has ended on both sides.
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

// endNote keeps a note.
func (f *NoteFilter) endNote(note []byte, margin string) {
	lines := strings.Split(string(note), "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimLeft(lines[i], margin)
	}
	f.last, f.found = strings.TrimSpace(strings.Join(lines, "\n")), true
}

// longestOpening is how many bytes tell whether a note begins.
const longestOpening = maxSigns + len(noteOpening) + maxBlanks + 1

const (
	noOpening = iota
	mayBeOpening
	isOpening
)

// opening reports whether a text begins with the opening of a note, or is the beginning of
// one, the length of the signs in front of it, and where the note begins. Those of a
// quotation and of a list stand only where a line begins.
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

// show lets one byte through, behind the white space that waited for it.
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
		f.line = append(f.line, '.') // a line with more on it closes no fence
	}
}

// maxFenceLine is how much of a line is looked at.
const maxFenceLine = 256

// Close ends the reply. It returns what was held back and may be shown after
// all, and the note that the model left, if it left one.
func (f *NoteFilter) Close() (visible, note string, found bool) {
	visible = string(f.read(true))
	note, found = f.last, f.found
	*f = NoteFilter{}
	return visible, note, found
}

// SplitNote splits a whole reply into the text that may be shown and the note
// that the model left.
func SplitNote(reply string) (visible, note string, found bool) {
	var f NoteFilter
	visible = f.Write(reply)
	tail, note, found := f.Close()
	return visible + tail, note, found
}

// maxActivity is the longest activity line, in characters.
const maxActivity = 400

// activityNote brings an activity line into the form of a note-to-self: one line
// of limited length, in which no bracket ends the note early.
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
