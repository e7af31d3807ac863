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

// itemsOf is what references hold now.
func itemsOf(t testing.TB, g *gather.Gatherer, refs ...prompt.Ref) ([]prompt.Item, []prompt.MissingRef) {
	t.Helper()
	items, missing, err := g.Gather(t.Context(), refs)
	check(t, err)
	return items, missing
}

// words are what each of a list is called, in one line.
func words[T any](list []T, word func(T) string) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = word(v)
	}
	return strings.Join(all, ", ")
}

// refOf reads what ids writes.
func refOf(id string) prompt.Ref {
	if kind, rest, ok := strings.Cut(id, ":"); ok {
		return prompt.Ref{Kind: prompt.Kind(kind), ID: rest}
	}
	return note(id)
}

// ids of references, with their kinds where it is not a note's.
func ids(refs []prompt.Ref) string {
	return words(refs, func(r prompt.Ref) string { return strings.TrimPrefix(string(r.Kind)+":"+r.ID, "note:") })
}

// idsOf is ids for items.
func idsOf(items []prompt.Item) string {
	return words(items, func(it prompt.Item) string { return ids([]prompt.Ref{it.Ref}) })
}

// states of what is missing: "missing x".
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
