package query_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"ibid/vault"
	"ibid/vault/query"
	"ibid/vault/vaulttest"
)

// sharedVaults are real vaults, of other people.
var sharedVaults = []string{"kepano", "knowledge-garden"}

// TestShared asks the queries of real vaults: each is answered, or stopped by a word.
func TestShared(t *testing.T) {
	if vaulttest.Shared(t, "vaults") == "" {
		t.Skip("IBID_SHARED is not set")
	}
	answered, stopped := 0, 0
	for _, name := range sharedVaults {
		v := vaulttest.Open(t, vaulttest.Shared(t, "vaults/"+name), vault.Options{})
		e := query.New(v)
		for _, b := range blocksOf(t, v) {
			if err := b.run(e); err != nil {
				stopped++
				t.Logf("%s: %v\n%s", b.from, err, b.Text)
			} else {
				answered++
			}
		}
	}
	if answered < 45 {
		t.Errorf("%d queries are answered, %d not", answered, stopped)
	}
	t.Logf("shared: %d queries of real vaults", answered)
}

// TestSharedNotes asks for the notes of real vaults by folder, tag and links, and
// counts them by hand.
func TestSharedNotes(t *testing.T) {
	if vaulttest.Shared(t, "vaults") == "" {
		t.Skip("IBID_SHARED is not set")
	}
	asked := 0
	for _, name := range sharedVaults {
		v := vaulttest.Open(t, vaulttest.Shared(t, "vaults/"+name), vault.Options{})
		e := query.New(v)
		var notes []*vault.Note
		for _, n := range v.Notes() {
			if n.Ordinary() {
				notes = append(notes, n)
			}
		}
		expect := func(text string, fits func(n *vault.Note) bool) {
			t.Helper()
			want := 0
			for _, n := range notes {
				if fits(n) {
					want++
				}
			}
			asked++
			if got := rowsOf(t, e, text); got != want {
				t.Errorf("%s: %s has %d rows, want %d", name, text, got, want)
			}
		}
		expect("LIST", func(*vault.Note) bool { return true })
		expect("TABLE file.size WHERE file.size > 2000 SORT file.size DESC",
			func(n *vault.Note) bool { return n.Size > 2000 })
		expect("LIST WHERE length(file.tags) = 0", func(n *vault.Note) bool { return len(n.Tags) == 0 })
		for _, folder := range most(notes, func(n *vault.Note) []string { return folders(string(n.Path)) }) {
			expect(fmt.Sprintf("LIST FROM %q", folder), func(n *vault.Note) bool {
				return strings.HasPrefix(string(n.Path), folder+"/")
			})
		}
		for _, tag := range most(notes, func(n *vault.Note) []string { return n.Tags }) {
			tagged := func(n *vault.Note) bool {
				return slices.ContainsFunc(append(n.Tags, wordsOfTags(n)...), func(t string) bool {
					t, of := strings.ToLower(t), strings.ToLower(tag)
					return t == of || strings.HasPrefix(t, of+"/")
				})
			}
			expect("LIST FROM #"+tag, tagged)
			expect("TABLE file.name FROM -#"+tag, func(n *vault.Note) bool { return !tagged(n) })
		}
	}
	if asked < 30 {
		t.Errorf("only %d queries were made", asked)
	}
	t.Logf("shared: %d queries for notes of real vaults", asked)
}

// wordsOfTags returns the words in the items of the list of tags.
func wordsOfTags(n *vault.Note) (words []string) {
	for _, p := range n.Props("tags") {
		list, _ := p.Value.([]any)
		for _, item := range list {
			words = append(words, strings.Fields(fmt.Sprint(item))...)
		}
	}
	return words
}

// rowsOf returns the number of rows in the answer to a query.
func rowsOf(t *testing.T, e *query.Engine, text string) (n int) {
	t.Helper()
	tables, err := e.Answer(t.Context(), query.Block{Text: text}, query.Ask{Now: now()})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, table := range tables {
		n += table.Result.Len()
	}
	return n
}

// folders returns the folders of a note.
func folders(name string) (all []string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		all = append(all, dir)
	}
	return all
}

// most returns the ten names that most notes have; equally frequent ones are sorted by name.
func most(notes []*vault.Note, names func(*vault.Note) []string) (top []string) {
	count := map[string]int{}
	for _, n := range notes {
		for _, name := range names(n) {
			if count[name] == 0 {
				top = append(top, name)
			}
			count[name]++
		}
	}
	slices.SortFunc(top, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	return top[:min(10, len(top))]
}
