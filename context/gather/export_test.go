package gather

// NewClient is the client that fetches pages when the options name none.
var NewClient = newClient
