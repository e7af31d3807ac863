package term

import (
	"context"

	tea "charm.land/bubbletea/v2"
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
