package edit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"ibid/vault/edit"
)

func TestReplace(t *testing.T) {
	for _, c := range []struct {
		name, text, old, new, want string
	}{
		{"as it is", "Water the beans\nPrune the plum", "the beans", "the peas", "Water the peas\nPrune the plum"},
		{"taken out", "Water the beans", " the beans", "", "Water"},
		{"no pattern", "seeds", "seeds", "$0 \\1 $&", "$0 \\1 $&"},
		{"quotes", "She said „now” twice", `said "now"`, "left", "She left twice"},
		{"apostrophe", "the plum’s bark", "plum's", "pear's", "the pear's bark"},
		{"dashes", "May – June — July − 1", "May - June - July - 1", "later", "later"},
		{"no-break space", "12\u00a0kg of plums", "12 kg", "14 kg", "14 kg of plums"},
		{"exact before plain", "a “b”\na \"b\"", `a "b"`, "x", "a “b”\nx"},
		{"ligature", "a ﬁne day\n", "a fine day", "rain", "rain\n"},
		{"decomposed", "cafe\u0301 terrace", "café", "tea", "tea terrace"},
		{"trailing blanks", "beans \t\npeas\nplums", "beans\npeas", "leeks", "leeks\nplums"},
		{"trailing blanks in the passage", "beans\npeas\nplums", "beans  \npeas", "leeks", "leeks\nplums"},
		{"the last line of a passage", "beans  \npeas  \nplums", "beans\npeas", "leeks", "leeks\nplums"},
		{"hard break kept", "beans  \npeas", "beans", "leeks", "leeks  \npeas"},
		{"crlf", "one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2\n2b", "1\r\n2\r\n2b\r\nthree\r\n"},
		{"crlf within a line", "one\r\ntwo\r\n", "two", "2\n3", "one\r\n2\r\n3\r\n"},
		{"a line end of a passage", "one\r\ntwo\r\n", "\ntwo", "", "one\r\n"},
		{"lf stays", "one\ntwo\n", "one\r\ntwo", "1\r\n2", "1\n2\n"},
		{"mixed", "one\r\ntwo\nthree\n", "two\nthree", "2\n3", "one\r\n2\n3\n"},
		{"old mac", "one\rtwo\rthree", "one\ntwo", "1\n2", "1\r2\rthree"},
		{"mark", "\uFEFFone\ntwo", "one\ntwo", "1", "\uFEFF1"},
		{"mark in the passage", "\uFEFFone\ntwo", "\uFEFFone\ntwo", "\uFEFF1", "\uFEFF1"},
		{"mark and crlf", "\uFEFFone\r\ntwo\r\n", "one\ntwo\n", "1\n", "\uFEFF1\r\n"},
		{"last line end", "one\ntwo", "one\ntwo\n", "1\n2\n", "1\n2"},
		{"last line end, blanks and quotes", "one  \n“two”", "one\n\"two\"\n", "1\n", "1"},
		{"last line end of crlf", "one\r\ntwo", "two\n", "2\n", "one\r\n2"},
		{"broken bytes stay", "a\xff\xfeb\none", "one", "1", "a\xff\xfeb\n1"},
		{"broken bytes found", "a\xff\xfeb one", "a\uFFFDb", "x", "x one"},
	} {
		got, err := edit.Replace(c.text, c.old, c.new, false)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestReplaceAll(t *testing.T) {
	for _, c := range []struct{ text, old, new, want string }{
		{"aaaa", "aa", "b", "bb"},
		{"plum\r\nplum\nplum", "plum", "pear\nfig", "pear\r\nfig\r\npear\nfig\npear\nfig"},
		{"“a” “a”", `"a"`, "b", "b b"},
	} {
		if got, err := edit.Replace(c.text, c.old, c.new, true); err != nil || got != c.want {
			t.Errorf("%q: %q, %v, want %q", c.text, got, err, c.want)
		}
	}
}

func TestReplaceRefused(t *testing.T) {
	text := "# Garden\n\n- Mon water the beans\n- Tue prune the plum\n- Mon water the beans\nthe year Ⅻ, n\u0303\n"
	for _, c := range []struct {
		name, old string
		lines     []int // of what is not unique
		near      int   // of what is not found
		says      string
	}{
		{"twice", "Mon water the beans", []int{3, 5}, 0, "the text stands in the note 2 times, on lines 3, 5"},
		{"overlapping", "nn", nil, 0, ""},
		{"nearest line", "- Tue prune the pear", nil, 4, "the text does not stand in the note; nearest is line 4: - Tue prune the plum"},
		{"nearest lines", "- Tue prune the pear\n- Mon water beans", nil, 4, "the text does not stand in the note; nearest are lines 4-5:\n- Tue prune the plum\n- Mon water the beans"},
		{"nothing like it", "zinc", nil, 0, "the text does not stand in the note"},
		{"inside of a character", "X", nil, 0, ""},
		{"without its accent", "the year Ⅻ, n", nil, 6, "the text does not stand in the note; nearest is line 6: the year Ⅻ, n\u0303"},
		{"blanks are no wildcard", "plu ", nil, 0, ""},
		{"blanks alone", " \t ", nil, 0, ""},
		{"nothing", "", nil, 0, ""},
	} {
		_, err := edit.Replace(text, c.old, "x", false)
		var notUnique *edit.NotUniqueError
		var notFound *edit.NotFoundError
		switch {
		case errors.As(err, &notUnique):
			if !slices.Equal(notUnique.Lines, c.lines) {
				t.Errorf("%s: on %v, want %v", c.name, notUnique.Lines, c.lines)
			}
		case errors.As(err, &notFound):
			if len(c.lines) > 0 || c.near > 0 && notFound.Line != c.near {
				t.Errorf("%s: near %d, want %d (%v)", c.name, notFound.Line, c.near, c.lines)
			}
		default:
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.says != "" && err.Error() != c.says {
			t.Errorf("%s: %q, want %q", c.name, err, c.says)
		}
	}
	if _, err := edit.Replace("nnn", "nn", "x", false); err == nil {
		t.Error("overlapping places count as one")
	}
}

func TestTextsAround(t *testing.T) {
	front := "---\ntitle: Beans\n---\n"
	for _, c := range []struct {
		name, got, want string
	}{
		{"rewritten", edit.Rewrite(front+"old\n", "new\n"), front + "new\n"},
		{"with its own properties", edit.Rewrite(front+"old\n", "---\na: 1\n---\nnew"), "---\na: 1\n---\nnew"},
		{"rewritten in crlf", edit.Rewrite("\uFEFF---\r\na: 1\r\n---\r\nold", "new\nnew\n"), "\uFEFF---\r\na: 1\r\n---\r\nnew\r\nnew\r\n"},
		{"properties alone", edit.Rewrite("---\na: 1\n---", "new"), "---\na: 1\n---\nnew"},
		{"mark stays", edit.Rewrite("\uFEFFold", "new"), "\uFEFFnew"},
		{"appended", edit.Append("one\n", "two"), "one\ntwo\n"},
		{"appended to an open line", edit.Append("one", "two\n"), "one\ntwo"},
		{"appended to crlf", edit.Append("one\r\n", "two\nthree"), "one\r\ntwo\r\nthree\r\n"},
		{"appended to nothing", edit.Append("", "two"), "two\n"},
		{"prepended", edit.Prepend(front+"old\n", "new"), front + "new\nold\n"},
		{"prepended to crlf", edit.Prepend("---\r\na: 1\r\n---\r\nold", "new\n"), "---\r\na: 1\r\n---\r\nnew\r\nold"},
		{"prepended behind a mark", edit.Prepend("\uFEFFold", "new"), "\uFEFFnew\nold"},
		{"prepended to properties alone", edit.Prepend("---\na: 1\n---", "new"), "---\na: 1\n---\nnew"},
		{"inserted", edit.Insert("one\ntwo\n", 1, "1b"), "one\n1b\ntwo\n"},
		{"inserted in front", edit.Insert("\uFEFFone", 0, "0"), "\uFEFF0\none"},
		{"inserted at the end", edit.Insert("one\ntwo", 9, "3"), "one\ntwo\n3"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	long := strings.Repeat("x\n", 50_000)
	if _, err := edit.Replace(long, "y", "z", false); err == nil {
		t.Error("found in a long text")
	}
}
