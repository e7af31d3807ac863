package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains"
)

const (
	maxRetries  = 3
	longestWait = 60 * time.Second // a provider that asks for more is not waited for
	firstWait   = time.Second
)

// errStopped says that the caller's loop ended.
var errStopped = errors.New("the caller stopped")

// Stream implements chains.Model. While it waits to try again it says so in
// Delta.Notice. When ctx ends, the error is ctx.Err(); every other error is a
// *chains.ProviderError.
func (c *Client) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		err := c.stream(ctx, r, func(d chains.Delta) bool { return yield(d, nil) })
		if err != nil && !errors.Is(err, errStopped) {
			yield(chains.Delta{}, err)
		}
	}
}

func (c *Client) stream(ctx context.Context, r chains.Request, yield func(chains.Delta) bool) error {
	if err := c.missingKey(); err != nil {
		return err
	}
	if warning := c.plainWarning(); warning != "" && !yield(chains.Delta{Notice: warning}) {
		return errStopped
	}
	retries := 0
	for {
		w, invalid := c.wire(r)
		if invalid != nil {
			return invalid
		}
		shown, err := c.attempt(ctx, w, yield)
		var failed *chains.ProviderError
		if err == nil || shown || !errors.As(err, &failed) {
			return err
		}
		if w.body.StreamOptions != nil && refusesUsage(failed) {
			c.noUsage.Store(true)
			continue
		}
		wait, ok := c.backoff(failed, retries)
		if !ok {
			return c.suggest(ctx, failed, w.model)
		}
		retries++
		notice := retryNotice(c.name, failed, wait, retries)
		if !yield(chains.Delta{Notice: notice}) {
			return errStopped
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// backoff is how long to wait before the next attempt: what the provider asks
// for, else a second that doubles, each up to a quarter longer so that clients
// do not come back all at once.
func (c *Client) backoff(e *chains.ProviderError, retries int) (time.Duration, bool) {
	if !e.Retryable || retries >= maxRetries || e.RetryAfter > longestWait {
		return 0, false
	}
	wait := e.RetryAfter
	if wait <= 0 {
		wait = firstWait << retries
	}
	return wait + time.Duration(c.opts.Jitter()*float64(wait)/4), true
}

func retryNotice(name string, e *chains.ProviderError, wait time.Duration, n int) string {
	what := name + " is not answering"
	switch e.Kind {
	case chains.ErrRate:
		what = "Rate limited by " + name
	case chains.ErrNetwork:
		what = "No connection to " + name
	default:
		what += inBrackets(e.Status)
	}
	return fmt.Sprintf("%s, trying again in %s (%d/%d).", what, seconds(wait), n, maxRetries)
}

// attempt makes one exchange. shown says whether any of the reply was handed
// out, after which nothing may be tried again.
func (c *Client) attempt(ctx context.Context, w *wireRequest, yield func(chains.Delta) bool) (shown bool, err error) {
	x := &call{wire: w, n: c.exchanges.Add(1), model: w.model}
	inner, cancel := context.WithCancel(context.WithValue(ctx, callKey{}, x))
	defer cancel()
	s, err := c.api.CreateChatCompletionStream(inner, w.body)
	if err != nil {
		return false, c.fromRequest(ctx, err)
	}
	closed := false
	shut := func() {
		if !closed {
			closed = true
			_ = s.Close()
		}
	}
	defer shut()
	r := &reply{client: c, call: x}
	for {
		frame, err := s.RecvRaw()
		if ctx.Err() != nil {
			return r.shown, ctx.Err()
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return r.shown, c.fromNetwork(ctx, err)
			}
			frame = []byte{frameEnd}
		}
		d, end, err := r.take(frame)
		if end {
			shut() // before the last word, so that a recorder's trouble is part of it
		}
		if d.Notice == "" && len(x.warn) > 0 {
			d.Notice, x.warn = c.redact.line(x.warn[0]), x.warn[1:]
		}
		if !isEmpty(d) && !yield(d) {
			return r.shown, errStopped
		}
		if end || err != nil {
			return r.shown, err
		}
	}
}

func isEmpty(d chains.Delta) bool {
	return d.Text == "" && d.Reasoning == "" && d.Notice == "" && d.Usage == nil && d.Finish == "" && len(d.ToolCalls) == 0
}

// fromRequest sorts what go-openai returns in place of a stream: our own
// error, one of its checks, or the network's.
func (c *Client) fromRequest(ctx context.Context, err error) error {
	for _, check := range []error{
		oai.ErrReasoningToolsRequireResponses, oai.ErrChatCompletionInvalidModel, oai.ErrReasoningSamplingUnsupported,
		oai.ErrReasoningEffortUnsupported, oai.ErrReasoningModelMaxTokensDeprecated, oai.ErrReasoningModelLimitationsOther,
	} {
		if errors.Is(err, check) {
			return &chains.ProviderError{
				Kind: chains.ErrConfig, Err: err,
				Message: fmt.Sprintf("This model does not take the request: %s. Choose another model.", c.redact.line(err.Error())),
			}
		}
	}
	return c.fromNetwork(ctx, err)
}
