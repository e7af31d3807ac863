package gather_test

import (
	"slices"
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

// ids of references, with their kinds where it is not a note's.
func ids(refs []prompt.Ref) []string {
	var out []string
	for _, r := range refs {
		name := r.ID
		if r.Kind != prompt.Note {
			name = string(r.Kind) + ":" + name
		}
		out = append(out, name)
	}
	return out
}

// states of what is missing: "missing x".
func states(missing []prompt.MissingRef) []string {
	var out []string
	for _, m := range missing {
		out = append(out, m.State+" "+m.Ref.ID)
	}
	return out
}

func wantList(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func reasons(missing []prompt.MissingRef) string {
	var all []string
	for _, m := range missing {
		all = append(all, m.Reason)
	}
	return strings.Join(all, "\n")
}
