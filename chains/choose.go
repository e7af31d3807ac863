package chains

import "strings"

// Chains returns the chains that a person can choose from, in the order in which lists show them, with what each
// sends.
func Chains() []Choice {
	return []Choice{
		{Chat{}, "sends your messages and what you attach to them"},
		{Vault{}, "sends your messages, what you attach, and passages of the vault that may answer"},
		{Plus{}, "sends what chat does, and what the model looks up once"},
		{Agent{}, "sends what chat does, and what the model looks up in steps"},
		{Project{}, "sends what plus does, in a chat that has a project"},
	}
}

// Choice is a chain with its description for the person.
type Choice struct {
	Chain
	Sends string // completes "this chain …"
}

// ChainNamed returns the chain of this name, in any case, or nil.
func ChainNamed(name string) Chain {
	for _, c := range Chains() {
		if strings.EqualFold(c.Name(), name) {
			return c.Chain
		}
	}
	return nil
}
