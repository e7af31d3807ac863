package gather

import "ibid/context/prompt"

// NewClient is the client that fetches pages when the options name none.
var NewClient = newClient

// What decides which addresses a PublicClient reaches.
var (
	Public         = isPublic
	ClientThatMay  = publicClient
	ErrPrivateHost = errPrivate
)

// Refs returns the references of the variables, in order.
func (f *FilledPrompt) Refs() []prompt.Ref {
	var refs []prompt.Ref
	for _, s := range f.Spans {
		if s.Ref.ID != "" {
			refs = append(refs, s.Ref)
		}
	}
	return refs
}
