package ui

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"
)

// Run shows the screen on out, with keys from in, until the person quits or ctx
// ends. When it returns, everything that ran for the screen has ended and the
// chat is on disk. The error is that of the terminal, or of ctx.
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	m := New(ctx, o)
	defer m.Close()
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	_, err := p.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, tea.ErrInterrupted):
		return err
	}
	return fmt.Errorf("show the screen: %w", err)
}
