package ollama

import (
	"context"

	"ibid/chains/embed"
	"ibid/chains/wire"
)

// Embed returns a vector for each text, in the order of the texts. The server truncates a text that is too long for
// the model. The error is a *chains.ProviderError or ctx.Err().
func (c *Client) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	doc := wire.Marshal(map[string]any{"model": model, "input": texts, "truncate": true})
	return embed.Texts(ctx, c.Client, model, len(texts), func(
		ctx context.Context, out *wire.OutgoingRequest, d wire.Decoder,
	) error {
		return c.Exchange(ctx, c.base+"/embed", nil, doc, wire.Lines, out, d)
	})
}
