package chains

import "context"

// Project is Plus for a conversation that works in a project. The project's
// instructions are in the system message of every chain, since they belong to the
// conversation.
type Project struct{}

// Name is "project".
func (Project) Name() string { return "project" }

// Open does what that of Plus does.
func (Project) Open(ctx context.Context, t *Turn) error { return Plus{}.Open(ctx, t) }

// Run does what that of Plus does.
func (Project) Run(ctx context.Context, t *Turn) error { return Plus{}.Run(ctx, t) }
