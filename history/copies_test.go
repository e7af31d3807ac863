package history_test

import (
	"strings"
	"testing"

	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestMergeCopies: what a sync program left beside a chat is put into it, or it is
// said why that cannot be; and it is taken back.
func TestMergeCopies(t *testing.T) {
	later := func(hour, text string) string {
		return "\n\n**user**: " + text + "?\n[Timestamp: 2025/01/27 " + hour + ":00:00]\n\n**ai**: " + text + "!\n[Timestamp: 2025/01/27 " + hour + ":00:01]"
	}
	for name, tc := range map[string]struct {
		ours, theirs outside
		want         string // messages, or what cannot be merged
		contain      string
		does         string
	}{
		"the chat goes on":  {add(later("13", "more")), add(""), "first question|first answer|more?|more!", "", "adds nothing"},
		"the copy goes on":  {add(""), add(later("13", "more")), "first question|first answer|more?|more!", "", "adds 2 message"},
		"both go on":        {add(later("14", "late")), add(later("13", "early")), "first question|first answer|early?|early!|late?|late!", "", "adds 2 message"},
		"a streamed copy":   {replace("first answer", "first"), add(""), "first question|first answer", "", "completes a reply"},
		"a streamed chat":   {add(later("13", "x")), replace("first answer", "first"), "first question|first answer|x?|x!", "", "adds nothing"},
		"remarks":           {add("\n\nmine"), add("\n\ntheirs"), "first question|first answer", "mine\n\ntheirs", "adds nothing"},
		"a property":        {add(""), replace("ibid:\n", "mood: fine\nibid:\n"), "first question|first answer", "\nmood: fine\n", "adds nothing"},
		"another answer":    {add(""), replace("first answer", "other"), "message 2 is another one in each", "", ""},
		"another beginning": {add(""), replace("first question", "other"), "they do not begin with the same message", "", ""},
		"agree again":       {add(later("13", "a") + later("14", "b")), add(later("14", "b")), "from message 3 on they differ and agree again", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v, s := fresh(t, history.Options{StateDir: t.TempDir()})
			c := saved(t, s, "first question", "first answer")
			check(t, s.Release(&c))
			file, copied := onDisk(t, v, c.Path), vault.Path(strings.TrimSuffix(string(c.Path), ".md")+" (1).md")
			vaulttest.Write(t, v, c.Path, tc.ours(file))
			vaulttest.Write(t, v, copied, tc.theirs(file))
			for _, p := range []vault.Path{c.Path, copied} {
				if chat, copies := s.Copies(p); chat != c.Path || len(copies) != 1 || copies[0] != copied {
					t.Errorf("copies of %s: %s, %v", p, chat, copies)
				}
			}
			m, err := s.PlanMerge(c.Path, copied)
			if tc.does == "" {
				if err == nil || !strings.Contains(err.Error(), tc.want) || onDisk(t, v, c.Path) != tc.ours(file) {
					t.Errorf("merged: %v", err)
				}
				return
			}
			if err != nil || !strings.Contains(m.String(), tc.does) || onDisk(t, v, c.Path) != tc.ours(file) {
				t.Fatalf("%s: %v", m.String(), err)
			}
			check(t, m.Do())
			got := open(t, s, c.Path)
			if all := strings.Join(texts(got), "|"); all != tc.want || !strings.Contains(onDisk(t, v, c.Path), tc.contain) {
				t.Errorf("merged it says %q:\n%s", all, onDisk(t, v, c.Path))
			}
			if chat, copies := s.Copies(c.Path); chat != c.Path || len(copies) != 0 || onDisk(t, v, m.Trashed) != tc.theirs(file) {
				t.Errorf("the copy is still %v", copies)
			}
			if err := m.Do(); err == nil {
				t.Error("it was merged twice")
			}
			if _, err := s.Unmerge(c.Path); err != nil {
				t.Fatal(err)
			}
			if onDisk(t, v, c.Path) != tc.ours(file) || onDisk(t, v, copied) != tc.theirs(file) {
				t.Error("taking it back left something else")
			}
			if _, err := s.Unmerge(c.Path); err == nil {
				t.Error("taken back twice")
			}
		})
	}
}
