package openai

import (
	"context"
	"time"

	"ibid/chains"
)

// loadWait is the time between two requests to a server that loads its model.
const loadWait = 500 * time.Millisecond

// list requests the list of models. Servers of the local network are also asked, in their own APIs, for the context
// window in use. It waits for a server that loads its model.
func (c *Client) list(ctx context.Context) ([]chains.ModelInfo, error) {
	if c.Provider.Name == "azure" { // its list has the models that could be deployed
		if c.opts.Model == "" {
			return nil, c.NewError(chains.ErrConfig,
				"Azure lists no deployments: name yours with --model, or give its whole address with --base-url.")
		}
		return []chains.ModelInfo{{ID: c.opts.Model, Chat: true}}, nil
	}
	list, err := c.ModelsAt(ctx, c.modelsURL(), nil)
	if c.tryBelow(err) {
		if below, again := c.ModelsAt(ctx, c.modelsURL(), nil); again == nil {
			list, err = below, nil
		} else {
			c.versionBelow.Store(false)
		}
	}
	for c.Loading(err) && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(loadWait):
			list, err = c.ModelsAt(ctx, c.modelsURL(), nil)
		}
	}
	if err != nil {
		return nil, err
	}
	if c.Local() && len(list) > 0 {
		c.askLocal(ctx, list)
	}
	return list, nil
}

// modelsURL returns the address of the list. Perplexity has it at an address of its own.
func (c *Client) modelsURL() string {
	if c.Provider.Name == "perplexity" {
		return c.base + "/v1/models"
	}
	return c.address() + "/models"
}
