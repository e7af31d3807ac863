package gemini

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"ibid/chains"
	"ibid/chains/wire"
	"ibid/context/prompt"
	"ibid/vault/md"
)

const (
	lifetime     = time.Hour   // of a content after its last use
	ttl          = "3600s"     // lifetime in the server's form
	expiryMargin = time.Minute // before its end a content counts as expired, because clocks differ
	askTime      = 20 * time.Second
)

// Options configure where and when contents are stored.
type Options struct {
	wire.Options // BaseURL is that of chat completions, which ends in /openai; Log is required

	Least   func(model string) int // returns the tokens below which nothing is stored
	Count   func(text string) int  // returns the tokens of a text
	Storage *float64               // dollars per million tokens and hour; nil means unknown
	Now     func() time.Time       // nil means time.Now
}

// Cache manages the contents that the chats of this process use. Create it with New.
type Cache struct {
	server *wire.Client
	opts   Options
	base   string // address of the native API, without trailing slash

	refused sync.Map // by slot, the label of the content that the server refused last
	slots   sync.Map // by slot, a channel that holds a token while the slot is in use

	mu   sync.Mutex          // guards held; not held during requests
	held map[string]*content // by slot
}

// content is a content that the server stores under a name.
type content struct {
	name    string // cachedContents/…
	label   string
	expires time.Time
}

// isName reports whether the server gave a name that can be sent.
func isName(name string) bool {
	id, ok := strings.CutPrefix(name, "cachedContents/")
	return ok && id != "" && !strings.ContainsAny(id, "/?#%")
}

// New validates o and returns a cache. It does no I/O. The error says which option is wrong.
func New(o Options) (*Cache, error) {
	server, err := wire.New(o.Options)
	if err != nil {
		return nil, err
	}
	base, ok := strings.CutSuffix(server.Base(), "/openai")
	if !ok {
		return nil,
			fmt.Errorf(
				"base URL %q: explicit_cache needs the address of Gemini's chat completions, which ends in /openai",
				o.BaseURL)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Cache{server: server, opts: o, base: base, held: map[string]*content{}}, nil
}

// contentKey identifies the content that a request could use.
type contentKey struct {
	chat, model, label string
	system             string
	tools              []chains.ToolSpec
}

// contentKeyOf returns the key of the content that could replace the beginning of r; ok is false for a request that
// belongs to no turn.
func contentKeyOf(r chains.Request) (w contentKey, ok bool) {
	if r.Prefix == "" || len(r.Messages) == 0 || r.Messages[0].Role != prompt.System {
		return w, false
	}
	w = contentKey{chat: r.CacheKey, model: "models/" +
		strings.TrimPrefix(r.Model, "models/"), system: r.Messages[0].Content, tools: r.Tools}
	w.label = "ibid " + digest(r.Prefix, w.system, fmt.Sprint(w.tools))[:32]
	return w, true
}

// slot returns the key of the place for one content at a time.
func (w *contentKey) slot() string { return w.chat + "\x00" + w.model }

// digest returns a hash of texts, in hex.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Keep returns the name under which the server has the system message and the tools of r, "" if they must be sent.
// It may create, extend and delete contents. It passes notices for the person to say, and stops when ctx ends.
func (c *Cache) Keep(ctx context.Context, r chains.Request, say func(string)) (name string) {
	w, ok := contentKeyOf(r)
	if !ok {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	leave, ok := c.enter(ctx, w.slot())
	if !ok {
		return ""
	}
	defer leave()
	old := c.take(&w)
	if old != nil && old.label == w.label && c.keepAlive(ctx, old) {
		c.put(&w, old)
		return old.name
	}
	made := c.create(ctx, w, say)
	if made == nil && ctx.Err() != nil {
		c.put(&w, old) // the next request deletes it
		return ""
	}
	if old != nil {
		c.remove(ctx, old)
	}
	if made == nil {
		return ""
	}
	c.put(&w, made)
	return made.name
}

// enter waits until a slot is free, which a request for a title of the same chat may be using; ok is false if ctx
// ends first.
func (c *Cache) enter(ctx context.Context, slot string) (leave func(), ok bool) {
	entry, _ := c.slots.LoadOrStore(slot, make(chan struct{}, 1))
	token := entry.(chan struct{})
	select {
	case token <- struct{}{}:
		return func() { <-token }, true
	case <-ctx.Done():
		return nil, false
	}
}

// take returns the content in the slot, nil if there is none. It belongs to the caller until put.
func (c *Cache) take(w *contentKey) *content {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.held[w.slot()]
	delete(c.held, w.slot())
	return k
}

// put puts a content into the slot, unless it is nil.
func (c *Cache) put(w *contentKey, k *content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k != nil {
		c.held[w.slot()] = k
	}
}

// Forget records that the server does not know a name any more.
func (c *Cache) Forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.held, func(_ string, k *content) bool { return k.name == name })
}

