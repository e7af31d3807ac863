package chains

// Project is Plus for a conversation that works in a project. The project's
// instructions are in the system message of every chain, since they belong to the
// conversation.
type Project struct{ Plus }

// Name is "project".
func (Project) Name() string { return "project" }
