package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/vault/md"
)

// checkNote checks the properties that every note has, for a text of so many lines.
func checkNote(t *testing.T, n *Note, lines int) {
	t.Helper()
	in := func(what string, line int) {
		t.Helper()
		if line < 1 || line > lines {
			t.Errorf("%s on line %d of %d", what, line, lines)
		}
	}
	// The line after the properties may not exist.
	if n.BodyLine < 1 || n.BodyLine > lines+1 {
		t.Errorf("body on line %d of %d", n.BodyLine, lines)
	}
	last := 0
	for _, h := range n.Headings {
		in("heading", h.Line)
		if h.Line <= last {
			t.Errorf("heading on line %d after one on line %d", h.Line, last)
		}
		if h.Level < 1 || h.Level > 6 {
			t.Errorf("heading of level %d", h.Level)
		}
		last = h.Line
	}
	for l := range n.Links() {
		in("link "+l.Target, l.Line)
		if l.Target == "" && l.Subpath == "" {
			t.Error("a link to nothing")
		}
		if strings.Contains(l.Target, "\n") && l.Kind == Wikilink {
			t.Errorf("a link over two lines: %q", l.Target)
		}
	}
	for _, b := range n.Blocks() {
		in("block", b.Start)
		in("block", b.End)
		if b.Start > b.End || b.ID == "" {
			t.Errorf("block %+v", b)
		}
	}
	for _, tag := range n.Tags {
		if md.TagLen(tag) != len(tag) || tag == "" {
			t.Errorf("tag %q", tag)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"---\ntitle: a\n---\n# h\n[[a|b]] #t ^id\n", "> - ```\n>   x\n> ```\ny", "a\n===\n\n| a |\n|-|\n^t",
		"%%\n# x\n%% $$\na\n$$ <!-- -->",
		"[![a](b.png)](c 'd')\n`x\ny`#t", "- a ^b\n  - c\n\n    d\n\ne", "\r\n\uFEFF\xff[[\xff]]", "1. 2) * + - x ^1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, _ := Normalize(data)
		n := parseNote("a/n.md", text)
		checkNote(t, n, strings.Count(text, "\n")+1)
		tx := Text{Note: n, Content: text}
		for _, h := range n.Headings {
			if start, end, ok := tx.Section(h.Text); ok && (start < 1 || end < start || end > lastLineNumber(text)) {
				t.Errorf("section %q is %d..%d of %d", h.Text, start, end, lastLineNumber(text))
			}
		}
		for _, b := range n.Blocks() {
			if _, _, ok := tx.Section("^" + b.ID); !ok {
				t.Errorf("block %q is not found", b.ID)
			}
		}
	})
}

func FuzzFrontmatter(f *testing.F) {
	for _, s := range []string{
		"a: b\nc:\n- d\n- \"e\"\n", "tags: [a, b]\n\n# c\naliases:\n  - x", "a: 2024-01-02", "x: {{y}}", "a: \"b\" c",
		"a:\n b: c", "é: -1", "a: .inf",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, block string) {
		block, _ = Normalize([]byte(block))
		samePlain(t, block)
		n := parseNote("n.md", "---\n"+block+"\n---\n#body\n")
		if len(n.Tags) == 0 && !strings.Contains(block, "---") && !strings.Contains(block, "\r") {
			t.Errorf("the tag after %q is lost", block)
		}
		checkNote(t, n, strings.Count(block, "\n")+5)
	})
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a", "../b", "/a/b", "./c#d", "a.md", "..", "A/../../b", "\x00", "a//b"} {
		f.Add(s)
	}
	dir := f.TempDir()
	for _, name := range []string{"a.md", "b/a.md", "b/c.md", "d.png"} {
		check(f, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		check(f, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	v, err := Open(dir, Options{})
	check(f, err)
	defer v.Close()
	check(f, v.Scan(f.Context()))
	known := map[Path]bool{"a.md": true, "b/a.md": true, "b/c.md": true, "d.png": true}
	f.Fuzz(func(t *testing.T, target string) {
		all := []FoundNote{v.Resolve(target, "b/c.md")}
		for purpose := ToReadOldChat; purpose <= ToWrite; purpose++ {
			all = append(all, v.Find(target, purpose))
		}
		for _, got := range all {
			is(t, got.State == OK || got.State == Moved, known[got.Path], target, got)
		}
	})
}
