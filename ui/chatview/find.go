package chatview

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/keys"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// find is the bar that searches in the chat.
type find struct {
	transcript *transcript.Transcript
	Line       term.Line
	Open       bool
	Typing     bool // keys go to the line; else n and N move
}

func newFind(t *transcript.Transcript) find {
	return find{transcript: t, Line: term.NewLine("/")}
}

// Begin opens the bar, or puts the cursor back into it. From anywhere but the transcript, where n does
// it, it also goes to the next match.
func (f *find) Begin(from keys.Focus) {
	if f.Open && from != keys.InTranscript {
		f.transcript.FindNext()
	}
	f.Open, f.Typing = true, true
	f.Line.Focus()
}

// OpenWith opens the bar with the words of /find.
func (f *find) OpenWith(words string) {
	f.Begin(keys.InTranscript)
	f.Line.SetValue(words)
	f.transcript.Find(words)
}

// Leave stops typing; the matches stay.
func (f *find) Leave() {
	f.Typing = false
	f.Line.Blur()
}

// Close ends the search.
func (f *find) Close() {
	f.Leave()
	f.Open = false
	f.Line.SetValue("")
	f.transcript.Find("")
}

// ShowAt goes to a message, and marks the first match in it: all of the words together, else the
// longest word.
func (f *find) ShowAt(id, words string) {
	words = strings.ToLower(strings.ReplaceAll(words, `"`, ""))
	try := strings.Fields(words)
	slices.SortStableFunc(try, func(a, b string) int { return len(b) - len(a) })
	found := f.transcript.FindIn(id, append([]string{strings.TrimSpace(words)}, try...)...)
	f.Line.SetValue(found)
	f.Open = found != ""
}

// Key handles a key while the bar has the cursor. It reports whether the user has finished typing and
// reads the matches.
func (f *find) Key(msg tea.KeyPressMsg) (done bool) {
	switch msg.String() {
	case "esc":
		f.Close()
	case "enter":
		f.Leave()
		return true
	case "up", "ctrl+p", "shift+enter":
		f.transcript.FindPrev()
	case "down", "ctrl+n", "ctrl+f":
		f.transcript.FindNext()
	default:
		f.Write(msg)
	}
	return false
}

// Write passes a key or a paste to the line.
func (f *find) Write(msg tea.Msg) {
	before := f.Line.Value()
	f.Line.Update(msg)
	if v := f.Line.Value(); v != before {
		f.transcript.Find(v)
	}
}

// State returns the state of the search: "3 of 11".
func (f *find) State() string {
	at, total := f.transcript.Matches()
	switch {
	case f.Line.Value() == "":
		return "type what to look for"
	case total == 0:
		return "not found"
	}
	return theme.Comma(at) + " of " + theme.Comma(total)
}
