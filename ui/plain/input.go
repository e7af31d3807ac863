package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxMessage is the longest message that is read, in bytes.
const maxMessage = 16 << 20

// inputLine is a line of the input, without its end.
type inputLine struct {
	text  string
	ended bool // by a newline, and not by the end of the input
	err   error
}

// input is where messages and answers come from.
type input struct {
	editor *Editor          // nil where lines come as they are
	lines  <-chan inputLine // that come as they are
	asked  bool             // somebody is there to be asked
}

// readLines reads lines in a goroutine of its own, since a read from a terminal
// cannot be interrupted.
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

// inputEnd is why no more of a message is read.
type inputEnd int

const (
	wholeMessage inputEnd = iota
	interrupted           // what was typed of the message is dropped
	inputEnded
	inputFailed // the text is the error
	ctxEnded
)

// readMessage reads a line and those that continue it, each behind a prompt.
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
			prompt = continues
		}
	}
}

// readLine reads a line behind a prompt, or an answer behind a question.
func (o *Output) readLine(ctx context.Context, prompt string, question bool) (l inputLine, end inputEnd) {
	next, interrupts := o.input.lines, o.Interrupts
	if question {
		prompt, interrupts = "ibid: "+prompt, nil // they end ctx
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

// continues is the prompt of the second and further lines of a message.
const continues = "... "

// stoppable is ctx, which the next interrupt ends too. end must be called; out.stopped
// says then whether there was one.
func (o *Output) stoppable(ctx context.Context) (within context.Context, end func()) {
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
		case <-o.Interrupts: // pressed twice before it had stopped
		default:
		}
	}
}