// Drop deletes the contents of a chat, by its CacheKey. It waits 5 s at most. A content that cannot be deleted
// expires.
func (c *Cache) Drop(ctx context.Context, chat string) {
	c.removeHeld(ctx, chat+"\x00")
}

// Close deletes the contents of this process. It waits 5 s at most. A content that cannot be deleted expires.
func (c *Cache) Close(ctx context.Context) {
	c.removeHeld(ctx, "")
	c.server.CloseIdle()
}

// removeHeld deletes the contents in the slots whose keys begin with prefix. It waits 5 s at most.
func (c *Cache) removeHeld(ctx context.Context, prefix string) {
	var all []*content
	c.mu.Lock()
	maps.DeleteFunc(c.held, func(slot string, k *content) bool {
		in := strings.HasPrefix(slot, prefix)
		if in {
			all = append(all, k)
		}
		return in
	})
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for _, k := range all {
		c.remove(ctx, k)
	}
}

// keepAlive reports whether a content still exists, and extends its lifetime when half of it is over.
func (c *Cache) keepAlive(ctx context.Context, k *content) bool {
	left := k.expires.Sub(c.opts.Now())
	if left <= expiryMargin {
		return false
	}
	if left > lifetime/2 {
		return true
	}
	now := c.opts.Now()
	err := c.send(ctx, http.MethodPatch, "/"+k.name+"?updateMask=ttl", map[string]any{"ttl": ttl}, nil)
	switch status := wire.ErrorOf(err).Status; {
	case err == nil:
		k.expires = now.Add(lifetime)
	case status >= 400 && status < 500 && status != http.StatusTooManyRequests:
		return false
	default:
		c.opts.Log.Warn("extend a cached content", "err", err)
	}
	return true
}

// create stores a content, after a notice about its price. It returns nil, with a notice, if the server refuses it.
func (c *Cache) create(ctx context.Context, w contentKey, say func(string)) *content {
	tokens := c.opts.Count(w.system)
	for _, t := range w.tools {
		tokens += c.opts.Count(t.Name + t.Description + t.Schema)
	}
	if refused, _ := c.refused.Load(w.slot()); refused == w.label || tokens < c.opts.Least(w.model) {
		return nil
	}
	if say(c.cost(w.model, tokens)); ctx.Err() != nil {
		return nil
	}
	now := c.opts.Now()
	body := map[string]any{
		"model": w.model, "displayName": w.label, "ttl": ttl,
		"systemInstruction": map[string]any{"parts": []any{map[string]any{"text": w.system}}},
	}
	if len(w.tools) > 0 {
		body["tools"] = []any{map[string]any{"functionDeclarations": declarations(w.tools)}}
	}
	var made struct {
		Name string `json:"name"`
	}
	err := c.send(ctx, http.MethodPost, "/cachedContents", body, &made)
	if err == nil && !isName(made.Name) {
		err = errors.New("it gave no name")
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	if err != nil {
		c.refused.Store(w.slot(), w.label)
		say(fmt.Sprintf("%s keeps nothing of this prompt, which goes out whole: %s", c.server.Name(),
			c.server.Line(err.Error())))
		return nil
	}
	return &content{made.Name, w.label, now.Add(lifetime)}
}

// cost returns the notice about the price of a content.
func (c *Cache) cost(model string, tokens int) string {
	return fmt.Sprintf("%s is to keep %s tokens of instructions and notes for an hour, for %s", c.server.Name(),
		md.Thousands(tokens), cmp.Or(chains.Dollars(c.storage(model)*float64(tokens)/1e6), "a price that is not known"))
}

// storage returns the price of storage, in dollars per million tokens and hour: the configured one, else that of
// Google's price list, which has one for each size of model.
func (c *Cache) storage(model string) float64 {
	switch {
	case c.opts.Storage != nil:
		return *c.opts.Storage
	case strings.Contains(model, "flash"):
		return 1
	case strings.Contains(model, "pro"):
		return 4.5
	}
	return -1
}

// remove deletes a content.
func (c *Cache) remove(ctx context.Context, k *content) {
	if err := c.send(ctx, http.MethodDelete, "/"+k.name, nil, nil); err != nil {
		c.opts.Log.Warn("delete a cached content", "err", err)
	}
}

// declarations returns tools in the form of the native API.
func declarations(tools []chains.ToolSpec) (all []map[string]any) {
	for _, t := range tools {
		all = append(all, map[string]any{
			"name": t.Name, "description": t.Description, "parametersJsonSchema": json.RawMessage(t.Schema),
		})
	}
	return all
}

// header makes the client send the key in the native API's header.
func header() http.Header { return http.Header{"X-Goog-Api-Key": nil} }

// send sends a document to the native API.
func (c *Cache) send(ctx context.Context, method, path string, body any, into any) error {
	return c.server.JSON(ctx, method, c.base+path, header(), body, into)
}
