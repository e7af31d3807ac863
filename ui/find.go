package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// find is the bar that looks for words in the chat.
type find struct {
	transcript *transcript.Transcript
	line       textinput.Model
	open       bool
	typing     bool // keys go to the line; else n and N move
}

func newFind(t *transcript.Transcript) find {
	return find{transcript: t, line: term.NewLine("/")}
}

// begin opens the bar, or goes back to its line, and from anywhere but the transcript, where
// n does it, to the next match.
func (f *find) begin(from keys.Focus) {
	if f.open && from != keys.InTranscript {
		f.transcript.FindNext()
	}
	f.open, f.typing = true, true
	f.line.Focus()
}

// look opens the bar with words that were typed before, as /find takes them.
func (f *find) look(words string) {
	f.begin(keys.InTranscript)
	f.line.SetValue(words)
	f.line.CursorEnd()
	f.transcript.Find(words)
}

// leave stops typing; the matches stay.
func (f *find) leave() {
	f.typing = false
	f.line.Blur()
}

// close ends the search.
func (f *find) close() {
	f.leave()
	f.open = false
	f.line.SetValue("")
	f.transcript.Find("")
}

// showAt goes to a message, and marks the first of some words that stands in it:
// all of them together, else the longest.
func (f *find) showAt(id, words string) {
	words = strings.ToLower(strings.ReplaceAll(words, `"`, ""))
	try := strings.Fields(words)
	slices.SortStableFunc(try, func(a, b string) int { return len(b) - len(a) })
	found := f.transcript.FindIn(id, append([]string{strings.TrimSpace(words)}, try...)...)
	f.line.SetValue(found)
	f.open = found != ""
}

// key acts on a key while the bar is typed into. It reports whether the user is
// done typing and reads the matches.
func (f *find) key(msg tea.KeyPressMsg) (done bool) {
	switch msg.String() {
	case "esc":
		f.close()
	case "enter":
		f.leave()
		return true
	case "up", "ctrl+p", "shift+enter":
		f.transcript.FindPrev()
	case "down", "ctrl+n", "ctrl+f":
		f.transcript.FindNext()
	default:
		f.write(msg)
	}
	return false
}

// write gives the line a key or a paste.
func (f *find) write(msg tea.Msg) {
	before := f.line.Value()
	f.line, _ = f.line.Update(msg)
	if v := f.line.Value(); v != before {
		f.transcript.Find(v)
	}
}

// state is where the search stands: "3 of 11".
func (f *find) state() string {
	at, total := f.transcript.Matches()
	switch {
	case f.line.Value() == "":
		return "type what to look for"
	case total == 0:
		return "not found"
	}
	return theme.Comma(at) + " of " + theme.Comma(total)
}
