package cli

import (
	"bytes"
	"context"
	"testing"
	"time"

	"ibid/ui/plain"
)

// waiting is an input that says when it is read, and then gives nothing until it
// is closed.
type waiting struct{ read, closed chan struct{} }

func (w waiting) Read([]byte) (int, error) {
	close(w.read)
	<-w.closed
	return 0, context.Canceled
}

// TestInterruptedQuestion ends the program while it waits for the question.
func TestInterruptedQuestion(t *testing.T) {
	in := waiting{make(chan struct{}), make(chan struct{})}
	defer close(in.closed)
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs bytes.Buffer
	status := make(chan int)
	go func() {
		status <- Run(ctx, Env{Args: []string{"ask", "--vault", t.TempDir()}, Stdin: in, Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Dir: t.TempDir()})
	}()
	<-in.read
	cancel()
	select {
	case got := <-status:
		if got != plain.ExitInterrupted || out.Len()+errs.Len() > 0 {
			t.Errorf("status %d, %q %q", got, out.String(), errs.String())
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for the question")
	}
}
