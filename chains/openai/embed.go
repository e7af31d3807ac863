package openai

import (
	"context"
	"net/http"
	"net/url"

	"ibid/chains/embed"
)

// Embed returns a vector for each text, in the order of the texts; a vector that the answer lacks is nil. The error is
// a *chains.ProviderError or ctx.Err().
func (c *Client) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if !c.isAzureDeployment() {
		return embed.Texts(ctx, c.Client, c.address()+"/embeddings", nil, model, texts)
	}
	at := c.base + "/openai/deployments/" + url.PathEscape(model) + "/embeddings?api-version=" + c.opts.AzureVersion
	return embed.Texts(ctx, c.Client, at, http.Header{"Api-Key": nil}, model, texts)
}
