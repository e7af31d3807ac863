package gather_test

import (
	"strings"
	"testing"

	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

func newGatherer(t testing.TB, archive string) (*gather.Gatherer, *vault.Vault) {
	t.Helper()
	v := vaulttest.New(t, archive)
	return gather.New(v, gather.Options{}), v
}

func note(id string) prompt.Ref { return prompt.Ref{Kind: prompt.Note, ID: id} }

// itemsOf returns the present items of references.
func itemsOf(t testing.TB, g *gather.Gatherer, refs ...prompt.Ref) ([]prompt.Item, []prompt.MissingRef) {
	t.Helper()
	items, missing, err := g.Gather(t.Context(), refs)
	check(t, err)
	return items, missing
}

// words joins a word for each element of a list.
func words[T any](list []T, word func(T) string) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = word(v)
	}
	return strings.Join(all, ", ")
}

// refOf parses a word of ids.
func refOf(id string) prompt.Ref {
	if kind, rest, ok := strings.Cut(id, ":"); ok {
		return prompt.Ref{Kind: prompt.Kind(kind), ID: rest}
	}
	return note(id)
}

// ids joins the ids of references, with their kinds except for notes.
func ids(refs []prompt.Ref) string {
	return words(refs, func(r prompt.Ref) string { return strings.TrimPrefix(string(r.Kind)+":"+r.ID, "note:") })
}

// idsOf joins the ids of items.
func idsOf(items []prompt.Item) string {
	return words(items, func(it prompt.Item) string { return ids([]prompt.Ref{it.Ref}) })
}

// states joins the states of missing references: "missing x".
func states(missing []prompt.MissingRef) string {
	return words(missing, func(m prompt.MissingRef) string { return m.State + " " + m.Ref.ID })
}

func wantList(t testing.TB, what, got, want string) {
	t.Helper()
	is(t, got, want, what)
}

func reasons(missing []prompt.MissingRef) string {
	var all []string
	for _, m := range missing {
		all = append(all, m.Reason)
	}
	return strings.Join(all, "\n")
}
