package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"ibid/chains"
)

// keyTime limits how long getting another key may take.
const keyTime = 10 * time.Second

// keyHeaders are the headers in which protocols send a key. A request that contains one of them, empty, gets its
// key there; any other gets it as a bearer token.
var keyHeaders = []string{"Api-Key", "X-Api-Key", "X-Goog-Api-Key"}

// sendWithKey sends req with the key, and again with another key if the server refuses the first one and NewKey returns
// another.
func (c *Client) sendWithKey(req *http.Request) (*http.Response, error) {
	name, before := "Authorization", "Bearer "
	for _, own := range keyHeaders {
		if _, has := req.Header[own]; has {
			name, before = own, ""
		}
	}
	send := func(req *http.Request, key string) (*http.Response, error) {
		req.Header.Del(name)
		if key != "" {
			req.Header.Set(name, before+key)
		}
		for name, values := range c.opts.Headers {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
		return c.http.Do(req)
	}
	key := *c.key.Load()
	resp, err := send(req, key)
	if err != nil || resp.StatusCode != http.StatusUnauthorized || c.opts.NewKey == nil {
		return resp, err
	}
	other, err := c.otherKey(req.Context(), key)
	if err == nil && (other == "" || other == key) {
		return resp, nil
	}
	resp.Body.Close()
	if err != nil {
		why := c.Line(err.Error())
		e := c.NewError(chains.ErrAuth, "{name} refused the key (401), and there is no other: {why}.", "{why}",
			strings.TrimRight(why, ". "))
		e.Status, e.Err = resp.StatusCode, errors.New(why)
		return nil, e
	}
	again := req.Clone(req.Context())
	if again.Body, err = req.GetBody(); err != nil {
		return nil, err
	}
	return send(again, other)
}

// otherKey returns the key that replaces a refused one: the one that another request got meanwhile, else that of
// NewKey.
func (c *Client) otherKey(ctx context.Context, refused string) (string, error) {
	c.renewing.Lock()
	defer c.renewing.Unlock()
	if now := *c.key.Load(); now != refused {
		return now, nil
	}
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	key, err := c.opts.NewKey(ctx)
	if key = strings.TrimSpace(key); err == nil && key != "" {
		c.redact.add(key)
		c.key.Store(&key)
	}
	return key, err
}
