package history

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMergeLosesNothing: whatever somebody else did to the file and however we
// went on, either the two are in conflict or the merged chat holds everything
// that they wrote and everything that we wrote, both in order.
func TestMergeLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		fresh := func(who string) Message {
			n++
			role := User
			if n%2 == 0 {
				role = Assistant
			}
			return Message{Role: role, Text: fmt.Sprint(who, " ", n)}
		}
		var base []Message
		for range rapid.IntRange(0, 6).Draw(t, "length") {
			base = append(base, fresh("base"))
		}
		ours := slices.Clone(base)
		if len(ours) > 0 {
			// We change the end only: a reply that streams, or an edited message.
			if from := rapid.IntRange(0, len(ours)).Draw(t, "from"); from < len(ours) {
				ours = append(slices.Clone(ours[:from]), fresh("ours"))
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			ours = append(ours, fresh("ours"))
		}
		theirs := slices.Clone(base)
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			switch i := rapid.IntRange(0, len(theirs)).Draw(t, "at"); rapid.IntRange(0, 3).Draw(t, "edit") {
			case 0:
				theirs = slices.Insert(theirs, i, fresh("theirs"))
			case 1:
				if i < len(theirs) {
					theirs[i] = fresh("theirs")
				}
			case 2:
				if i < len(theirs) {
					theirs = slices.Delete(theirs, i, i+1)
				}
			case 3:
				if i < len(theirs) {
					theirs[i].After = fresh("theirs").Text
				}
			}
		}
		c := Chat{Messages: slices.Clone(ours)}
		if !merge(&c, &Chat{Messages: base}, &Chat{Messages: theirs}) {
			if !slices.EqualFunc(c.Messages, ours, func(a, b Message) bool { return a.Text == b.Text }) {
				t.Fatal("a conflict changed our chat")
			}
			return
		}
		checkOrder(t, "ours", c.Messages, added(ours, base))
		checkOrder(t, "theirs", c.Messages, added(theirs, base))
		for _, m := range theirs {
			if m.After != "" && !slices.ContainsFunc(c.Messages, func(o Message) bool {
				return o.After == m.After || len(o.After) > len(m.After)
			}) {
				t.Fatalf("what they wrote below a message is lost: %q", m.After)
			}
		}
		if k := len(ours) - 1; k >= 0 && len(ours) > len(base) && c.Messages[len(c.Messages)-1].Text != ours[k].Text {
			t.Fatalf("our newest message is not the last one: %v", c.Messages)
		}
	})
}

func added(now, before []Message) []string {
	var out []string
	for _, m := range now {
		if !slices.ContainsFunc(before, func(b Message) bool { return b.Text == m.Text }) {
			out = append(out, m.Text)
		}
	}
	return out
}

func checkOrder(t *rapid.T, who string, merged []Message, want []string) {
	t.Helper()
	for _, m := range merged {
		if len(want) > 0 && m.Text == want[0] {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		t.Fatalf("%s: %q is lost or out of order in %+v", who, want[0], merged)
	}
}
