package history

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// A chat costs what its length is worth, whatever it holds much of.
func TestChatsOfManyThings(t *testing.T) {
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, text := range map[string]func(int) string{
		"items": func(n int) string {
			return "**user**: x\n[Context: Notes: " + list(n, "n%d.md, ") + "z.md]\n[Timestamp: 2025/01/02 03:04:05]\n"
		},
		"messages":         func(n int) string { return list(n, "**user**: x%d\n") },
		"headers in a row": func(n int) string { return "---\nx: a: b\n" + list(n, "%d\n") + "---\n**user**: x\n" },
		"properties":       func(n int) string { return "---\n" + list(n, "k%d: v\n") + "---\n**user**: x\n" },
		"fenced stamps": func(n int) string {
			return "**user**: " + list(n, "\n```\n[Timestamp: 2025/01/02 03:04:05]\n```%.0d") + "\nx\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			vaulttest.Linear(t, 4_000, func(n int) {
				c, _, err := decode([]byte(text(n)), time.UTC)
				if err != nil || len(c.Messages) == 0 {
					t.Fatal(len(c.Messages), err)
				}
				if sum, ok := parseSummary("a.md", []byte(text(n)), time.UTC, true); !ok || sum.Turns == 0 {
					t.Fatal(sum)
				}
				Encode(&c)
			})
		})
	}
}

func TestManyReferences(t *testing.T) {
	vaulttest.Linear(t, 4_000, func(n int) {
		refs := make([]prompt.Ref, n)
		pins := make([]string, n)
		for i := range refs {
			refs[i] = prompt.Ref{Kind: prompt.Note, ID: fmt.Sprintf("n%d.md", i)}
			pins[i] = fmt.Sprintf("n%d.md", i*2)
		}
		m := Message{Role: User, Context: ContextOf(refs, "", pins), Meta: Meta{Refs: refs}}
		if got := m.Refs(); len(got) != n || got[n-1] != refs[n-1] {
			t.Fatal(len(got))
		}
	})
	vaulttest.Linear(t, 4_000, func(n int) {
		refs := make([]prompt.Ref, n)
		var c Context
		for i := range refs {
			refs[i] = prompt.Ref{Kind: prompt.URL, ID: fmt.Sprintf("https://x/%d]", i)}
			c.URLs = append(c.URLs, escapeItem(refs[i].ID, true))
		}
		if c.restoreURLs(refs); c.URLs[n-1] != refs[n-1].ID {
			t.Fatal(c.URLs[n-1])
		}
	})
	archive := &strings.Builder{}
	for i := range 200 {
		fmt.Fprintf(archive, "-- d%d/x.md --\n---\naliases: [same]\n---\n", i)
	}
	in := lookup{vault: vaulttest.New(t, archive.String())}
	if got := in.byName("same").Candidates; len(got) != 200 || got[0] != vault.Path("d0/x.md") {
		t.Errorf("%d notes of one alias", len(got))
	}
}
