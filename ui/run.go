package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// looks is how many times a second the renderer looks whether there is something new
// to draw: a key is on the screen within 16 ms, most of them sooner.
const looks = 72

// Run shows the screen on out, with keys from in, until the user quits or ctx
// ends. When it returns, everything that ran for the screen has ended and the
// chat is on disk. The error is that of the terminal, or of ctx, or a [PanicError].
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m := New(ctx, o)
	m.tasks.all.fail = func(e *PanicError) { stop(e) }
	err := runProgram(ctx, m, in, out)
	m.Close()
	if failed := (*PanicError)(nil); errors.As(err, &failed) && o.Store != nil {
		failed.Draft = o.Store.Drafts().File(m.k.number())
	}
	return err
}

// runProgram shows a screen until the user quits or ctx ends.
func runProgram(ctx context.Context, m *Model, in io.Reader, out io.Writer) error {
	// The title of the window is kept, and put back.
	_, _ = io.WriteString(out, ansi.WindowOp(22, 2))
	defer func() { _, _ = io.WriteString(out, ansi.WindowOp(23, 2)) }()
	options := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out), tea.WithFPS(looks), tea.WithoutSignalHandler()}
	if m.stage.inline.on {
		same, ready := watchPage(out)
		m.stage.inline.ready = ready
		options = append(options, tea.WithOutput(same), tea.WithFilter(ending))
	}
	p := tea.NewProgram(m, options...)
	// A program whose context ends is killed, and leaves its reader behind; one
	// that quits gives the terminal back.
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	if failed := (*PanicError)(nil); !errors.Is(err, tea.ErrProgramPanic) && !errors.As(context.Cause(ctx), &failed) {
		_, _ = io.WriteString(out, m.stage.inline.rest(m)) // the chat is on disk, whatever becomes of this
	}
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

// ending takes the prompt off the screen when the program ends.
func ending(model tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.QuitMsg); ok {
		if m, ok := model.(*Model); ok {
			m.stage.inline.ended = true
			m.drawing.version++
		}
	}
	return msg
}

// pageWriter writes to a terminal, and knows what of the program that shows: its
// frames, since it takes pastes as such, and whether on the alternate screen.
type pageWriter struct {
	out         io.Writer
	drawn, page atomic.Bool
}

// Write writes p.
func (w *pageWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	note := func(b *atomic.Bool, set, reset string) {
		if on, off := bytes.LastIndex(p, []byte(set)), bytes.LastIndex(p, []byte(reset)); on != off {
			b.Store(on > off)
		}
	}
	note(&w.page, ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor)
	note(&w.drawn, ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste)
	return n, err
}

// printable reports whether lines can be printed above what is drawn.
func (w *pageWriter) printable() bool { return w.drawn.Load() && !w.page.Load() }

// pageFile is a pageWriter that is still the terminal, for whoever asks its size.
type pageFile struct {
	term.File
	w *pageWriter
}

// Write writes p.
func (f pageFile) Write(p []byte) (int, error) { return f.w.Write(p) }

// watchPage is out, and tells whether lines can be printed there.
func watchPage(out io.Writer) (same io.Writer, printable func() bool) {
	w := &pageWriter{out: out}
	if f, ok := out.(term.File); ok {
		return pageFile{f, w}, w.printable
	}
	return w, w.printable
}
