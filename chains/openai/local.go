package openai

import (
	"cmp"
	"context"
	"encoding/json"
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

// probeTime is how long a server on this machine may take to answer.
const probeTime = 1500 * time.Millisecond

// Probe asks whether a model server answers at an address of this machine; another
// one is not asked. It sends nothing but the questions, no key among them, and takes
// about 3 s at most.
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
	return Server{Name: cmp.Or(c.serverKind(ctx, list), c.Provider.Name), BaseURL: c.base, Models: list}, true
}

// serverKind tells which program answers: by the owner that it gives its
// models, else by an address that only it has. "" is none of those known.
func (c *Client) serverKind(ctx context.Context, list []chains.ModelInfo) string {
	for _, m := range list {
		if m.Owner == "vllm" || m.Owner == "llamacpp" {
			return m.Owner
		}
	}
	for _, k := range []struct{ name, path string }{
		{"lmstudio", "/api/v0/models"},
		{"llamacpp", "/props"},
	} {
		var any object
		if c.ask(ctx, k.path, &any) && len(any) > 0 && any["error"] == nil {
			return k.name
		}
	}
	return ""
}

// root is the server's address without the /v1 of the shared dialect.
func (c *Client) root() string { return strings.TrimSuffix(c.base, "/v1") }

// ask puts a question in a server's own dialect. No answer is an answer too.
func (c *Client) ask(ctx context.Context, path string, into any) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	return c.getJSON(ctx, c.root()+path, into) == nil
}

// askLocal completes list with what local servers say about their models.
func (c *Client) askLocal(ctx context.Context, list []chains.ModelInfo) {
	if len(list) == 0 {
		return
	}
	switch c.serverKind(ctx, list) {
	case "lmstudio":
		c.askStudio(ctx, list)
	case "llamacpp":
		c.askLlama(ctx, list)
	}
}

// askStudio asks LM Studio, whose own list knows what is loaded and how.
func (c *Client) askStudio(ctx context.Context, list []chains.ModelInfo) {
	var doc json.RawMessage
	if !c.ask(ctx, "/api/v0/models", &doc) {
		return
	}
	own, _ := readModels(doc)
	for i := range list {
		for _, m := range own {
			if m.ID == list[i].ID {
				m.Owner = list[i].Owner
				list[i] = m
			}
		}
	}
}

// askLlama asks llama.cpp, which serves one model with one window.
func (c *Client) askLlama(ctx context.Context, list []chains.ModelInfo) {
	var props object
	if !c.ask(ctx, "/props", &props) {
		return
	}
	for i := range list {
		list[i].Loaded = true
		if n := props.count("default_generation_settings.n_ctx"); n > 0 {
			list[i].Window = n
		}
	}
}
