package index_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// pieceVault is a vault of one note, with its index.
func pieceVault(t *testing.T, text string) (*vault.Vault, *index.Index) {
	t.Helper()
	v := vaulttest.New(t, "")
	vaulttest.Write(t, v, "A.md", text)
	if err := v.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.Context(), index.Options{Dir: t.TempDir(), Vault: v.Dir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if err := x.Sync(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	return v, x
}

// TestDictionary: each of 10,000 headings is found, at its own line, with and without the index.
func TestDictionary(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "## word%d\n\nmeans %d\n", i, i)
	}
	v, x := pieceVault(t, "# Dictionary\n\n"+text.String())
	for _, i := range []int{100, 511, 4094, 4095, 5000, 9999} {
		for _, s := range []index.Searcher{{Source: v, Index: x}, {Source: v}} {
			word := fmt.Sprint("word", i)
			hits, err := s.Search(t.Context(), index.Query{Text: word})
			if err != nil || len(hits) != 1 || hits[0].Heading != word || hits[0].Line != 3+3*i || hits[0].Snippet != word {
				t.Fatalf("%s: %+v, %v", word, hits, err)
			}
			found, err := s.Passages(t.Context(), index.Query{Text: word})
			if err != nil || len(found.List) == 0 || !strings.Contains(found.List[0].Text, "## "+word+"\n") {
				t.Errorf("%s: %+v, %v", word, found, err)
			}
			if p := found.List[0]; p.Heading != "Dictionary" || len(p.Text) > 3000 {
				t.Errorf("%s: a passage of %q, %d bytes", word, p.Heading, len(p.Text))
			}
		}
	}
}

// TestEverythingFound: the last of many names, tags, properties and words of long headings are found.
func TestEverythingFound(t *testing.T) {
	list := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	text := "---\ntitle: " + strings.Repeat("long ", 1000) + "titleword\naliases:\n" + list("  - name%d\n", 20_000) +
		"tags: [" + list("tag%d, ", 20_000) + "]\n" + list("key%d: v\n", 20_000) + "---\nabove\n\n" +
		"# " + strings.Repeat("head ", 1000) + "headword\n\nbelow\n\n" + list("## h%d\n\nx\n\n", 600) + "## last\n\nlastword\n"
	v, x := pieceVault(t, text)
	for _, query := range []string{"titleword", "name19999", "[[name19999]]", "#tag19999", "tag19999", "key19999", "above", "headword", "below", "h599", "lastword"} {
		for _, s := range []index.Searcher{{Source: v, Index: x}, {Source: v}} {
			hits, err := s.Search(t.Context(), index.Query{Text: query})
			if err != nil || len(hits) != 1 {
				t.Errorf("%s is not found: %v, %v", query, hits, err)
			}
		}
	}
}

// TestOrdinaryPieces: the pieces of an ordinary note are its sections, each with title and headings in front.
func TestOrdinaryPieces(t *testing.T) {
	v, _ := pieceVault(t, "---\naliases: [B]\n---\nintro\n\n# One\n\na\n\n## Two\n\n"+strings.Repeat("word ", 700)+"\n\n### Three\n\nb\n\n# Four\n\nc\n")
	_, texts, err := index.Texts(v, "A.md")
	if err != nil || len(texts) != 6 {
		t.Fatal(len(texts), err)
	}
	for i, want := range []string{"A\nintro", "A\nOne\na", "A\nOne\nTwo\nword", "A\nOne\nTwo\nword", "A\nOne\nTwo\nThree\nb", "A\nFour\nc"} {
		if !strings.HasPrefix(texts[i], want) {
			t.Errorf("piece %d is %.40q, want %q", i, texts[i], want)
		}
	}
}

// FuzzPieces: the pieces of a note, and its rows in the index, are no more than some times as long as the note, and
// hold its last word. A note is made of a few forms that are repeated.
func FuzzPieces(f *testing.F) {
	f.Add("# ", "\n", "x", uint16(3000), uint16(1))
	f.Add("---\ntitle: ", "long ", "\n---\n## h\n\n", uint16(900), uint16(2000))
	f.Add("---\naliases: [a", ", b", "]\n---\n# h\n", uint16(9000), uint16(2000))
	f.Add("# 漢", "字", "\n## h\n\nx\n", uint16(4000), uint16(900))
	f.Add("[[", "](", "\n", uint16(5000), uint16(7))
	f.Fuzz(func(t *testing.T, head, one, two string, n, m uint16) {
		const most = 200_000
		text := head + strings.Repeat(one, min(int(n), most/max(1, len(one)))) +
			strings.Repeat(two, min(int(m), most/max(1, len(two)))) + "\n\nwombat\n"
		v, x := pieceVault(t, text)
		note, texts, err := index.Texts(v, "A.md")
		if err != nil || note.Private {
			t.Skip()
		}
		size := 0
		for _, text := range texts {
			size += len(text)
		}
		if bound := 4_000_000 + 20*len(text); size > bound {
			t.Errorf("%d bytes of pieces of a note of %d", size, len(text))
		}
		rows := 0
		err = x.Rows(t.Context(), func(r *sql.Rows) error { return r.Scan(&rows) }, "SELECT coalesce(sum(sz), 0) FROM (SELECT length(block) AS sz FROM text_data)")
		if bound := 4_000_000 + 40*len(text); err != nil || rows > bound {
			t.Errorf("%d bytes of rows of a note of %d, %v", rows, len(text), err)
		}
		hits, err := index.Searcher{Source: v, Index: x}.Search(t.Context(), index.Query{Text: "wombat"})
		if err != nil || len(hits) != 1 {
			t.Errorf("%q is not found in %.100q: %v", "wombat", text, err)
		}
	})
}
