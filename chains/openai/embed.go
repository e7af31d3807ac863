package openai

import (
	"context"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains/embed"
	"ibid/chains/wire"
)

// Embed returns a vector for each text, in the order of the texts; a vector that the answer lacks is nil. The error is
// a *chains.ProviderError or ctx.Err().
func (c *Client) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	frame := oai.EmbeddingRequestStrings{Input: texts, Model: oai.EmbeddingModel(model)}
	return embed.Texts(ctx, c.Client, model, len(texts), func(
		ctx context.Context, out *wire.OutgoingRequest, d wire.Decoder,
	) error {
		to, sdk := c.transport(out, nil, nil)
		if _, err := sdk.CreateEmbeddings(ctx, frame); err != nil {
			return err
		}
		return to.Exchange(ctx, d)
	})
}
