package wire

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"ibid/chains"
)

const (
	maxRetries = 3
	maxWait    = 60 * time.Second // a provider that asks for more is not retried
	firstWait  = time.Second

	loadWait = 2 * time.Second // between two requests to a server that loads its model
	maxLoads = 300             // maximum number of these requests
)

// attempt makes the exchanges of one reply and hands out the result.
type attempt func(ctx context.Context, out *OutgoingRequest) error

// Stream implements chains.Model with Answer, see Retry.
func (c *Client) Stream(ctx context.Context, r chains.Request) iter.Seq2[chains.Delta, error] {
	return c.Retry(ctx, r, c.Answer)
}

// Retry makes attempts until one succeeds or there is no hope: it retries what may succeed later, and says so in
// Delta.Notice while it waits. The context of an attempt ends when nobody listens any more. When ctx ends, the
// error is ctx.Err(); every other error is a *chains.ProviderError.
func (c *Client) Retry(ctx context.Context, r chains.Request, try attempt) iter.Seq2[chains.Delta, error] {
	return func(yield func(chains.Delta, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		left := false
		out := &OutgoingRequest{Request: r, Yield: func(d chains.Delta) bool {
			if !left && !isEmpty(d) && !yield(d, nil) {
				left = true
				cancel()
			}
			return !left
		}}
		if err := c.stream(ctx, out, try); err != nil && !left {
			yield(chains.Delta{}, err)
		}
	}
}

func (c *Client) stream(ctx context.Context, out *OutgoingRequest, try attempt) error {
	if err := c.missingKey(); err != nil {
		return err
	}
	if err := c.completeRequest(&out.Request); err != nil {
		return err
	}
	out.Say(c.plainWarning())
	for retries, loads := 0, 0; ; {
		err := try(ctx, out)
		failed := ErrorOf(err)
		if out.Shown || failed.Kind == "" {
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
			c.Suggest(ctx, failed, out.Model)
			return err
		default:
			retries++
			said = chains.Delta{Notice: retryNotice(c.name, failed, wait, retries), Wait: wait}
		}
		out.Yield(said)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Loading reports whether a server refused a request because it is still loading its model, as llama-server does
// after its start.
func (c *Client) Loading(err error) bool {
	return ErrorOf(err).Status == 503 && strings.Contains(Words(err), "loading model")
}

// backoff returns the time to wait before the next attempt: what the provider asks for, else a second that doubles.
// Each is up to a quarter longer, so that clients do not come back all at once.
func (c *Client) backoff(e *chains.ProviderError, retries int) (time.Duration, bool) {
	if !e.Retryable || retries >= maxRetries || e.RetryAfter > maxWait {
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
		what += formatStatus(e.Status)
	}
	return fmt.Sprintf("%s, again in %s, %d of %d.", what, Seconds(wait), n, maxRetries)
}
