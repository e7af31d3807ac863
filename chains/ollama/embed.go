package ollama

import (
	"context"
	"encoding/json"

	"ibid/chains/wire"
)

// Embed returns a vector for each text, in the order of the texts. The server truncates a text that is too long for
// the model. The error is a *chains.ProviderError or ctx.Err().
func (c *Client) Embed(ctx context.Context, model string, texts []string) (vectors [][]float32, err error) {
	doc := wire.Marshal(map[string]any{"model": model, "input": texts, "truncate": true})
	err = c.Try(ctx, model, func(ctx context.Context) error {
		req, err := c.request(ctx, "/embed", doc)
		if err != nil {
			return err
		}
		resp, err := c.Documents(model).Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		var answer struct {
			Embeddings [][]float32 `json:"embeddings"`
		}
		err = json.NewDecoder(resp.Body).Decode(&answer)
		vectors = answer.Embeddings
		return err
	})
	return vectors, err
}
