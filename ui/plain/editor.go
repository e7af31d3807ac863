package plain

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"ibid/ui/theme"
)

// Editor reads lines from a terminal, with editing. A line that was read is never drawn again.
type Editor struct {
	Terminal io.ReadWriter
	// Raw sets the terminal to raw mode until restore is called.
	Raw   func() (restore func(), err error)
	Width func() int
	Press func() bool // called for ctrl+c; see Output.Interrupts
	// Earlier returns the messages typed in all chats, newest first; it is called once.
	Earlier func() []string
	// Complete returns the possible completions of the end of a line, and the offset at which they start.
	Complete func(line string) (from int, words []string)

	line    *term.Terminal
	earlier typedLines
	reading atomic.Bool
	pressed bool // ctrl+c was pressed
	asks    chan string
	lines   chan inputLine
}

// typedLines are the lines that the arrow keys recall: from this session and earlier ones.
type typedLines struct {
	all    []string // newest first
	load   func() []string
	answer bool // the current line is an answer, not a message
}

// Add implements term.History. It does nothing: pasted text comes line by line, so it is kept when it is
// complete.
func (l *typedLines) Add(string) {}

// keep adds a message, if it is a single line.
func (l *typedLines) keep(text string) {
	if strings.TrimSpace(text) != "" && !l.answer && !strings.Contains(text, "\n") {
		l.all = slices.Insert(l.all, 0, text)
	}
}

// Len implements term.History.
func (l *typedLines) Len() int {
	if load := l.load; load != nil {
		l.load = nil
		for _, text := range load() {
			if !strings.Contains(text, "\n") {
				l.all = append(l.all, theme.Sanitize(text))
			}
		}
	}
	return len(l.all)
}

// At implements term.History.
func (l *typedLines) At(n int) string { return l.all[n] }

// ask starts reading a line. The caller must call done when it has the line or gives up.
func (e *Editor) ask(prompt string, answer bool) (line <-chan inputLine, done func()) {
	if e.asks == nil {
		e.asks, e.lines, e.earlier.load = make(chan string), make(chan inputLine), e.Earlier
		go func() {
			for prompt := range e.asks {
				e.read(prompt)
			}
		}()
	}
	restore, err := e.Raw()
	if err != nil {
		restore = func() {}
	}
	if e.reading.CompareAndSwap(false, true) {
		e.earlier.answer = answer
		e.asks <- prompt
	}
	return e.lines, restore
}

// read reads a line, or several if they are pasted. Ctrl+c discards the typed text.
func (e *Editor) read(prompt string) {
	if e.line == nil {
		e.line = term.NewTerminal(e, prompt)
		e.line.History, e.line.AutoCompleteCallback = &e.earlier, e.complete
	}
	e.line.SetPrompt(prompt)
	_ = e.line.SetSize(max(e.Width(), 8), 1) // it fails only if the terminal does
	e.line.SetBracketedPasteMode(true)
	var b strings.Builder
	for {
		text, err := e.line.ReadLine()
		b.WriteString(text)
		if errors.Is(err, term.ErrPasteIndicator) {
			b.WriteByte('\n')
			e.line.SetPrompt(continuationPrompt)
			continue
		}
		e.line.SetBracketedPasteMode(false)
		pressed := e.pressed && err != nil
		if e.pressed = false; err != nil {
			e.line = nil // it would continue with the typed text
		}
		e.reading.Store(false)
		switch {
		case pressed:
			_, _ = io.WriteString(e.Terminal, "\r\n")
			e.Press()
		case errors.Is(err, io.EOF):
			e.lines <- inputLine{err: io.EOF}
		default:
			e.earlier.keep(b.String())
			e.lines <- inputLine{text: b.String(), ended: true, err: err}
		}
		return
	}
}

// otherKeys replaces key sequences of various terminals by those that package term knows. A ctrl+d that was
// pressed before the line was asked for has become a zero.
var otherKeys = strings.NewReplacer(
	"\x00", "\x04",
	"\x1b[1;5C", "\x1b[1;3C", "\x1b[1;5D", "\x1b[1;3D", "\x1bf", "\x1b[1;3C", "\x1bb", "\x1b[1;3D",
	"\x1b[1~", "\x1b[H", "\x1b[4~", "\x1b[F", "\x1bOH", "\x1b[H", "\x1bOF", "\x1b[F", "\x1b\x7f", "\x17",
)

// Read implements io.Reader for the line.
func (e *Editor) Read(p []byte) (n int, err error) {
	keys := make([]byte, max(len(p)/4, 1))
	n, err = e.Terminal.Read(keys)
	e.pressed = e.pressed || strings.Contains(string(keys[:n]), "\x03")
	return copy(p, otherKeys.Replace(string(keys[:n]))), err
}

// Write implements io.Writer for the line.
func (e *Editor) Write(p []byte) (int, error) { return e.Terminal.Write(p) }

// maxCompletions limits the number of completions that are listed.
const maxCompletions = 40

// complete completes the word before the cursor on tab, by the common beginning of all matches. If there is
// nothing to add, it lists the matches.
func (e *Editor) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' || e.Complete == nil {
		return "", 0, false
	}
	from, words := e.Complete(line[:pos])
	fold := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, `"`, "")) }
	var fit []string
	common, typed := "", fold(line[from:pos])
	for _, word := range words {
		if !strings.HasPrefix(fold(word), typed) || slices.Contains(fit, word) {
			continue
		}
		if fit = append(fit, word); len(fit) == 1 {
			common = word
		}
		for !strings.HasPrefix(fold(word), fold(common)) {
			runes := []rune(common)
			common = string(runes[:len(runes)-1])
		}
	}
	switch {
	case len(fit) == 0:
		return line, pos, true
	case len(fit) == 1:
		common += " "
	case len(common) <= pos-from:
		if more := len(fit) - maxCompletions; more > 0 {
			fit = append(fit[:maxCompletions], fmt.Sprintf("and %d more", more))
		}
		_, _ = fmt.Fprintln(e.line, strings.Join(theme.Wrap(strings.Join(fit, "  "), max(e.Width(), 8)), "\n"))
		return line, pos, true
	}
	return line[:from] + common + line[pos:], from + len(common), true
}
