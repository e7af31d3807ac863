package tool_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/vaulttest"
)

// Of a note that links another, the other is related although that link is taken away:
// of a hundred such links at least thirty are among the first ten.
func TestHiddenLinks(t *testing.T) {
	dir := vaulttest.Shared(t, "vaults/knowledge-garden")
	if dir == "" {
		t.Skip("no shared data")
	}
	home := t.TempDir()
	check(t, os.CopyFS(home, os.DirFS(dir)))
	v := vaulttest.Open(t, home, vault.Options{})
	hidden := map[vault.Path]vault.Path{}
	for i, n := range v.Notes() {
		if i%7 != 0 || len(hidden) == 100 {
			continue
		}
		for link := range n.Links() {
			to := v.Resolve(link.Target, n.Path).Path
			text, err := v.Read(n.Path)
			if err != nil || to == "" || to == n.Path || !to.IsNote() ||
				!strings.Contains(text.Content, "[["+link.Target+"]]") || len(text.Content) < 400 {
				continue
			}
			file := filepath.Join(home, n.Path.Native())
			check(t, os.WriteFile(file, []byte(strings.ReplaceAll(text.Content, "[["+link.Target+"]]", "")), 0o600))
			hidden[n.Path] = to
			break
		}
	}
	v = vaulttest.Open(t, home, vault.Options{})
	x, err := index.Open(t.Context(), index.Options{Dir: t.TempDir(), Vault: home})
	check(t, err)
	defer x.Close()
	check(t, x.Sync(t.Context(), v))
	var related chains.Tool
	for _, each := range vaultTools(v, index.Searcher{Source: v, Index: x}) {
		if each.Spec().Name == "get_related_notes" {
			related = each
		}
	}
	found := 0
	for from, to := range hidden {
		var got struct{ Data []struct{ ID string } }
		args, _ := json.Marshal(map[string]any{"reference": string(from), "limit": 10})
		out := value(chains.RunTool(chains.Caller{}.In(t.Context()), related, string(args)))(t)
		check(t, json.Unmarshal([]byte(out.Text), &got))
		for _, n := range got.Data {
			if n.ID == string(to) {
				found++
			}
		}
	}
	t.Logf("shared: %d links hidden, %d found among ten", len(hidden), found)
	if 10*found < 3*len(hidden) {
		t.Errorf("%d of %d", found, len(hidden))
	}
}
