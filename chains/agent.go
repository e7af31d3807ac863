package chains

import "context"

// Agent is the chain in which the model looks things up for as long as it needs
// to, within [Limits]. With a model that calls no tools it is Plus.
type Agent struct{}

// Name returns "agent".
func (Agent) Name() string { return "agent" }

// Open offers the tools, or searches the vault for a model that calls none.
func (Agent) Open(ctx context.Context, t *Turn) error {
	if t.s.opts.inText() && !t.s.looksUpNothing() {
		t.Offer()
		return nil
	}
	return Plus{}.Open(ctx, t)
}

// Run sends the request, runs the calls of the reply, and repeats that until the model answers without a call.
func (Agent) Run(ctx context.Context, t *Turn) error {
	if err := t.Prepare(ctx); err != nil {
		return err
	}
	return t.Loop(ctx)
}
