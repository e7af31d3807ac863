package ollama

import (
	"cmp"
	"context"
	"fmt"

	"ibid/chains"
	"ibid/context/prompt"
)

const (
	minWindow        = 8 << 10  // the first step; each later one is twice the previous
	defaultMaxWindow = 32 << 10 // the last step, unless the options have another
	imageTokens      = 1000     // estimate for an image
	frameTokens      = 4        // frame of a message
	roundRoom        = 1 << 10  // left for the reply in a round of an agent's turn
)

// windowBelow returns the step below window, 0 if there is none.
func windowBelow(window int) int {
	step := 0
	for s := minWindow; s < window; s *= 2 {
		step = s
	}
	return step
}

// ceiling returns the largest window that m may get. The caller holds mu.
func (c *Client) ceiling(m *model) int {
	most := cmp.Or(c.opts.Window, defaultMaxWindow)
	if n := m.trainedFor; n > 0 {
		most = min(most, n)
	}
	if m.fitsWindow > 0 {
		most = min(most, m.fitsWindow)
	}
	return most
}

// cappedByOptions reports whether only the options limit a window, while the model and the memory may allow a
// larger one.
func (c *Client) cappedByOptions(name string, window int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model(name)
	return m.fitsWindow == 0 && window >= cmp.Or(c.opts.Window, defaultMaxWindow) &&
		(m.trainedFor == 0 || m.trainedFor > window)
}

// widenWindow sets the window, now and for later requests, to the next step, at most the ceiling. It reports
// whether that is larger.
func (c *Client) widenWindow(name string, window *int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	step, m := minWindow, c.model(name)
	for step <= *window {
		step *= 2
	}
	step = min(step, c.ceiling(m))
	if step <= *window {
		return false
	}
	m.window, *window = step, step
	return true
}

// window returns the window for a request whose prompt has so many tokens. loaded is the window with which the
// model is in memory, 0 if it is not. limited reports whether the server has given less than was requested before.
func (c *Client) window(r chains.Request, tokens, loaded int) (window int, limited bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model(r.Model)
	most, need := c.ceiling(m), minWindow
	switch n := len(r.Messages); {
	case n > 0 && r.Messages[n-1].Role == prompt.ToolRole && m.window <= most && tokens+roundRoom <= m.window &&
		(r.CacheKey == "" || r.CacheKey == m.chat):
		return m.window, m.fitsWindow > 0 // a turn keeps its window
	case len(r.Tools) > 0:
		tokens *= 2 // room for the results of the tools
	}
	for need < most && tokens > c.opts.Budget(r.Model, need) {
		need *= 2
	}
	need = min(need, most)
	switch {
	case m.window > 0 && (r.CacheKey == "" || r.CacheKey == m.chat):
		need = min(max(need, m.window), most)
	case loaded > need && loaded <= most:
		need = loaded
	}
	m.chat, m.window = cmp.Or(r.CacheKey, m.chat), need
	return need, m.fitsWindow > 0
}

// limitWindow limits the window of all later requests of the model, and returns it.
func (c *Client) limitWindow(name string, window int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model(name)
	m.fitsWindow, m.window = window, window
	return window
}

// compareWindow asks for the window in use after a request got its reply. If it is smaller than requested, it
// becomes the limit, and the result is a notice; else the result is "".
func (c *Client) compareWindow(ctx context.Context, name string, asked int) string {
	got := c.loaded(ctx)[key(name)]
	if got <= 0 || got >= asked {
		return ""
	}
	c.limitWindow(name, got)
	return fmt.Sprintf("%s gave %s a window of %s tokens, not of %s: longer prompts are shortened from here on.",
		c.Name(), c.Line(name), shortTokens(got), shortTokens(asked))
}

// tokens counts the prompt of a request.
func (c *Client) tokens(r chains.Request) (n int) {
	for _, m := range r.Messages {
		n += frameTokens + imageTokens*len(m.Images) + c.opts.Count(m.Content)
		for _, call := range m.ToolCalls {
			n += c.opts.Count(call.Name + call.Arguments)
		}
	}
	for _, t := range r.Tools {
		n += c.opts.Count(t.Name + t.Description + t.Schema)
	}
	return n
}

// shortTokens formats a number of tokens: 16k, and 40k for 40,960.
func shortTokens(n int) string {
	return fmt.Sprintf("%dk", n/1024)
}
