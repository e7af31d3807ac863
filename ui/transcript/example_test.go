package transcript_test

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"ibid/ui/theme"
	"ibid/ui/transcript"
)

// A reply streams in below a prompt, and the person stops it.
func Example() {
	t := transcript.New(transcript.Options{Theme: theme.New(theme.Options{NoColor: true})})
	t.SetSize(40, 7)
	t.Append(transcript.Message{ID: "1", Role: transcript.You, Text: "Which herbs like shade?"})
	t.Append(transcript.Message{ID: "2", Role: transcript.Assistant, Status: transcript.Streaming})

	s, _ := t.Stream("2")
	for _, piece := range []string{"Mint and par", "sley; see [[Bal", "cony]]."} {
		s.AppendText(piece)
	}
	s.Finish(transcript.Cancelled)
	fmt.Println(ansi.Strip(t.View()))
	// Output:
	// ▌ you
	// ▌ Which herbs like shade?
	//
	//   assistant
	//   Mint and parsley; see Balcony.
	//   ! stopped here
}
