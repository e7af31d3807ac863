package chains

// Project is Plus for a conversation in a project. The instructions of a project are in the system message with
// every chain, because they belong to the conversation.
type Project struct{ Plus }

// Name returns "project".
func (Project) Name() string { return "project" }
