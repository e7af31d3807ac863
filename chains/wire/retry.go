package wire

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"ibid/chains"
)

const (
	maxRetries  = 3
	longestWait = 60 * time.Second // a provider that asks for more is not waited for
	firstWait   = time.Second

	loadWait = 2 * time.Second // between two requests to a server that loads its model
	maxLoads = 300             // of them
)

// ErrStopped is what an attempt returns when the caller wants no more.
var ErrStopped = errors.New("the caller stopped")

// attempt makes one exchange and hands out what comes of it, until yield says
// false. shown says whether any of the reply was handed out, after which
// nothing may be tried again.
type attempt func(yield func(chains.Delta) bool) (shown bool, err error)

// Stream is chains.Model's Stream over attempts: it tries again what may succeed
// later, and says so in Delta.Notice while it waits. When ctx ends, the error is
// ctx.Err(); every other error is a *chains.ProviderError.
func (c *Client) Stream(ctx context.Context, try attempt) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		err := c.stream(ctx, try, func(d chains.Delta) bool { return empty(d) || yield(d, nil) })
		if err != nil && !errors.Is(err, ErrStopped) {
			yield(chains.Delta{}, err)
		}
	}
}

func (c *Client) stream(ctx context.Context, try attempt, yield func(chains.Delta) bool) error {
	if err := c.missingKey(); err != nil {
		return err
	}
	if warning := c.plainWarning(); warning != "" && !yield(chains.Delta{Notice: warning}) {
		return ErrStopped
	}
	for retries, loads := 0, 0; ; {
		shown, err := try(yield)
		failed := ErrorOf(err)
		if shown || failed.Kind == "" {
			return err
		}
		said := chains.Delta{}
		wait, ok := c.backoff(failed, retries)
		switch {
		case c.Loading(failed) && loads < maxLoads:
			if wait = loadWait; loads == 0 {
				said.Notice = c.name + " loads the model: waiting for it."
			}
			loads++
		case !ok:
			return err
		default:
			retries++
			said = chains.Delta{Notice: retryNotice(c.name, failed, wait, retries), Wait: wait}
		}
		if !yield(said) {
			return ErrStopped
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Loading reports whether a server refused a request because it still loads its
// model, as llama-server does after its start.
func (c *Client) Loading(err error) bool {
	return ErrorOf(err).Status == 503 && strings.Contains(Words(err), "loading model")
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
	what := "No answer yet from " + name
	switch e.Kind {
	case chains.ErrRate:
		what = "Rate limited by " + name
	case chains.ErrNetwork:
		what = "No connection to " + name
	default:
		what += inBrackets(e.Status)
	}
	return fmt.Sprintf("%s, again in %s, %d of %d.", what, Seconds(wait), n, maxRetries)
}
