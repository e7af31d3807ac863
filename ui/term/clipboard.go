package term

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// SetClipboard puts a text on the clipboard: of the terminal, and with put of this
// machine. The terminal was told, so that nobody needs to know if put fails.
func SetClipboard(t *Tasks, put func(context.Context, string) error, text string) tea.Cmd {
	if put == nil {
		return tea.SetClipboard(text)
	}
	return tea.Batch(tea.SetClipboard(text), t.Start(func(ctx context.Context) tea.Msg {
		_ = put(ctx, text)
		return nil
	}))
}
