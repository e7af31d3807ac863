package ollama

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/vault/routine"
)

const (
	probeTime = 1500 * time.Millisecond // for the server to answer a question about itself
	maxShown  = 64                      // maximum number of descriptions
)

// model holds the facts that the server has told about a model, and the window in use.
type model struct {
	info   chains.ModelInfo
	family string
	stops  []string
	listed bool // the server has listed or described it
	shown  bool // the server has described it

	trainedFor int    // longest window of the model, 0 if unknown
	fitsWindow int    // window that fits the memory, 0 if unknown
	chat       string // conversation that the window was chosen for
	window     int    // window of the last request, 0 if there was none
}

// key returns the name of a model without the default tag.
func key(name string) string { return strings.TrimSuffix(strings.ToLower(name), ":latest") }

// model returns the entry of a model, which it adds if there is none. The caller holds mu.
func (c *Client) model(name string) *model {
	m := c.models[key(name)]
	if m == nil {
		m = &model{info: chains.ModelInfo{ID: name, Chat: true}}
		c.models[key(name)] = m
	}
	return m
}

// AnswersAt reports whether Ollama answers at the address of o. It asks for the version, without a key, and waits
// 1.5 s at most. It returns an error if nothing answers.
func AnswersAt(ctx context.Context, o wire.Options) (bool, error) {
	o.Key = ""
	c, err := New(Options{Options: o})
	if err != nil {
		return false, err
	}
	defer c.CloseIdle()
	var doc struct {
		Version string `json:"version"`
	}
	err = c.ask(ctx, "/version", nil, &doc)
	if kind := wire.ErrorOf(err).Kind; kind != "" && kind != chains.ErrNetwork {
		err = nil // another server answers
	}
	return doc.Version != "", err
}

// ask sends a request that the server answers at once.
func (c *Client) ask(ctx context.Context, path string, body, into any) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	return c.JSON(ctx, method, c.base+path, nil, body, into)
}

// loaded returns the windows of the models in memory, by key, none if the server does not tell.
func (c *Client) loaded(ctx context.Context) map[string]int {
	var doc struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	windows := map[string]int{}
	if c.ask(ctx, "/ps", nil, &doc) == nil {
		for _, m := range doc.Models {
			windows[key(m.Name)] = m.Context
		}
	}
	return windows
}

// list requests the list of models, the newest first, with their descriptions. Window is the one that a chat may
// get, see the package documentation. It is an error if no model is pulled.
func (c *Client) list(ctx context.Context) ([]chains.ModelInfo, error) {
	list, err := c.ModelsAt(ctx, c.base+"/tags", nil)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, c.nothingPulled()
	}
	c.mu.Lock()
	for i := range list {
		m := c.model(list[i].ID)
		if m.info.ID, m.listed = list[i].ID, true; !m.shown {
			m.info.Chat = list[i].Chat
		}
	}
	c.mu.Unlock()
	_ = routine.Share(ctx, min(len(list), maxShown), 1, func(mine iter.Seq[int]) {
		for i := range mine {
			c.describe(ctx, list[i].ID)
		}
	})
	loaded := c.loaded(ctx)
	var out []chains.ModelInfo
	for _, m := range list {
		info, _ := c.Known(m.ID)
		_, info.Loaded = loaded[key(info.ID)]
		out = append(out, info)
	}
	return out, nil
}

// Known returns what the server has said about model so far; ok is false if it was never asked, or does not have
// it. The model "" is that of the options.
func (c *Client) Known(name string) (info chains.ModelInfo, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.models[key(name)]
	if m == nil || !m.listed {
		return c.Client.Known(name)
	}
	info = m.info
	info.Window = c.ceiling(m)
	return info, true
}

// describe requests the description of a model, once. If the server gives none, the properties stay unknown.
func (c *Client) describe(ctx context.Context, name string) {
	c.mu.Lock()
	known := c.model(name).shown
	c.mu.Unlock()
	if known {
		return
	}
	var doc struct {
		Info    map[string]json.RawMessage `json:"model_info"`
		Can     []string                   `json:"capabilities"`
		Set     string                     `json:"parameters"` // one name and value a line
		Details struct {
			Family string `json:"family"`
		} `json:"details"`
	}
	if c.ask(ctx, "/show", map[string]string{"model": name}, &doc) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model(name)
	m.listed, m.shown, m.family = true, true, doc.Details.Family
	for line := range strings.Lines(doc.Set) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if stop, err := strconv.Unquote(strings.TrimSpace(value)); name == "stop" && err == nil {
			m.stops = append(m.stops, stop)
		}
	}
	for field, raw := range doc.Info {
		var n float64
		if strings.HasSuffix(field, ".context_length") && json.Unmarshal(raw, &n) == nil {
			m.trainedFor = max(0, int(n))
		}
	}
	if len(doc.Can) == 0 { // an older server
		return
	}
	can := func(what string) bool { return slices.Contains(doc.Can, what) }
	m.info.Chat = can("completion")
	m.info.Images, m.info.Tools, m.info.NoTools, m.info.Thinks = can("vision"), can("tools"), !can("tools"),
		can("thinking")
}
