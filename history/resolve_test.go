package history

import (
	"ibid/context/prompt"
	"ibid/vault"
)

// Revisions returns the revisions of notes whose text is sent unchanged.
func Revisions(v *vault.Vault) func(vault.Path) string {
	return func(p vault.Path) string {
		text, err := v.Read(p)
		if err != nil {
			return ""
		}
		return prompt.NewItem(prompt.Ref{}, "", "", text.Content).Revision.Short()
	}
}
