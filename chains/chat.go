package chains

import "context"

// Chat is the plain chain: one request, one reply, and no tools. A model that has seen tools earlier in the
// conversation may still call one; it is told once that it cannot.
type Chat struct{}

// Name returns "chat".
func (Chat) Name() string { return "chat" }

// Run sends one request.
func (Chat) Run(ctx context.Context, t *Turn) error {
	if err := t.Prepare(ctx); err != nil {
		return err
	}
	r, err := t.Stream(ctx)
	if err != nil || len(r.Calls) == 0 || t.s.offeredTools() == nil {
		return err
	}
	return t.refuse(ctx, r, "not run: tools are not used in this chain; answer from what you have")
}
