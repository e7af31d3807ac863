package history

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"ibid/vault/vaulttest"
)

// TestOddProperties: what is not ours to change stays whatever surrounds it.
func TestOddProperties(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "odd.txt", 3) {
		name, in, keeps := row[0], row[1], cmp.Or(row[2], row[1])
		c, _, err := decode([]byte("---\n"+in+"---\n\n**user**: a\n[Timestamp: 2025/11/24 16:00:00]"), time.UTC)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c.Title = "T: \"1\""
		file := addTurn(&c, 0)
		again, _, err := decode([]byte(file), time.UTC)
		if err != nil || again.Title != c.Title || again.Epoch != c.Epoch || again.file.version != version ||
			again.Model != "llama" {
			t.Errorf("%s: read again as %d %q %d %q, %v", name, again.Epoch, again.Title, again.file.version, again.Model, err)
		}
		if !strings.Contains(file, keeps) {
			t.Errorf("%s: no %q in\n%s", name, keeps, file)
		}
	}
}

// TestFrontmatterForms: through any number of turns a frontmatter of any form keeps
// its bytes, has no property twice, and the chat stays the same.
func TestFrontmatterForms(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "forms.txt", 3) {
		name, in, hidden := row[0], row[1], row[2] != ""
		for _, end := range []string{"\n", "\r\n"} {
			lines := func(s string) string { return strings.ReplaceAll(s, "\n", end) }
			file := lines("---\n" + in + "---\n\n**user**: Q\n[Timestamp: 2025/11/24 16:00:00]")
			for turn := range 3 {
				c := read(t, file)
				c.Layout, c.Chain, c.Title, c.Pinned = "strict", "vault", "T: \"1\"", true
				now := addTurn(&c, turn)
				_, rest, _ := strings.Cut(in, "  model: \"m\"\n")
				for line := range strings.SplitAfterSeq(cmp.Or(rest, in), "\n") {
					if !strings.Contains(now, lines(line)) && !strings.Contains(line, "  foreign: 3") {
						t.Errorf("%s, turn %d: no %q in\n%s", name, turn, line, now)
					}
				}
				again, _, err := decode([]byte(now), time.UTC)
				if err != nil || again.Layout != "strict" || again.Chain != "vault" || again.Title != c.Title ||
					again.Epoch != 1764000000000 ||
					!again.Pinned || again.Model != "llama" || again.file.version != version || shown(&again) != shown(&c) ||
					len(again.Messages[1].Meta.Items) != 1 {
					t.Errorf("%s, turn %d: %v, read again as %+v\n%s", name, turn, err, again, now)
				}
				is(t, string(Encode(&again)), now, name, turn)
				if sum, _ := parseSummary("", []byte(now), time.UTC, true); !sum.Pinned || sum.Title != c.Title ||
					sum.Model != "llama" || sum.Epoch != c.Epoch {
					t.Errorf("%s, turn %d: listed as %+v", name, turn, sum)
				}
				file = now
			}
			head, _, _ := strings.Cut(file, "<!--")
			switch whole := lines("---\n" + in + "---\n"); {
			case hidden && !strings.HasPrefix(file, whole):
				t.Errorf("%s: the properties changed to\n%s", name, head)
			case !hidden && strings.Count(head, "  layout: strict") != 1:
				t.Errorf("%s: %d own properties in\n%s", name, strings.Count(head, "  layout: strict"), head)
			}
		}
	}
}

// TestRewrittenForms: what another program leaves out of an odd frontmatter when it
// writes the file anew comes back into a sound one.
func TestRewrittenForms(t *testing.T) {
	for _, in := range []string{"  mood: fine\n", "{mood: fine}\n", "mood: fine\n...\n", "ibid: mine\nmood: fine\n"} {
		c := read(t, "---\n"+in+"---\n\n**user**: Q\n[Timestamp: 2025/11/24 16:00:00]")
		base := read(t, addTurn(&c, 0))
		theirs := read(t,
			"---\nepoch: 1764000000000\nmodelKey: \"llama\"\nlastAccessedAt: 5\ntags:\n  - copilot-conversation\n---\n\n"+
				string(Encode(&base)[strings.Index(string(Encode(&base)), "**user**"):]))
		mine := base
		if !merge(&mine, &base, &theirs) {
			t.Fatalf("%q: not merged", in)
		}
		now := Encode(&mine)
		r, err := parseFile(string(now))
		if err != nil || r.src.front.Find("mood") == nil || r.src.front.Find("lastAccessedAt") == nil ||
			strings.Count(string(now), "ibid:\n") != 1 && !strings.Contains(in, "ibid") {
			t.Errorf("%q: %v\n%s", in, err, now)
		}
	}
}
