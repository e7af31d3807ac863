package history

import (
	"slices"
	"strings"

	"ibid/vault"
)

// paths is a vault that holds nothing but names.
type paths []string

func (v paths) Exists(p vault.Path) bool { return slices.Contains(v, string(p)) }

func (v paths) WithRevision(string) []vault.Path { return nil }

func (v paths) Named(name string) []vault.Path {
	var found []vault.Path
	for _, s := range v {
		if p := vault.Path(s); strings.EqualFold(p.Name(), name) || strings.EqualFold(p.Base(), name) {
			found = append(found, p)
		}
	}
	return found
}

func (v paths) Aliased(string) []vault.Path { return nil }
