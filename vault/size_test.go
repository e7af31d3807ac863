package vault_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/vaulttest"
)

// many returns format for each number below n, between two texts.
func many(before, format, after string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString(before)
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String() + after
	}
}

// A note costs what its length is worth, whatever it holds much of.
func TestNotesOfManyThings(t *testing.T) {
	for name, text := range map[string]func(int) string{
		"tags":             many("", "#tag%d ", ""),
		"tags in a list":   many("---\ntags:\n", "  - T%d\n", "---\n"),
		"tags in brackets": many("---\ntags: [", "t%d, ", "x]\n---\n"),
		"aliases":          many("---\naliases:\n", "  - a%d\n", "---\n"),
		"properties":       many("---\n", "k%d: v\n", "---\n"),
		"broken YAML":      many("---\nx: a: b\n", "k%d: v\n", "---\n"),
		"links":            many("", "[[l%d]] ", ""),
		"headings":         many("", "# h%d\n", ""),
		"items with ids":   many("", "- item ^b%d\n", ""),
	} {
		t.Run(name, func(t *testing.T) {
			vaulttest.Linear(t, 4_000, func(n int) {
				v := vaulttest.New(t, "-- a.md --\n"+text(n))
				if len(v.Notes()) != 1 || v.Notes()[0].Size < int64(n) {
					t.Fatal(v.Notes())
				}
				v.WithTag("t1")
			})
		})
	}
}

// Many tags are compared as few are: in any casing, the first one stays.
func TestManyTagsOnce(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+many("", "#tag%d ", "")(50)+
		"#TAG7 #Straße #STRASSE #straße #Ärger #ÄRGER #σ #ς #new\n")
	n, _ := v.Note("a.md")
	if got := strings.Join(n.Tags[50:], " "); len(n.Tags) != 55 || got != "Straße STRASSE Ärger σ new" {
		t.Errorf("%d tags, at the end %s", len(n.Tags), got)
	}
}

// countdown is a context that ends when it was asked n times.
type countdown struct {
	context.Context
	n *int
}

func (c countdown) Err() error {
	if *c.n--; *c.n < 0 {
		return context.Canceled
	}
	return nil
}

// A scan that is called off does not finish the file it is in.
func TestScanEndsInsideAFile(t *testing.T) {
	dir := vaulttest.Dir(t, "-- a.md --\n"+strings.Repeat("x\n", 100_000))
	v, err := vault.Open(dir, vault.Options{})
	check(t, err)
	defer v.Close()
	n := 1 << 30
	check(t, v.Scan(countdown{context.Background(), &n}))
	if asked := 1<<30 - n; asked < 20 {
		t.Errorf("asked %d times in a file of 100,000 lines", asked)
	}
	w, err := vault.Open(dir, vault.Options{})
	check(t, err)
	defer w.Close()
	n = 12
	if err := w.Scan(countdown{context.Background(), &n}); !errors.Is(err, context.Canceled) || len(w.Notes()) != 0 {
		t.Errorf("Scan = %v, %d notes", err, len(w.Notes()))
	}
}
