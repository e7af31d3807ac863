package term

import (
	"bytes"
	"io"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Writer writes to a terminal, and knows what of the program that shows: its
// frames, since it takes pastes as such, and whether on the alternate screen. Whoever
// writes through it takes turns.
//
// The title that the window had is kept when the program first sets one, and put back
// where the program takes its own away: at its end, and when it stands aside for a shell
// or an editor. So is the shape of the cursor, which is nothing that can be asked for.
type Writer struct {
	out         io.Writer
	drawn, page atomic.Bool
	titled      bool // the title is the program's
}

// setTitle is what a title of the window begins with.
const setTitle = "\x1b]2;"

// Write writes p.
func (w *Writer) Write(p []byte) (int, error) {
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

// keepTitle is p with what keeps the title of the window, and puts it back instead of
// setting none.
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

// Printable reports whether lines can be printed above what is drawn.
func (w *Writer) Printable() bool { return w.drawn.Load() && !w.page.Load() }

// terminalFile is a terminalWriter that is still the terminal, for whoever asks its size.
type file struct {
	term.File
	w *Writer
}

// Write writes p.
func (f file) Write(p []byte) (int, error) { return f.w.Write(p) }

// Watch is a writer to out, and out with that writer.
func Watch(out io.Writer) (w *Writer, same io.Writer) {
	w = &Writer{out: out}
	if f, ok := out.(term.File); ok {
		return w, file{f, w}
	}
	return w, w
}
