package ui

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Run shows the screen on out, with keys from in, until the person quits or ctx
// ends. When it returns, everything that ran for the screen has ended and the
// chat is on disk. The error is that of the terminal, or of ctx.
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	m := New(ctx, o)
	defer m.Close()
	// The title of the window is kept, and put back.
	_, _ = io.WriteString(out, ansi.WindowOp(22, 2))
	defer func() { _, _ = io.WriteString(out, ansi.WindowOp(23, 2)) }()
	p := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	// A program whose context ends is killed, and leaves its reader behind; one
	// that quits gives the terminal back.
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return nil
	case errors.Is(err, tea.ErrInterrupted):
		return err
	}
	return fmt.Errorf("show the screen: %w", err)
}
