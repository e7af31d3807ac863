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
	held   []byte // the start of what may become a note
	spaces []byte // white space that is shown only if something visible follows
	signs  string // what stood in front of the note that is being read
	note   []byte // the text of the note that is being read
	depth  int    // open brackets of that note, 0 outside
	line0  int    // where the last line of that note begins, 0 in its first
	blank  int    // where its first blank line begins, 0 if there is none
	ends   string // what is left of the emphasis that may end behind a note
	began  string // the emphasis that began in front of it
	last   string // the last complete note
	found  bool

	line []byte    // the start of the current line, as far as it matters for fences
	code md.Fences // at the end of the line before
	prev byte      // the byte before this one
}

// Write takes the next piece of the reply and returns what of it, and of what
// was held back before, may be shown now.
func (f *NoteFilter) Write(chunk string) string {
	var out []byte
	for i := 0; i < len(chunk); i++ {
		out = f.step(out, chunk[i])
	}
	return string(out)
}

func (f *NoteFilter) step(out []byte, c byte) []byte {
	switch {
	case f.depth > 0:
		return f.inNote(out, c)
	case f.ends != "":
		return f.behind(out, c)
	case len(f.held) == 0 && !f.mayBegin(c):
		return f.show(out, c)
	}
	f.held = append(f.held, c)
	signs, state := opening(f.held, len(bytes.TrimLeft(f.line, " \t")) == 0)
	if state == isOpening && f.code.Inside(string(f.line)+string(f.held[:signs])) {
		state = noOpening
	}
	switch state {
	case isOpening:
		f.signs, f.held, f.note, f.depth = string(f.held[:signs]), f.held[:0], f.note[:0], 1
	case noOpening:
		held := f.held
		f.held = nil
		out = f.show(out, held[0])
		for _, b := range held[1:] {
			out = f.step(out, b) // a "[" among them may begin a note
		}
	}
	return out
}

// mayBegin reports whether a note may begin with c here.
func (f *NoteFilter) mayBegin(c byte) bool {
	return strings.IndexByte("[*_>-", c) >= 0 && f.prev != '`'
}

const (
	noOpening = iota
	mayBeOpening
	isOpening
)

// opening reports whether a text is the opening of a note, or the beginning of
// one, and the length of the signs in front of it. Those of a quotation and of a
// list stand only where a line begins.
func opening(text []byte, lineStart bool) (signs, state int) {
	allowed := "*_"
	if lineStart {
		allowed = "*_>- "
	}
	rest := bytes.TrimLeft(text, allowed)
	signs = len(text) - len(rest)
	const word = len(noteOpening) - 1
	for i, c := range rest[:min(word, len(rest))] {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != noteOpening[i] {
			return signs, noOpening
		}
	}
	if signs > maxSigns {
		return signs, noOpening
	}
	if len(rest) <= word {
		return signs, mayBeOpening
	}
	after := bytes.TrimLeft(rest[word:], " ")
	switch {
	case len(rest)-word-len(after) > maxBlanks:
		return signs, noOpening
	case len(after) == 0:
		return signs, mayBeOpening
	case after[0] == ':':
		return signs, isOpening
	}
	return signs, noOpening
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

func (f *NoteFilter) inNote(out []byte, c byte) []byte {
	f.prev = c
	switch c {
	case '[':
		f.depth++
	case ']':
		f.depth--
	case '\n':
		n := len(f.note)
		if f.line0 > 0 && f.blank == 0 && len(bytes.Trim(f.note[f.line0:], f.margin())) == 0 {
			f.blank = f.line0
		}
		f.line0 = n + 1
	}
	if f.depth == 0 {
		f.began = f.signs[len(strings.TrimRight(f.signs, "*_")):]
		ends := []byte(f.began)
		slices.Reverse(ends)
		f.ends = string(ends)
		f.endNote()
		return out
	}
	if f.note = append(f.note, c); f.blank > 0 && len(f.note)-f.blank > maxBehind {
		return f.leaveOpen(out)
	}
	return out
}

// margin is what a blank line of a note may hold.
func (f *NoteFilter) margin() string {
	if strings.Contains(f.signs, ">") {
		return " \t\r>"
	}
	return " \t\r"
}

// leaveOpen ends a note that is not closed at its first blank line.
func (f *NoteFilter) leaveOpen(out []byte) []byte {
	rest := bytes.Clone(f.note[f.blank-1:]) // with the line end in front of it
	f.note = f.note[:f.blank-1]
	f.endNote()
	for _, b := range rest {
		out = f.step(out, b)
	}
	return out
}

// behind takes away the emphasis around a note, once it has ended on both sides.
func (f *NoteFilter) behind(out []byte, c byte) []byte {
	if c == f.ends[0] {
		f.ends = f.ends[1:]
		return out
	}
	seen := len(f.began) - len(f.ends)
	ends := []byte(f.began)
	slices.Reverse(ends)
	f.ends = ""
	for _, b := range []byte(f.began) {
		out = f.show(out, b)
	}
	for _, b := range append(ends[:seen], c) {
		out = f.step(out, b)
	}
	return out
}

func (f *NoteFilter) endNote() {
	lines := strings.Split(string(f.note), "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimLeft(lines[i], f.margin())
	}
	f.last, f.found, f.depth, f.line0, f.blank = strings.TrimSpace(strings.Join(lines, "\n")), true, 0, 0, 0
	f.note = f.note[:0]
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
	var out []byte
	for f.depth > 0 {
		if f.blank > 0 {
			out = f.leaveOpen(out)
		} else {
			f.endNote()
		}
	}
	held := f.held
	f.held = nil
	for _, b := range held {
		out = f.show(out, b)
	}
	visible, note, found = string(out), f.last, f.found
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
