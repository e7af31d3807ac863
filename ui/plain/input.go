package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxMessage is the maximum length of a message in bytes.
const maxMessage = 16 << 20

// inputLine is a line of the input, without its end.
type inputLine struct {
	text  string
	ended bool // ended by a newline, not by the end of the input
	err   error
}

// input is the source of messages and answers.
type input struct {
	editor *Editor          // nil if lines are not edited
	lines  <-chan inputLine // lines that are not edited
}

// readLines reads lines in its own goroutine, since reading from a terminal cannot be interrupted.
func readLines(in io.Reader) <-chan inputLine {
	out := make(chan inputLine)
	go func() {
		defer close(out)
		r := bufio.NewReader(in)
		for {
			text, err := r.ReadString('\n')
			if text != "" {
				text, ended := strings.CutSuffix(text, "\n")
				out <- inputLine{text: strings.TrimSuffix(text, "\r"), ended: ended}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					out <- inputLine{err: err}
				}
				return
			}
		}
	}()
	return out
}

// inputEnd is the reason why reading a message ended.
type inputEnd int

const (
	wholeMessage inputEnd = iota
	interrupted           // the typed text is discarded
	inputEnded
	inputFailed // the text is the error message
	ctxEnded
)

// readMessage reads a line and its continuation lines, each after a prompt.
func readMessage(ctx context.Context, out *Output, prompt string) (text string, end inputEnd) {
	var b strings.Builder
	for {
		l, end := out.readLine(ctx, prompt, false)
		switch {
		case end == inputEnded && b.Len() > 0:
			return b.String(), wholeMessage
		case end != wholeMessage:
			return l.text, end
		}
		head, more := strings.CutSuffix(l.text, `\`)
		if more = more && l.ended; !more {
			head = l.text
		}
		if b.WriteString(head); b.Len() > maxMessage {
			return "a message is longer than 16 MB: attach it as a note instead", inputFailed
		}
		if !more {
			return b.String(), wholeMessage
		}
		b.WriteByte('\n')
		if prompt != "" {
			prompt = continuationPrompt
		}
	}
}

// readLine reads a line after a prompt, or an answer after a question.
func (o *Output) readLine(ctx context.Context, prompt string, question bool) (l inputLine, end inputEnd) {
	next, interrupts := o.input.lines, o.Interrupts
	if question {
		prompt, interrupts = "ibid: "+prompt, nil // during a question interrupts end ctx
	}
	switch {
	case o.input.editor != nil:
		var done func()
		next, done = o.input.editor.ask(prompt, question)
		defer done()
	case question:
		_, _ = fmt.Fprint(o.Err, prompt)
	default:
		o.write(o.Out, prompt)
	}
	select {
	case <-ctx.Done():
		return l, ctxEnded
	case <-interrupts:
		return l, interrupted
	case l, ok := <-next:
		switch {
		case !ok, errors.Is(l.err, io.EOF):
			return l, inputEnded
		case l.err != nil:
			return inputLine{text: l.err.Error()}, inputFailed
		}
		return l, wholeMessage
	}
}

// continuationPrompt is the prompt of continuation lines.
const continuationPrompt = "... "

// interruptible returns a context that ends with ctx or with the next interrupt. The caller must call end; then
// o.stopped says whether there was an interrupt.
func (o *Output) interruptible(ctx context.Context) (within context.Context, end func()) {
	within, cancel := context.WithCancel(ctx)
	if o.Interrupts == nil {
		return within, cancel
	}
	stopped := make(chan bool)
	go func() {
		select {
		case <-o.Interrupts:
			cancel()
			stopped <- true
		case <-within.Done():
			stopped <- false
		}
	}()
	return within, func() {
		cancel()
		if o.stopped = <-stopped; !o.stopped {
			return
		}
		select {
		case <-o.Interrupts: // a second interrupt before it had stopped
		default:
		}
	}
}
