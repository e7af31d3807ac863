package desk_test

import (
	"context"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/desk"
)

// dear is a model with a price.
type dear struct{ chains.Model }

func (dear) Price() chains.Price { return chains.Price{Known: true, Input: 5000, Output: 1} }

// TestPriceOfAnotherModel: what the next turn costs with another model is said where
// its price is known.
func TestPriceOfAnotherModel(t *testing.T) {
	m := chaintest.New()
	r := newRig(t, notes, m)
	r.equip(m, nil, func(o *desk.Options) {
		o.Model = func(_ context.Context, _, name string) (chains.Options, error) {
			if name == "dear" {
				return chains.Options{Model: dear{m}, ModelName: name}, nil
			}
			return chains.Options{Model: m, ModelName: name}, nil
		}
	})
	r.desk.Begin(t.Context())
	for name, priced := range map[string]bool{"dear": true, "unknown": false} {
		said := r.line("/model " + name)
		if strings.Contains(said, " for its prompt") != priced || strings.Contains(said, "$") != priced {
			t.Errorf("%s: %q", name, said)
		}
	}
}
