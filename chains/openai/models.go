package openai

import (
	"context"
	"net/http"
	"time"

	"ibid/chains"
)

// loadWait is the time after a server has said that it loads its model it is asked
// again.
const loadWait = 500 * time.Millisecond

// Models asks the server for its models: chat models first, else in the
// server's order. Servers of the local network are also asked, in their own
// dialects, which context window is in force. It waits 15 s at most, also for one
// that loads its model; the error is a *chains.ProviderError, or ctx.Err().
func (c *Client) Models(ctx context.Context) ([]chains.ModelInfo, error) {
	if c.Provider.Name == "azure" { // lists what could be deployed, not what is
		if c.opts.Model == "" {
			return nil, c.NewError(chains.ErrConfig,
				"Azure lists no deployments: name yours with --model, or give its whole address with --base-url.")
		}
		return []chains.ModelInfo{{ID: c.opts.Model, Chat: true}}, nil
	}
	return c.Client.Models(ctx)
}

// list asks for the list of models.
func (c *Client) list(ctx context.Context) ([]chains.ModelInfo, error) {
	list, err := c.ModelsAt(ctx, c.modelsURL(), c.ownHeader())
	if c.tryBelow(err) {
		if below, again := c.ModelsAt(ctx, c.modelsURL(), c.ownHeader()); again == nil {
			list, err = below, nil
		} else {
			c.below.Store(false)
		}
	}
	for c.Loading(err) && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(loadWait):
			list, err = c.ModelsAt(ctx, c.modelsURL(), c.ownHeader())
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

// modelsURL is the address of the list; Perplexity keeps it beside the rest.
func (c *Client) modelsURL() string {
	if c.Provider.Name == "perplexity" {
		return c.base + "/v1/models"
	}
	return c.address() + "/models"
}

// ownHeader names Anthropic's own protocol, without which its server gives no list.
func (c *Client) ownHeader() http.Header {
	if c.Provider.Name == "anthropic" {
		return http.Header{"X-Api-Key": nil, "Anthropic-Version": {"2023-06-01"}}
	}
	return nil
}
