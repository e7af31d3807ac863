package prompt

// Envelope is one request, ready to send, with everything that a person may
// want to know about it.
type Envelope struct{}
