package chains_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// TestNotesToSelf: a note is stored with its role, replayed once in every later
// request, and in no event and no text of the file, however the reply is split
// (S4-02, S4-07, S4-09, S4-25).
func TestNotesToSelf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		reply, shown, note string
	}{
		"at the end":         {"Added.\n\n[NOTE TO SELF: the [[hedge]] is cut]", "Added.", "the [[hedge]] is cut"},
		"two, the last wins": {"A [NOTE TO SELF: auk] B [NOTE TO SELF: rook]", "A  B", "rook"},
		"never closed":       {"A.\n[NOTE TO SELF: mind the jackdaw", "A.", "mind the jackdaw"},
		"in a code fence":    {"```\n[NOTE TO SELF: sample]\n```", "```\n[NOTE TO SELF: sample]\n```", ""},
		"nearly":             {"[NOTE TO SELFIES: no] [NOTE", "[NOTE TO SELFIES: no] [NOTE", ""},
		"none":               {"Just [a link](x).", "Just [a link](x).", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for split := 1; split <= len(tt.reply); split++ {
				checkNote(t, tt.reply, tt.shown, tt.note, split)
			}
		})
	}
}

func checkNote(t *testing.T, reply, shown, note string, split int) {
	t.Helper()
	r := newRig(t, "-- a.md --\nx\n", chaintest.Reply{Text: reply, Split: split}).begin(func(o *chains.Options) {
		o.Store = nil
	})
	r.model.Add(textReplies("Two.", "Three.")...)
	h := r.say("1")
	if h.text() != shown {
		t.Fatalf("split %d: shown %q, want %q", split, h.text(), shown)
	}
	for _, e := range h.events {
		if d, ok := e.(chains.TextDelta); ok && note != "" && strings.Contains(d.Text, "NOTE TO") {
			t.Fatalf("split %d: %q was shown", split, d.Text)
		}
	}
	want := "u 1\na " + shown
	if note != "" {
		want += "\nn " + note
	}
	if got := transcript(t, r.chat()); got != want {
		t.Fatalf("split %d:\n%s", split, got)
	}
	for _, question := range []string{"2", "3"} {
		r.say(question)
		if n := strings.Count(r.sent(), note); note != "" && n != 1 {
			t.Fatalf("split %d: in turn %s the note is there %d times", split, question, n)
		}
	}
}

// TestNoteInFile: nothing that a person or another program reads as the
// conversation holds the note; the dump does, under a head of its own (S4-26, S4-31).
func TestNoteInFile(t *testing.T) {
	for _, layout := range []prompt.Layout{prompt.Auto, prompt.Strict, prompt.Append} {
		r := newRig(t, garden, textReplies("One. [NOTE TO SELF: heron]", "Two. [NOTE TO SELF: egret]", "Three.", "Four.")...)
		r.begin(func(o *chains.Options) { o.Layout = layout })
		r.say("1")
		env := r.say("2").envelope()
		_, body, _ := strings.Cut(r.file(), "-->")
		r.lacks(body, "heron", "egret", "NOTE TO SELF")
		r.say("3")
		for _, n := range []string{"heron", "egret"} {
			is(t, strings.Count(r.sent(), n), 1, layout, n)
		}
		if layout == prompt.Append {
			r.wants(env.Dump(), "--- NOTE TO SELF ---\nheron")
		}
		r.reopen() // also between the turns (S4-29)
		r.apply(chains.Change{Refresh: true})
		r.say("4")
		r.wants(r.system(), "RECENT NOTES TO SELF:\nheron\negret")
		r.lacks(strings.Join(r.last()[1:], ""), "heron", "egret")
	}
}
