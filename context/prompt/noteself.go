package prompt

import (
	"strings"

	"ibid/vault/md"
)

// A model may end a reply with a note to itself, "[NOTE TO SELF: …]". It is
// never shown, not even while the reply streams. The rules:
//
//   - brackets are balanced, so a [[wikilink]] inside a note survives;
//   - of several notes the last one wins, and all of them are hidden;
//   - a note that is never closed runs to the end of the reply;
//   - inside a code fence, or right after a backtick, it is text like any other;
//   - white space before a note goes with it when nothing visible follows.

const noteOpening = "[NOTE TO SELF:"

// NoteFilter takes a reply as it streams and lets through what may be shown.
// The visible text is the same however the reply is split. The zero value is
// ready for a new reply. A NoteFilter is used by one goroutine at a time.
type NoteFilter struct {
	held   []byte // the start of what may become a note
	spaces []byte // white space that is shown only if something visible follows
	note   []byte // the text of the note that is being read
	depth  int    // open brackets of that note, 0 outside
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
	if f.depth > 0 {
		f.inNote(c)
		return out
	}
	if len(f.held) > 0 || c == '[' && f.code.Open().Char == 0 && f.prev != '`' {
		f.held = append(f.held, c)
		switch {
		case string(f.held) == noteOpening:
			f.held, f.note, f.depth = f.held[:0], f.note[:0], 1
		case !strings.HasPrefix(noteOpening, string(f.held)):
			held := f.held
			f.held = nil
			out = f.show(out, held[0])
			for _, b := range held[1:] {
				out = f.step(out, b) // a "[" among them may begin a note
			}
		}
		return out
	}
	return f.show(out, c)
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

func (f *NoteFilter) inNote(c byte) {
	switch c {
	case '[':
		f.depth++
	case ']':
		f.depth--
	}
	f.prev = c
	if f.depth > 0 {
		f.note = append(f.note, c)
		return
	}
	f.endNote()
}

func (f *NoteFilter) endNote() {
	f.last, f.found, f.depth = strings.TrimSpace(string(f.note)), true, 0
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
	if f.depth > 0 {
		f.endNote()
	}
	var out []byte
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
	line = strings.Join(strings.Fields(clean(line)), " ")
	if r := []rune(line); len(r) > maxActivity {
		line = string(r[:maxActivity-1]) + "…"
	}
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
