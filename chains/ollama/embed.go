package ollama

import (
	"context"

	"ibid/chains/embed"
)

// Embed returns a vector for each text, in the order of the texts. The server truncates a text that is too long for
// the model. The error is a *chains.ProviderError or ctx.Err().
func (c *Client) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	return embed.Texts(ctx, c.Client, c.base+"/embed", nil, model, texts)
}
