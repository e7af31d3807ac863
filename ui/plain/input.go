package plain

import (
	"bufio"
	"context"
	"errors"
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
func readMessage(ctx context.Context, next <-chan inputLine, out *Output, prompt string) (text string, end inputEnd) {
	var b strings.Builder
	for {
		out.write(out.Out, prompt)
		select {
		case <-ctx.Done():
			return "", ctxEnded
		case <-out.Interrupts:
			return "", interrupted
		case l, ok := <-next:
			switch {
			case l.err != nil:
				return l.err.Error(), inputFailed
			case !ok && b.Len() == 0:
				return "", inputEnded
			case !ok:
				return b.String(), wholeMessage
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
