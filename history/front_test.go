package history

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"ibid/vault/vaulttest"
)

// TestOwnership: in a file that ibid did not create the properties of the person
// stay as they are, and ibid's stand under a key of their own, through any number
// of turns and a rename.
func TestOwnership(t *testing.T) {
	const foreign = "epoch: 1764000000000\nmodelKey: gpt-4|openai # mine\ntitle: {a: 1}\nmodel: T\nlayout:   wide\n# why\nnotes:\n  - \"[[Mine]]\"\nlastAccessedAt: yesterday\ntags: [copilot-conversation,  x]\n"
	file := "---\n" + foreign + "---\n\n**user**: Q\n[Timestamp: 2025/11/24 16:00:00]"
	for turn := range 2 {
		c, warnings, err := decode([]byte(file), time.UTC)
		if err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
		c.Layout, c.Project, c.Accessed = "strict", "Work/", 0
		file = addTurn(&c, turn)
		if want := "---\n" + foreign + "ibid:\n  v: 1\n  model: \"llama\"\n  layout: strict\n  project: \"Work/\"\n  foreign: 1\n---\n"; !strings.HasPrefix(file, want) {
			t.Fatalf("turn %d:\n%s\nwant\n%s", turn, file, want)
		}
	}
	c := read(t, file)
	c.Title = "New"
	if got, want := string(encode(&c, true)), strings.Replace(file, "\n---\n\n", "\ntopic: \"New\"\n---\n\n", 1); got != want {
		t.Errorf("renamed:\n%s\nwant\n%s", got, want)
	}
}

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
		if err != nil || again.Title != c.Title || again.Epoch != c.Epoch || again.file.version != version || again.Model != "llama" {
			t.Errorf("%s: read again as %d %q %d %q, %v", name, again.Epoch, again.Title, again.file.version, again.Model, err)
		}
		if !strings.Contains(file, keeps) {
			t.Errorf("%s: no %q in\n%s", name, keeps, file)
		}
	}
}

// TestFrontmatterForms: through any number of turns a frontmatter of any form keeps
// its bytes, has no property twice, and the chat is what it was.
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
				if err != nil || again.Layout != "strict" || again.Chain != "vault" || again.Title != c.Title || again.Epoch != 1764000000000 ||
					!again.Pinned || again.Model != "llama" || again.file.version != version || shown(&again) != shown(&c) || len(again.Messages[1].Meta.Items) != 1 {
					t.Errorf("%s, turn %d: %v, read again as %+v\n%s", name, turn, err, again, now)
				}
				if twice := string(Encode(&again)); twice != now {
					t.Errorf("%s, turn %d: not stable:\n%s\n%s", name, turn, now, twice)
				}
				l := listedFile{}
				if l.describe([]byte(now), time.UTC); !l.sum.Pinned || l.sum.Title != c.Title || l.sum.Model != "llama" || l.sum.Epoch != c.Epoch {
					t.Errorf("%s, turn %d: listed as %+v", name, turn, l.sum)
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
		theirs := read(t, "---\nepoch: 1764000000000\nmodelKey: \"llama\"\nlastAccessedAt: 5\ntags:\n  - copilot-conversation\n---\n\n"+string(Encode(&base)[strings.Index(string(Encode(&base)), "**user**"):]))
		mine := base
		if !merge(&mine, &base, &theirs) {
			t.Fatalf("%q: not merged", in)
		}
		now := Encode(&mine)
		r, err := parts(string(now))
		if err != nil || r.src.front.Find("mood") == nil || r.src.front.Find("lastAccessedAt") == nil || strings.Count(string(now), "ibid:\n") != 1 && !strings.Contains(in, "ibid") {
			t.Errorf("%q: %v\n%s", in, err, now)
		}
	}
}

// TestNotFrontmatter: what is never closed is text, even when a line of a message
// looks as if it closed it.
func TestNotFrontmatter(t *testing.T) {
	for _, file := range []string{
		"---\nepoch: 5\n\n**user**: Q\n[Timestamp: 2025/11/24 16:00:00]",
		"---\nepoch: 5\n\n**user**: Q\n[Timestamp: 2025/11/24 16:00:00]\n\n**ai**: a\n---\nb\n[Timestamp: 2025/11/24 16:00:05]",
	} {
		c, _, err := decode([]byte(file), time.UTC)
		if err != nil || c.Turns() != 1 || c.Epoch != 1764000000000 {
			t.Fatalf("%+v, %v", c, err)
		}
		if now := addTurn(&c, 0); !strings.Contains(now, file) {
			t.Errorf("the file is now\n%s", now)
		}
	}
}

// TestRemarksInside: what a person wrote among the properties under "ibid" is still there
// after any number of turns: comments wherever they stand, and other properties.
func TestRemarksInside(t *testing.T) {
	const inside = "ibid: # all of it\n  # above all\n  v: 1 # beside the version\n  model: \"m\" # beside\n  # below the model\n\n  # two\n  # lines\n  mine: {a: [1]} # of mine\n  # above the next\n  # \"quoted\"\n  layout: strict\n  other:\n    - b # of b\n    # of c\n    - c\n  # at the end\n"
	file := "---\nepoch: 1764000000000\n# why\n" + inside + "mood: fine\n---\n\n**user**: Q\n[Timestamp: 2025/11/24 16:00:00]"
	for turn := range 4 {
		c, warnings, err := decode([]byte(file), time.UTC)
		if err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
		c.Layout, c.Pinned = []string{"strict", ""}[turn%2], turn == 2
		file = addTurn(&c, turn)
		for _, remark := range []string{
			"# why", "# all of it", "# above all", "# beside the version", "# beside\n", "# below the model", "# two\n", "# lines", "# of mine", "# above the next", "# \"quoted\"",
			"# of b", "# of c", "# at the end", "mine: {a: [1]}", "other:", "- b", "- c", "mood: fine",
		} {
			if n := strings.Count(file, remark); n != 1 {
				t.Fatalf("turn %d: %q stands %d times in\n%s", turn, remark, n, file)
			}
		}
	}
}
