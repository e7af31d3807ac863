package openai

import (
	"context"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// probeTime limits how long a local server may take to answer in its own API.
const probeTime = 1500 * time.Millisecond

// root returns the server's address without the /v1 of the shared API.
func (c *Client) root() string { return strings.TrimSuffix(c.base, "/v1") }

// askLocal completes list with what LM Studio or llama.cpp says about its models in its own API.
func (c *Client) askLocal(ctx context.Context, list []chains.ModelInfo) {
	is := func(program string) bool {
		return slices.ContainsFunc(list, func(m chains.ModelInfo) bool { return m.Owner == program })
	}
	if is("vllm") {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*probeTime)
	defer cancel()
	if !is("llamacpp") {
		short, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		// LM Studio says which models are loaded and with which window.
		if own, err := c.ModelsAt(short, c.root()+"/api/v0/models", nil); err == nil {
			for i, m := range list {
				if at := slices.IndexFunc(own, func(o chains.ModelInfo) bool { return o.ID == m.ID }); at >= 0 {
					list[i], list[i].Owner = own[at], m.Owner
				}
			}
			return
		}
	}
	var props wire.Fields // of a server with one model and one window
	if c.GetJSON(ctx, c.root()+"/props", nil, &props) == nil && len(props) > 0 && props["error"] == nil {
		for i := range list {
			list[i].Loaded = true
			if n := props.Count("default_generation_settings.n_ctx"); n > 0 {
				list[i].Window = n
			}
		}
	}
}
