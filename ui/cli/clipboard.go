package cli

import (
	"context"
	"time"

	"github.com/atotto/clipboard"

	"ibid/vault/routine"
)

// copyTime is how long a clipboard may take.
const copyTime = 2 * time.Second

// clipboardOf puts a text on the clipboard of this machine; it is nil where there is
// none, and in a session over SSH, whose person sits at another machine.
func clipboardOf(getenv func(string) string) func(context.Context, string) error {
	if clipboard.Unsupported || getenv("SSH_TTY") != "" || getenv("SSH_CONNECTION") != "" {
		return nil
	}
	return func(ctx context.Context, text string) error { return atMost(ctx, copyTime, text, clipboard.WriteAll) }
}

// atMost waits no longer than d for a program that takes a text. One that hangs is left
// to itself: its goroutine ends with it.
func atMost(ctx context.Context, d time.Duration, text string, put func(string) error) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	_, err := routine.Await(ctx, func() (any, error) { return nil, put(text) })
	return err
}
