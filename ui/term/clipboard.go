package term

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"

	"ibid/vault/routine"
)

// SetClipboard puts a text on the clipboard of the terminal and, if put is not nil, also on that of
// this machine with put. Errors of put are ignored, since the terminal has the text.
func SetClipboard(t *Tasks, put func(context.Context, string) error, text string) tea.Cmd {
	if put == nil {
		return tea.SetClipboard(text)
	}
	return tea.Batch(tea.SetClipboard(text), t.Start(func(ctx context.Context) tea.Msg {
		_ = put(ctx, text)
		return nil
	}))
}

// copyTime is the time that the clipboard of this machine may take for a text.
const copyTime = 2 * time.Second

// Clipboard returns the function that puts a text on the clipboard of this machine, nil if there is none or
// the user sits at another machine.
func Clipboard(getenv func(string) string) func(context.Context, string) error {
	if clipboard.Unsupported || isRemote(getenv) {
		return nil
	}
	return func(ctx context.Context, text string) error {
		return copyWithin(ctx, copyTime, text, clipboard.WriteAll)
	}
}

// isRemote reports whether this is a session over SSH.
func isRemote(getenv func(string) string) bool {
	return getenv("SSH_TTY")+getenv("SSH_CONNECTION") != ""
}

// copyWithin waits at most d for put. If put hangs, its goroutine ends when it does.
func copyWithin(ctx context.Context, d time.Duration, text string, put func(string) error) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	_, err := routine.Await(ctx, func() (any, error) { return nil, put(text) })
	return err
}
