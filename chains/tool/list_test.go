package tool

import (
	"slices"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/tokens"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

// TestList: the list of the tools costs little in every request, its core less, and
// who looks at no note is known.
func TestList(t *testing.T) {
	c := tokens.NewCounter()
	var core, noNotes []string
	all, inCore := 0, 0
	for _, tool := range New(Options{
		Web: Web{Search: "http://127.0.0.1:8888", Fetch: true}, Journal: undo.New(nil, undo.Options{}),
	}) {
		s := tool.Spec()
		if s.Description == "" {
			t.Errorf("no file describes %s", s.Name)
		}
		n := c.Count(`{"type":"function","function":{"name":"` + s.Name + `","description":"` + s.Description +
			`","parameters":` + s.Schema + `}},`)
		t.Logf("%-22s %4d tokens", s.Name, n)
		if all += n; s.Core {
			core, inCore = append(core, s.Name), inCore+n
		}
		if s.NoNotes || s.Ask == chains.AccessWeb {
			noNotes = append(noNotes, s.Name)
		}
	}
	t.Logf("all %d, core %d", all, inCore)
	if all > 3500 || inCore > 1600 {
		t.Errorf("the list has %d tokens, its core %d: at most 3500 and 1600", all, inCore)
	}
	if want := []string{
		"get_current_note", "get_note_by_reference", "get_workspace_context", "localSearch",
		"readNote", "timeRange", "editFile", "writeToFile",
	}; !slices.Equal(core, want) {
		t.Errorf("the core is %q", core)
	}
	if want := []string{"getCurrentTime", "timeRange", "fetchUrl", "webSearch"}; !slices.Equal(noNotes, want) {
		t.Errorf("%q look at no note", noNotes)
	}
}

// TestSearchTerms: a search wants other words too, and says in which languages the notes
// are; that is as it was when there were notes first.
func TestSearchTerms(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\nThe spade is in the shed.\n")
	languages := Languages(v)
	i := slices.IndexFunc(New(Options{Vault: v, Languages: languages}), func(tool chains.Tool) bool {
		return tool.Spec().Name == chains.SearchTool
	})
	spec := New(Options{Vault: v, Languages: languages})[i].Spec()
	if !strings.HasSuffix(spec.Description, " The notes are in English.") ||
		!strings.Contains(spec.Schema, `"required":["query","salientTerms"]`) {
		t.Errorf("%s\n%s", spec.Description, spec.Schema)
	}
	vaulttest.Write(t, v, "b.md", "铁锹在棚子里。\n")
	if _, err := v.Revalidate(t.Context()); err != nil || !slices.Equal(languages(), []string{"English"}) {
		t.Errorf("now %q, %v", languages(), err)
	}
}
