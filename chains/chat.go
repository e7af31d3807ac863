package chains

import "context"

// Chat is the plain chain: one request, one reply. It calls no tools. A model
// that has seen them in the conversation and calls one all the same is told so
// once.
type Chat struct{}

// Name is "chat".
func (Chat) Name() string { return "chat" }

// Run asks once.
func (Chat) Run(ctx context.Context, t *Turn) error {
	if err := t.Prepare(ctx); err != nil {
		return err
	}
	r, err := t.Stream(ctx)
	if err != nil || len(r.Calls) == 0 || t.s.tools.offeredTools(&t.s.opts) == nil {
		return err
	}
	return t.refuse(ctx, r, "not run: tools are not used in this chain; answer from what you have")
}
