package history

import (
	"strings"
	"testing"
	"time"
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
	c, _, _ := decode([]byte(file), time.UTC)
	c.Title = "New"
	if got, want := string(encode(&c, true)), strings.Replace(file, "\n---\n\n", "\ntopic: \"New\"\n---\n\n", 1); got != want {
		t.Errorf("renamed:\n%s\nwant\n%s", got, want)
	}
}

// TestOddProperties: what is not ours to change stays whatever surrounds it.
func TestOddProperties(t *testing.T) {
	for name, tc := range map[string]struct{ in, keeps string }{
		"between":         {"mood: fine\nepoch: 1\n# why\nrating: 5 # stars\nmodelKey: m\n", "mood: fine\nepoch: 1\n# why\nrating: 5 # stars\nmodelKey: m\n"},
		"blank lines":     {"a:\n  - 1\n\n  - 2\nepoch: 1\n\nb: |\n  text\n  # no comment\n", "a:\n  - 1\n\n  - 2\nepoch: 1\n\nb: |\n  text\n  # no comment\n"},
		"flow":            {"{epoch: 1, mood: fine}\n", "mood: fine\n"},
		"only comments":   {"# nothing\n", "# nothing\n"},
		"alias of ours":   {"modelKey: &m gpt\nfavourite: *m\nepoch: 1\n", "modelKey: &m gpt\nfavourite: *m\nepoch: 1\n"},
		"broken":          {"epoch: 1\nmood: [\nrating: 5\n", "epoch: 1\nmood: [\nrating: 5\n"},
		"words":           {"just words\n", "just words\n"},
		"epoch of a text": {"epoch: Jurassic\n", "epoch: Jurassic\n"},
		"of a later ibid": {"epoch: 1\nibid:\n  v: 1\n  pinned: true\n  more: {a: [1]}\n", "  pinned: true\n"},
	} {
		c, _, err := decode([]byte("---\n"+tc.in+"---\n\n**user**: a\n[Timestamp: 2025/11/24 16:00:00]"), time.UTC)
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
		if !strings.Contains(file, tc.keeps) {
			t.Errorf("%s: no %q in\n%s", name, tc.keeps, file)
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
