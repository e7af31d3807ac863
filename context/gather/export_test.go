package gather

// NewClient is the client that fetches pages when the options name none.
var NewClient = newClient

// What decides which addresses a PublicClient reaches.
var (
	Public         = isPublic
	ClientThatMay  = publicClient
	ErrPrivateHost = errPrivate
)
