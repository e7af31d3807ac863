package scrollback

import (
	"testing"

	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// TestRest: lines that were on their way when the program ended were never written, and are
// printed with the rest.
func TestRest(t *testing.T) {
	look := theme.New(theme.Options{})
	p := Printer{On: true, state: printBusy, lines: []string{"one", "two", "three"}, sent: 2}
	v := View{Theme: &look, Transcript: transcript.New(transcript.Options{})}
	if got, want := p.Rest(&v), "one\ntwo\nthree\n\n"; got != want {
		t.Errorf("printed at the end: %q, want %q", got, want)
	}
}
