package openai

import (
	"context"

	oai "github.com/sashabaranov/go-openai"
)

// Embed returns a vector for each text, in the order of the texts; a vector that the answer lacks is nil. The error is
// a *chains.ProviderError or ctx.Err().
func (c *Client) Embed(ctx context.Context, model string, texts []string) (vectors [][]float32, err error) {
	vectors = make([][]float32, len(texts))
	err = c.Try(ctx, model, func(ctx context.Context) error {
		to := oai.NewClientWithConfig(c.config(c.Documents(model), model))
		answer, err := to.CreateEmbeddings(ctx, oai.EmbeddingRequestStrings{Input: texts, Model: oai.EmbeddingModel(model)})
		for _, e := range answer.Data {
			if e.Index >= 0 && e.Index < len(vectors) {
				vectors[e.Index] = e.Embedding
			}
		}
		return err
	})
	return vectors, err
}
