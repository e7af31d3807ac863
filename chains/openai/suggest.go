package openai

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"ibid/chains"
	"ibid/chains/wire"
)

// suggest adds the nearest name to an error about an unknown model. It asks
// the server for its list if there was no occasion yet, for 5 s at most; the
// error stays as it is when that leads nowhere.
func (c *Client) suggest(ctx context.Context, e *chains.ProviderError, model string) error {
	if e.Code != wire.NoSuchModel {
		return e
	}
	if c.models.Load() == nil {
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_, _ = c.Models(short)
	}
	list := c.models.Load()
	if list == nil {
		return e
	}
	if near := nearest(model, *list); near != "" {
		e.Message = fmt.Sprintf("Model %q not found at %s. Did you mean %q? Choose with /model or --model.", c.server.Line(model), c.Name(), c.server.Line(near))
	}
	return e
}

// nearest is the chat model whose name is most like model, "" if none is.
func nearest(model string, list []chains.ModelInfo) string {
	const longest = 100 // bytes of what may be a name
	if len(model) > longest {
		return ""
	}
	want := strings.ToLower(model)
	best, score := "", 0
	for _, m := range list {
		have := strings.ToLower(m.ID)
		s := 0
		switch d := levenshtein.ComputeDistance(want, have); {
		case !m.Chat:
		case d <= 1+len(want)/4:
			s = 1000 - d
		case len(want) >= 3 && strings.Contains(have, want), len(have) >= 3 && strings.Contains(want, have):
			s = 500 - len(have)
		}
		if s > score {
			best, score = m.ID, s
		}
	}
	return best
}
