package history

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ibid/vault"
)

func TestNames(t *testing.T) {
	for title, want := range map[string]string{
		"Watering plan":                "Watering_plan",
		"CON":                          "CON", // no device with what follows
		".env for the shed":            "_env_for_the_shed",
		"a\tb\x1b[31m":                 "a_b_31m",
		"Apples#Storing them":          "Apples_Storing_them", // what Obsidian cannot link
		"see [[Apples#^a1|these]]":     "see_Apples_a1_these",
		"# ^":                          "Untitled_Chat",
		"../x":                         "_._x",
		" ":                            "Untitled_Chat",
		"x.md":                         "x.md",
		strings.Repeat("👩‍🌾", 20):      strings.Repeat("👩‍🌾", 7),
		strings.Repeat("e\u0301", 60):  strings.Repeat("e\u0301", 27),
		"a" + strings.Repeat("日本", 40): "a" + strings.Repeat("日本", 13),
	} {
		c := Chat{Epoch: 1737979200000, Title: title}
		if got := fileName(&c, time.UTC, ""); got != want+"@20250127_120000.md" || len(got) > maxName {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	c := Chat{Epoch: 1737979200000, Title: strings.Repeat("日", 50)}
	for _, suffix := range []string{"", " 2", " 1234"} {
		got := fileName(&c, time.UTC, suffix)
		if len(got) > maxName || !strings.HasSuffix(got, suffix+".md") {
			t.Errorf("%q has %d bytes", got, len(got))
		}
	}
}

func TestTitlesOfOldNames(t *testing.T) {
	for name, want := range map[string]string{
		"Chat-2023_04_01-10_00_00.md": "Chat", "pruning roses@2023_09_23_23_58_00.md": "pruning roses",
		"agent__Tidy_up@20260806_070640.md": "Tidy up", "chat-1737979200000.md": "",
	} {
		if got := titleFromPath(vault.Path(name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestPlace: a name that is taken gets a number, one that the file system
// refuses becomes a short one, and another failure is passed on.
func TestPlace(t *testing.T) {
	s := &Store{chatDir: chatDir{opts: Options{Zone: time.UTC}}}
	c := Chat{Epoch: 1737979200000, Title: "Beds"}
	for name, tc := range map[string]struct {
		put  func(vault.Path) error
		want vault.Path
		err  bool
	}{
		"free":  {put: func(vault.Path) error { return nil }, want: "F/Beds@20250127_120000.md"},
		"taken": {put: taken("F/Beds@20250127_120000.md", "F/Beds@20250127_120000 2.md"), want: "F/Beds@20250127_120000 3.md"},
		"too long": {put: func(p vault.Path) error {
			if !strings.HasPrefix(p.Name(), "chat-") {
				return fmt.Errorf("write: %w", syscall.ENAMETOOLONG)
			}
			return taken("F/chat-1737979200000.md")(p)
		}, want: "F/chat-1737979200000 2.md"},
		"everything too long": {put: func(vault.Path) error { return syscall.ENAMETOOLONG }, err: true},
		"no permission":       {put: func(vault.Path) error { return fs.ErrPermission }, err: true},
	} {
		got, err := s.putInFolder(&c, "F", tc.put)
		if got != tc.want || (err != nil) != tc.err {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func taken(paths ...vault.Path) func(vault.Path) error {
	return func(p vault.Path) error {
		if slices.Contains(paths, p) {
			return fmt.Errorf("write: %w", fs.ErrExist)
		}
		return nil
	}
}

func TestContextEscapes(t *testing.T) {
	for item, want := range map[string]string{
		"a.md": "a.md", "Ideas, plans.md": "Ideas%2C plans.md", "a,b.md": "a,b.md", "x | y": "x %7C y", "a|b": "a|b", "[old].md": "[old%5D.md",
		"100%.md": "100%.md", "a%2Cb": "a%252Cb", "%25": "%2525", "%20": "%20", "|": "%7C", "a\nb": "a%0Ab",
	} {
		got := escapeItem(item, false)
		if got != want {
			t.Errorf("%q is written %q, want %q", item, got, want)
		}
		if back := unescapeItem(got, true); back != item {
			t.Errorf("%q came back as %q", item, back)
		}
	}
}

// TestForeignContext: lines that other programs wrote are taken as they stand.
func TestForeignContext(t *testing.T) {
	for line, want := range map[string]Context{
		"Notes: a%2Cb.md, c.md":        {Notes: []string{"a%2Cb.md", "c.md"}},
		"Notes: [old] beds.md, c.md":   {Notes: []string{"[old] beds.md", "c.md"}},
		"Notes: | Tags: x":             {Tags: []string{"x"}, Other: []string{"Notes:"}},
		"Moods: fine | Folders: a | b": {Folders: []string{"a"}, Other: []string{"Moods: fine", "b"}},
		"notes: a.md":                  {Other: []string{"notes: a.md"}},
		"":                             {},
	} {
		got := parseContext(contextOpen+line+"]", false)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
}

func TestAlign(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want []int
	}{
		{"abc", "abc", []int{0, 1, 2}},
		{"axc", "abc", []int{0, -1, 2}},
		{"ac", "abc", []int{0, 2}},
		{"abxc", "abc", []int{0, 1, -1, 2}},
		{"xaya", "aa", []int{-1, 0, -1, 1}},
		{"", "abc", []int{}},
		{"aab", "ab", []int{-1, 0, 1}},
	} {
		a, b := strings.Split(tc.a, ""), strings.Split(tc.b, "")
		if tc.a == "" {
			a = nil
		}
		if got := align(a, b); !slices.Equal(got, tc.want) {
			t.Errorf("%s in %s: %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

// TestInlined holds S0-43 for the ways in which contexts were saved inline.
func TestInlined(t *testing.T) {
	for _, tc := range []struct{ text, context, question string }{
		{"note text\nmore\n\nSummarize", "note text\nmore", "Summarize"},
		{"just a question?", "", "just a question?"},
		{"<note_context>\nx\n</note_context>\n\n---\n\n[User query]:\nTwo\nlines?", "<note_context>\nx\n</note_context>", "Two\nlines?"},
		{"fix this\n```go\nx\n```", "", "fix this\n```go\nx\n```"},
	} {
		m := Message{Role: User, Text: tc.text}
		if context, question := m.Inlined(); context != tc.context || question != tc.question {
			t.Errorf("%q: %q, %q", tc.text, context, question)
		}
	}
	withContext := "**user**: a\nb\n[Context: Notes: x.md]\n\n**user**: c\nd"
	if c, _, err := Decode([]byte(withContext)); err != nil || c.Compat() {
		t.Errorf("a chat that saved its contexts opens in compat mode: %v", err)
	}
	// Saving does not lose the mark.
	c, _, err := Decode([]byte("**user**: text\nSummarize"))
	if err != nil || !c.Compat() {
		t.Fatalf("compat %v, %v", c.Compat(), err)
	}
	if again, _, err := Decode(Encode(&c)); err != nil || !again.Compat() {
		t.Errorf("after saving: compat %v, %v", again.Compat(), err)
	}
}

func TestStatus(t *testing.T) {
	if got := StatusError("rate").ErrorKind(); got != "rate" {
		t.Errorf("kind %q", got)
	}
	if got := StatusCut.ErrorKind(); got != "" {
		t.Errorf("kind %q", got)
	}
}

func TestCleanTopic(t *testing.T) {
	for said, want := range map[string]string{
		"Pruning pears":                         "Pruning pears",
		"\n\n  \"Pruning   pears.\"  \nbecause": "Pruning pears",
		"**Title: Pears, quinces**":             "Pears, quinces",
		"# «Was Birnen brauchen»":               "Was Birnen brauchen",
		"Titel: Birnen":                         "Birnen",
		"a/b\\c: d*e?\"f<g>h|[[i]] {j}":         "abc defghi j",
		"梨の剪定について":                              "梨の剪定について",
		"It's Bob's":                            "It's Bob's",
		"":                                      "",
		"\"??\"":                                "",
		" . ":                                   "",
		"bell\a\x1b[31m red":                    "bell 31m red",
	} {
		if got := CleanTopic(said); got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
	long := strings.Repeat("é", 49) + "👩‍👩‍👧" + "end"
	if got := CleanTopic(long); got != strings.Repeat("é", 49) {
		t.Errorf("a long one became %q", got)
	}
	if got := CleanTopic(strings.Repeat("word ", 30)); len([]rune(got)) > 50 || !strings.HasPrefix(got, "word word") || strings.HasSuffix(got, " ") {
		t.Errorf("a long one became %q", got)
	}
}
