package chains_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
	"ibid/vault/vaulttest"
)

// long returns a note that is long enough for a diff.
func long(marker string) string {
	return strings.Repeat("A line about the weather.\n", 300) + "Marker: " + marker + "\n" +
		strings.Repeat("A line about the soil.\n", 300)
}

// TestFresh: whatever happens to a note between two turns, and however it hides,
// the next request has what the note says now or a word that it is outdated.
func TestFresh(t *testing.T) {
	t.Parallel()
	const archive = "-- beds.md --\nTulips. Marker: oriole.\n-- other.md --\nElse.\n"
	write := func(content string) func(*rig) {
		return func(r *rig) { vaulttest.Write(r, r.vault, "beds.md", content) }
	}
	tests := map[string]struct {
		act      func(*rig)
		attached bool // the note is attached again
		wants    []string
	}{
		"grown":                    {write("Tulips. Marker: oriole.\n" + long("heron")), true, []string{"heron"}},
		"same size and same time":  {sameSizeAndTime, true, []string{"Tulips. Marker: plover."}},
		"the same, not attached":   {sameSizeAndTime, false, []string{"changed on disk"}},
		"replaced by another file": {replaced, true, []string{"heron"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, archive, textReplies("One.", "Two.")...).begin(func(o *chains.Options) { o.Layout = prompt.Append })
			old := time.Now().Add(-time.Hour).Truncate(time.Second)
			check(t, os.Chtimes(filepath.Join(r.vault.Dir(), "beds.md"), old, old))
			r.say("1", note("beds.md"))
			before := len(r.sent())
			tt.act(r)
			in := chains.Input{Text: "2"}
			if tt.attached {
				in.Attach = []prompt.Ref{note("beds.md")}
			}
			r.send(in).ended(chains.FinishStop)
			r.wants(r.sent()[before:], tt.wants...)
		})
	}
}

// sameSizeAndTime edits a note in its place and sets its clock back.
func sameSizeAndTime(r *rig) {
	name := filepath.Join(r.vault.Dir(), "beds.md")
	info := value(os.Stat(name))(r)
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	check(r, err)
	value(f.WriteString("Tulips. Marker: plover.\n"))(r)
	check(r, f.Close())
	check(r, os.Chtimes(name, info.ModTime(), info.ModTime()))
}

// replaced saves a note the way editors do.
func replaced(r *rig) {
	vaulttest.Write(r, r.vault, ".beds.md.tmp", "Lilies. Marker: heron.\n")
	vaulttest.Rename(r, r.vault, ".beds.md.tmp", "beds.md")
}

// TestFreshStory: one note through its life, told step by step.
func TestFreshStory(t *testing.T) {
	r := newRig(t, "-- beds.md --\n"+long("oriole"),
		textReplies("1", "2", "3", "4", "5", "6", "7")...).begin(func(o *chains.Options) { o.Layout = prompt.Append })
	r.say("a", note("beds.md"))
	step := func(question string, wants, lacks []string, refs ...prompt.Ref) {
		t.Helper()
		before := len(r.sent())
		r.say(question, refs...)
		r.wants(r.sent()[before:], wants...)
		r.lacks(r.sent()[before:], lacks...)
	}
	vaulttest.Write(t, r.vault, "beds.md", long("heron"))
	step("b", []string{"-Marker: oriole", "+Marker: heron"}, []string{long("heron")[:1000]}, note("beds.md"))
	step("c", nil, []string{"changed", "Marker"})
	vaulttest.Remove(t, r.vault, "beds.md")
	step("d", []string{"was deleted"}, nil)
	step("e", nil, []string{"deleted"}) // it is said once
	vaulttest.Write(t, r.vault, "beds.md", long("heron"))
	step("f", []string{"is again as it is shown above"}, nil)
	if strings.Contains(r.sent(), "\x00") {
		t.Error("bytes")
	}
}

// TestFreshWhileStreaming: an edit while a reply is being written is in the next
// request, and one between looking and sending is not lost either.
func TestFreshWhileStreaming(t *testing.T) {
	r := newRig(t, garden)
	r.model.Add(chaintest.Reply{Func: func(chains.Request) chaintest.Reply {
		vaulttest.Write(t, r.vault, "beds.md", "Lilies. Marker: heron.\n")
		return reply("One.")
	}}, reply("Two."))
	r.say("1", note("beds.md"))
	r.lacks(r.sent(), "heron")
	r.say("2", note("beds.md"))
	r.wants(r.sent(), "heron")
}

// TestUnreadable (S0-97): a file that cannot be read is named and left out, the turn goes on,
// and no notice says that it was deleted.
func TestUnreadable(t *testing.T) {
	r := newRig(t, garden, textReplies("One.", "Two.")...)
	r.say("1", note("beds.md"))
	if os.Geteuid() == 0 { // root reads everything but a folder
		vaulttest.Remove(t, r.vault, "beds.md")
		vaulttest.Write(t, r.vault, "beds.md/x.md", "")
	} else if err := os.Chmod(filepath.Join(r.vault.Dir(), "beds.md"), 0); err != nil {
		t.Fatal(err)
	}
	h := r.say("2", note("beds.md"), note("tools/rake.md"))
	if n := h.notices("unreadable_note"); len(n) != 1 || !strings.Contains(n[0], "beds.md") {
		t.Errorf("notices %q", h.notices(""))
	}
	r.wants(r.sent(), "finch")
	r.lacks(r.sent(), "deleted")
}
