package history

import (
	"ibid/context/prompt"
	"ibid/vault"
)

// Revisions gives the revisions of notes whose text goes to a model as it is.
func Revisions(v *vault.Vault) func(vault.Path) string {
	return func(p vault.Path) string {
		text, err := v.Read(p)
		if err != nil {
			return ""
		}
		return prompt.NewItem(prompt.Ref{}, "", "", text.Content).Revision.Short()
	}
}
