package chains

import (
	"context"
	"slices"
	"strings"

	"ibid/context/prompt"
)

// Plus is the chain in which the model looks things up once: the calls of its first reply run as one batch, and the
// second reply answers. For a model that calls no tools it searches the vault before the request, unless what is
// needed is attached. A model that calls tools in text only is asked for a plan, see planLookups.
type Plus struct{}

// Name returns "plus".
func (Plus) Name() string { return "plus" }

// Open offers the tools, or searches the vault.
func (Plus) Open(ctx context.Context, t *Turn) error {
	switch {
	case t.s.looksUpNothing(), t.s.opts.inText():
	case t.s.opts.Tools.Calling != CallsNothing:
		t.Offer()
	case !t.p.nothingToLookUp():
		return t.search(ctx)
	}
	return nil
}

// Run sends the request, runs the calls of the reply, and sends one more request.
func (Plus) Run(ctx context.Context, t *Turn) error {
	t.loop.once = true
	if t.s.opts.inText() {
		if err := planLookups(ctx, t); err != nil {
			return err
		}
	}
	return Agent{}.Run(ctx, t)
}

// nothingToLookUp reports whether the turn needs no lookup: the person attached something, every reference in the
// text was found, and the text asks for no search and names no time.
func (p *PendingTurn) nothingToLookUp() bool {
	byHand := slices.ContainsFunc(p.named.refs, func(r prompt.Ref) bool {
		return r != p.in.Active && !slices.Contains(p.in.Pins, r)
	})
	text := typedText(p.in)
	for _, word := range strings.Fields(text) {
		if word == WebRef.ID || word == MemoryRef.ID || word == ComposerRef.ID {
			return false
		}
	}
	return byHand && !p.named.wants(VaultRef) && len(p.named.missing) == 0 && !p.s.opts.Tools.Dated(text)
}
