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
	"ibid/vault/vaulttest"
)

func TestTexts(t *testing.T) {
	functions := map[string]func(string) string{
		"name":    func(s string) string { return fileName(&Chat{Epoch: 1737979200000, Title: s}, time.UTC, "") },
		"title":   func(s string) string { return titleFromPath(vault.Path(s)) },
		"topic":   CleanTopic,
		"kind":    func(s string) string { return Status(s).ErrorKind() },
		"context": func(s string) string { return parseContext(contextOpen+s+"]", false).Line() },
		"item": func(s string) string {
			written := escapeItem(s, false)
			is(t, unescapeItem(written, true), s)
			return written
		},
		"inlined": func(s string) string {
			context, question := (&Message{Role: User, Text: s}).Inlined()
			return context + " ▸ " + question
		},
		"align": func(s string) string {
			a, b, _ := strings.Cut(s, "/")
			return fmt.Sprint(align(strings.Split(a, ""), strings.Split(b, "")))
		},
	}
	for _, row := range vaulttest.Rows(t, "texts.txt", 3) {
		want := row[2]
		if row[0] == "context" && want != "" {
			want = contextOpen + want + "]"
		}
		is(t, functions[row[0]](row[1]), want, row[0], row[1])
	}
	for _, suffix := range []string{"", " 2", " 1234"} {
		got := fileName(&Chat{Title: strings.Repeat("日", 50)}, time.UTC, suffix)
		if len(got) > maxName || !strings.HasSuffix(got, suffix+".md") {
			t.Errorf("%q has %d bytes", got, len(got))
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
		"free": {put: func(vault.Path) error { return nil }, want: "F/Beds@20250127_120000.md"},
		"taken": {
			put: taken("F/Beds@20250127_120000.md", "F/Beds@20250127_120000 2.md"), want: "F/Beds@20250127_120000 3.md",
		},
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

// TestInlined: a chat whose contexts were saved inline opens in compat mode.
func TestInlined(t *testing.T) {
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
