package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	xterm "github.com/charmbracelet/x/term"

	"ibid/ui/term"
)

// frameRate is the frame rate of the renderer: every key waits for it, 11 ms at most. Its ticks cost, too.
const frameRate = 90

// Run shows the screen on out, with keys from in, until the user quits or ctx ends. When it returns,
// everything that ran for the screen has ended and the chat is on disk. The error is the one of the
// terminal or of ctx, or a [term.PanicError].
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if o.Exec == nil {
		o.Exec = func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd { return tea.Exec(&editorProcess{c, out}, done) }
	}
	m := New(ctx, o)
	m.Tasks.OnPanic(func(e *term.PanicError) { stop(e) })
	err := runProgram(ctx, m, in, out)
	failed, broke := errors.AsType[*term.PanicError](err)
	m.drafts.Broke = broke || errors.Is(err, tea.ErrProgramPanic)
	m.Close()
	if broke && o.Store != nil {
		failed.Draft = o.Store.Drafts().File(m.DraftNumber())
	}
	return err
}

// editorProcess is a process that writes to the terminal itself, not to the writer around it that
// Bubble Tea has.
type editorProcess struct {
	*exec.Cmd
	terminal io.Writer
}

// stopTime is longer than the renderer takes to stop. It stops in the background, and a process that
// ended before would leave it stopped for good.
const stopTime = 50 * time.Millisecond

// Run runs the process and waits stopTime.
func (p *editorProcess) Run() error {
	defer time.Sleep(stopTime)
	return p.Cmd.Run()
}

// SetStdin implements tea.ExecCommand.
func (p *editorProcess) SetStdin(r io.Reader) { p.Stdin = r }

// SetStdout implements tea.ExecCommand. It sets the terminal instead.
func (p *editorProcess) SetStdout(io.Writer) { p.Stdout = p.terminal }

// SetStderr implements tea.ExecCommand.
func (p *editorProcess) SetStderr(w io.Writer) { p.Stderr = w }

// runProgram shows a screen until the user quits or ctx ends.
func runProgram(ctx context.Context, m *Model, in io.Reader, out io.Writer) error {
	watched, same := term.Watch(out)
	options := []tea.ProgramOption{
		tea.WithInput(in), tea.WithOutput(same), tea.WithFPS(frameRate),
		tea.WithoutSignalHandler(),
	}
	if m.printer.On {
		m.printer.Ready = watched.Printable
		options = append(options, tea.WithFilter(clearOnQuit))
	}
	if f, ok := out.(xterm.File); ok {
		m.drawing.first = func() { drawFirstFrame(m, f, watched) }
	}
	p := tea.NewProgram(m, options...)
	// A program whose context ends is killed, and leaves its reader behind; one
	// that quits gives the terminal back.
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	watched.LeavePage()
	if _, broke := errors.AsType[*term.PanicError](context.Cause(ctx)); !broke && !errors.Is(err, tea.ErrProgramPanic) {
		_, _ = io.WriteString(out, printRest(m)) // an error matters no more: the chat is on disk
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

// drawFirstFrame draws the first frame if that fills the screen. The renderer draws it again at its first tick, which
// comes a hundredth of a second later.
func drawFirstFrame(m *Model, terminal xterm.File, out *term.Writer) {
	w, h, err := xterm.GetSize(terminal.Fd())
	if err != nil {
		return
	}
	m.resize(w, h)
	if v := m.View(); v.AltScreen {
		out.WriteFirst(ansi.SetModeAltScreenSaveCursor + ansi.HideCursor + ansi.CursorHomePosition +
			strings.ReplaceAll(lipgloss.Sprint(v.Content), "\n", "\r\n"))
	}
}

// clearOnQuit takes the prompt off the screen when the program ends.
func clearOnQuit(model tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.QuitMsg); ok {
		if m, ok := model.(*Model); ok {
			m.printer.Hidden = true
			m.drawing.version++
		}
	}
	return msg
}
