package openai

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// Server is a model server that was found on this machine.
type Server struct {
	Name    string // lmstudio, llamacpp, vllm, or host:port
	BaseURL string
	Models  []chains.ModelInfo // chat models first; may be empty
}

// probeTime limits how long a server on this machine may take to answer.
const probeTime = 1500 * time.Millisecond

// Probe reports whether a model server answers at an address of this machine; it does not ask other machines. It
// sends no key, and takes at most about 3 s.
func Probe(ctx context.Context, base string) (Server, bool) {
	c, err := New(Options{Options: wire.Options{BaseURL: base, Timeouts: wire.Timeouts{Connect: probeTime}}})
	if err != nil || !wire.Loopback(c.URL.Host) {
		return Server{}, false
	}
	defer c.CloseIdle()
	ctx, cancel := context.WithTimeout(ctx, 2*probeTime)
	defer cancel()
	list, err := c.Models(ctx)
	if err != nil {
		return Server{}, false
	}
	return Server{Name: cmp.Or(c.askLocal(ctx, list), c.Provider.Name), BaseURL: c.base, Models: list}, true
}

// root returns the server's address without the /v1 of the shared API.
func (c *Client) root() string { return strings.TrimSuffix(c.base, "/v1") }

// askLocal completes list with what a local server says about its models in its own API. It returns the name of the
// program: by the owner of its models, or by an address that only it has, "" if unknown.
func (c *Client) askLocal(ctx context.Context, list []chains.ModelInfo) (program string) {
	for _, m := range list {
		if m.Owner == "vllm" || m.Owner == "llamacpp" {
			program = m.Owner
		}
	}
	if program == "vllm" {
		return program
	}
	if program == "" {
		short, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		// LM Studio says which models are loaded and with which window.
		if own, err := c.ModelsAt(short, c.root()+"/api/v0/models", c.ownHeader()); err == nil {
			for i, m := range list {
				if at := slices.IndexFunc(own, func(o chains.ModelInfo) bool { return o.ID == m.ID }); at >= 0 {
					list[i], list[i].Owner = own[at], m.Owner
				}
			}
			return "lmstudio"
		}
	}
	short, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	var props wire.Fields // of a server with one model and one window
	if c.GetJSON(short, c.root()+"/props", c.ownHeader(), &props) == nil && len(props) > 0 && props["error"] == nil {
		program = "llamacpp"
		for i := range list {
			list[i].Loaded = true
			if n := props.Count("default_generation_settings.n_ctx"); n > 0 {
				list[i].Window = n
			}
		}
	}
	return program
}
