package ui_test

import (
	"strings"
	"testing"
)

// long is a chat in which what is looked for stands far above the end.
var long = "-- Chats/Long.md --\n---\nepoch: 1773000001000\ntopic: A long talk\nmodelKey: \"gpt-5|openai\"\ntags: [copilot-conversation, music/theory]\n---\n\n" +
	"**user**: Which mode is this?\n[Context: Notes: Band/Setlist.md]\n[Timestamp: 2026/03/02 09:00:00]\n\n" +
	"**ai**: Phrygian, by its flat second.\n[Timestamp: 2026/03/02 09:00:05]\n\n" +
	strings.Repeat("**user**: And then?\n[Timestamp: 2026/03/02 09:01:00]\n\n**ai**: "+
		strings.Repeat("More of the same.\n\n", 12)+"[Timestamp: 2026/03/02 09:01:05]\n\n", 4) +
	"**user**: Thanks\n[Timestamp: 2026/03/02 09:02:00]\n\n**ai**: Gladly, and the last word.\n[Timestamp: 2026/03/02 09:02:05]\n"

// TestFilterChats narrows the list by what is typed before a colon.
func TestFilterChats(t *testing.T) {
	playOn(t, 100, 30, rigOn(band+older+long), func(r *stage) {
		r.Press("ctrl+s")
		r.WaitFor("A long talk")
		r.Want("note: tag: model: chain: since: until:", "Scales and arpeggios")
		for query, shown := range map[string]string{
			"tag:music":      "A long talk",
			"tag:mus":        "A long talk",
			"note:setl":      "A long talk",
			"model:GPT-5":    "A long talk",
			"note:gone":      "Which keyboard to buy",
			"tag:music long": "A long talk",
		} {
			r.Type(query)
			r.WaitFor(shown)
			for _, title := range []string{"A long talk", "Scales and arpeggios", "Which keyboard to buy"} {
				if title != shown {
					r.WantNot(title)
				}
			}
			r.Press("ctrl+u")
			r.WaitFor("Scales and arpeggios")
		}
		r.Type("until:soon")
		r.WaitFor("a date is 2026-01-31 or today")
		r.Want("Scales and arpeggios")
		r.Press("ctrl+u")
		r.Type("model:gpt contrary")
		r.WantNot("Scales and arpeggios")
	})
}
