package term

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Writer writes to a terminal and tracks two of its modes from the output: whether the program draws
// frames, which it recognizes by bracketed paste, and whether they are on the alternate screen. It is
// safe to write from several goroutines at once.
//
// When the program first sets the title of the window, Writer saves the old title. It restores that
// title, and the shape of the cursor, where the program clears its own: at its end, and before a shell
// or an editor gets the terminal. The shape of the cursor cannot be queried, so it is reset to the
// default.
type Writer struct {
	out         io.Writer
	mu          sync.Mutex // of out and titled
	drawn, page atomic.Bool
	titled      bool // the program has set the title
}

// setTitle begins the sequence that sets the title of the window.
const setTitle = "\x1b]2;"

// Write writes p, with the sequences that save and restore the title.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(p)
}

func (w *Writer) write(p []byte) (int, error) {
	if n, err := w.out.Write(w.keepTitle(p)); err != nil {
		return min(n, len(p)), err
	}
	note := func(b *atomic.Bool, set, reset string) {
		if on, off := bytes.LastIndex(p, []byte(set)), bytes.LastIndex(p, []byte(reset)); on != off {
			b.Store(on > off)
		}
	}
	note(&w.page, ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor)
	note(&w.drawn, ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste)
	return len(p), nil
}

// keepTitle adds to p the sequences that save the title of the window, and replaces an empty title by
// the sequences that restore it.
func (w *Writer) keepTitle(p []byte) []byte {
	at := bytes.Index(p, []byte(setTitle))
	if at < 0 {
		return p
	}
	var b bytes.Buffer
	for ; at >= 0; at = bytes.Index(p, []byte(setTitle)) {
		b.Write(p[:at])
		p = p[at:]
		none := []byte(ansi.SetWindowTitle(""))
		switch {
		case bytes.HasPrefix(p, none):
			p = p[len(none):]
			if w.titled {
				b.WriteString(ansi.SetCursorStyle(0) + ansi.WindowOp(23, 2))
			}
			w.titled = false
			continue
		case !w.titled:
			b.WriteString(ansi.WindowOp(22, 2))
			w.titled = true
		}
		b.WriteString(setTitle)
		p = p[len(setTitle):]
	}
	b.Write(p)
	return b.Bytes()
}

// Printable reports whether lines can be printed above the drawn frame.
func (w *Writer) Printable() bool { return w.drawn.Load() && !w.page.Load() }

// WriteFirst writes a frame unless the program has drawn one. An error comes again at the next write.
func (w *Writer) WriteFirst(frame string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.drawn.Load() {
		_, _ = w.write([]byte(frame))
	}
}

// LeavePage leaves the alternate screen if the program is still on it.
func (w *Writer) LeavePage() {
	if w.page.Load() {
		_, _ = io.WriteString(w, ansi.ResetModeAltScreenSaveCursor+ansi.ShowCursor) // Run reports errors of the terminal
	}
}

// file is a Writer that is still a terminal file, so that callers can get the terminal's size.
type file struct {
	term.File
	w *Writer
}

// Write writes p through the Writer.
func (f file) Write(p []byte) (int, error) { return f.w.Write(p) }

// Watch returns a Writer to out, and out itself with its writes going through that Writer.
func Watch(out io.Writer) (w *Writer, same io.Writer) {
	w = &Writer{out: out}
	if f, ok := out.(term.File); ok {
		return w, file{f, w}
	}
	return w, w
}
