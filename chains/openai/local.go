package openai

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
)

// Server is a model server that was found on this machine.
type Server struct {
	Name    string // ollama, lmstudio, llamacpp, vllm, or host:port
	BaseURL string
	Models  []chains.ModelInfo // chat models first; may be empty
}

const (
	probeTime   = 1500 * time.Millisecond // for a server on this machine to answer
	showsAtOnce = 4                       // descriptions of models asked for at a time
	maxShown    = 64                      // models described at most
)

// LocalHosts is where Ollama, LM Studio, llama.cpp and vLLM listen unless they
// are told otherwise.
func LocalHosts() []string {
	return []string{"127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080", "127.0.0.1:8000"}
}

// Discover asks all hosts (host:port) at once whether a model server answers
// there, and gives those that do, in the order of hosts. It sends nothing but
// the questions, no key among them, and takes about 3 s at most. Hosts that
// are not this machine are left out.
func Discover(ctx context.Context, hosts []string) []Server {
	found := make([]*Server, len(hosts))
	var wg sync.WaitGroup
	for i, host := range hosts {
		if wire.Loopback(host) {
			wg.Go(func() { found[i] = probe(ctx, host) })
		}
	}
	wg.Wait()
	var out []Server
	for _, s := range found {
		if s != nil {
			out = append(out, *s)
		}
	}
	return out
}

// probe asks one host, nil if it does not answer like a model server.
func probe(ctx context.Context, host string) *Server {
	c, err := New(Options{Options: wire.Options{BaseURL: "http://" + host + "/v1", Timeouts: wire.Timeouts{Connect: probeTime}}})
	if err != nil {
		return nil
	}
	defer c.CloseIdle()
	ctx, cancel := context.WithTimeout(ctx, 2*probeTime)
	defer cancel()
	list, err := c.Models(ctx)
	if err != nil {
		return nil
	}
	name := c.serverKind(ctx, list)
	if name == "" {
		name = c.server.Provider.Name
	}
	return &Server{Name: name, BaseURL: c.base, Models: list}
}

// serverKind tells which program answers: by the owner that it gives its
// models, else by an address that only it has. "" is none of those known.
func (c *Client) serverKind(ctx context.Context, list []chains.ModelInfo) string {
	for _, m := range list {
		switch {
		case m.Owner == "vllm", m.Owner == "llamacpp":
			return m.Owner
		case m.Owner == "library":
			return "ollama"
		}
	}
	for _, k := range []struct{ name, path string }{
		{"ollama", "/api/version"},
		{"lmstudio", "/api/v0/models"},
		{"llamacpp", "/props"},
	} {
		var any map[string]json.RawMessage
		if c.ask(ctx, k.path, nil, &any) && len(any) > 0 && any["error"] == nil {
			return k.name
		}
	}
	return ""
}

// root is the server's address without the /v1 of the shared dialect.
func (c *Client) root() string { return strings.TrimSuffix(c.base, "/v1") }

// ask puts a question in a server's own dialect. No answer is an answer too.
func (c *Client) ask(ctx context.Context, path string, body []byte, into any) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	return c.getJSON(ctx, c.root()+path, body, into) == nil
}

// askLocal completes list with what local servers say about their models.
func (c *Client) askLocal(ctx context.Context, list []chains.ModelInfo) {
	if len(list) == 0 {
		return
	}
	switch c.serverKind(ctx, list) {
	case "ollama":
		c.askOllama(ctx, list)
	case "lmstudio":
		c.askStudio(ctx, list)
	case "llamacpp":
		c.askLlama(ctx, list)
	}
}

// askOllama learns the trained length of each model and, for those in memory,
// the length in force, which is often far smaller.
func (c *Client) askOllama(ctx context.Context, list []chains.ModelInfo) {
	var loaded struct {
		Models []struct {
			Name    words  `json:"name"`
			Context number `json:"context_length"`
		} `json:"models"`
	}
	c.ask(ctx, "/api/ps", nil, &loaded)
	gate := make(chan struct{}, showsAtOnce)
	var wg sync.WaitGroup
	for i := range list[:min(len(list), maxShown)] {
		m := &list[i]
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			c.showOllama(ctx, m)
		})
	}
	wg.Wait()
	for i := range list {
		for _, l := range loaded.Models {
			if string(l.Name) == list[i].ID {
				list[i].Loaded = true
				list[i].Window = max(0, l.Context.count())
			}
		}
	}
}

func (c *Client) showOllama(ctx context.Context, m *chains.ModelInfo) {
	var shown struct {
		Info         map[string]json.RawMessage `json:"model_info"`
		Capabilities []string                   `json:"capabilities"`
	}
	if !c.ask(ctx, "/api/show", marshal(map[string]string{"model": m.ID}), &shown) {
		return
	}
	m.Window = 0
	for key, raw := range shown.Info {
		var n number
		if strings.HasSuffix(key, ".context_length") && n.UnmarshalJSON(raw) == nil {
			m.MaxWindow = max(0, n.count())
		}
	}
	m.NoTools = len(shown.Capabilities) > 0 && !slices.Contains(shown.Capabilities, "tools")
	for _, can := range shown.Capabilities {
		switch can {
		case "vision":
			m.Images = true
		case "tools":
			m.Tools = true
		case "thinking":
			m.Thinks = true
		case "embedding":
			m.Chat = false
		}
	}
}

// askStudio asks LM Studio, whose own list knows what is loaded and how.
func (c *Client) askStudio(ctx context.Context, list []chains.ModelInfo) {
	var doc json.RawMessage
	if !c.ask(ctx, "/api/v0/models", nil, &doc) {
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
	var props struct {
		Settings struct {
			Context number `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if !c.ask(ctx, "/props", nil, &props) {
		return
	}
	for i := range list {
		list[i].Loaded = true
		if n := props.Settings.Context.count(); n > 0 {
			list[i].Window = n
		}
	}
}
