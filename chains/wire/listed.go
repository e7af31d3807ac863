package wire

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"ibid/chains"
)

// Listed is the list of models that a server gave last. The zero value is none. It may
// be used by several goroutines at once.
type Listed struct {
	last atomic.Pointer[[]chains.ModelInfo]
}

// Keep takes in a list.
func (l *Listed) Keep(list []chains.ModelInfo) { l.last.Store(&list) }

// Known is what the list says about model. The model "" is the one that was chosen.
func (l *Listed) Known(model, chosen string) (info chains.ModelInfo, ok bool) {
	if model == "" {
		return chains.ModelInfo{ID: chosen, Chat: true}, chosen != ""
	}
	list := l.last.Load()
	if list == nil {
		return chains.ModelInfo{}, false
	}
	i := slices.IndexFunc(*list, func(m chains.ModelInfo) bool { return m.ID == model })
	if i < 0 {
		return chains.ModelInfo{}, false
	}
	return (*list)[i], true
}

// Suggest adds the names that are most like model to an error that says that there is
// no such model. The list is asked for if it was not yet, for 5 s at most; of one that
// cannot be had nothing is added.
func (l *Listed) Suggest(ctx context.Context, c *Client, err error, model string, ask func(context.Context) ([]chains.ModelInfo, error)) {
	var failed *chains.ProviderError
	if !errors.As(err, &failed) || failed.Code != NoSuchModel {
		return
	}
	list := l.last.Load()
	if list == nil {
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		asked, _ := ask(short)
		list = &asked
	}
	c.Suggest(failed, model, *list)
}

// NoList is the error for an answer that is no list of models.
func (c *Client) NoList() *chains.ProviderError {
	return &chains.ProviderError{Kind: chains.ErrBadReply, Message: c.name + " answers with something that is no list of models. Check base_url, which usually ends in /v1."}
}
