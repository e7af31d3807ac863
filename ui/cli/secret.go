package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
)

// secret has a user type something that the terminal does not show. Where ctx ends
// first, the terminal shows again what is typed.
func (a *app) secret(ctx context.Context, label string) (string, error) {
	in, ok := a.env.Stdin.(*os.File)
	if !ok {
		return "", fmt.Errorf("read the key: standard input is no terminal")
	}
	state, err := term.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("read the key: %w", err)
	}
	fmt.Fprint(a.env.Stderr, label)
	defer fmt.Fprintln(a.env.Stderr)
	return a.typed(ctx, func() (string, error) {
		line, err := term.ReadPassword(in.Fd())
		return string(line), err
	}, func() { _ = term.Restore(in.Fd(), state) })
}

// agreed asks a user for a yes.
func (a *app) agreed(ctx context.Context, question string) bool {
	fmt.Fprint(a.env.Stderr, question)
	line, _ := a.typed(ctx, func() (string, error) { return bufio.NewReader(a.env.Stdin).ReadString('\n') }, func() {})
	word := strings.ToLower(strings.TrimSpace(line))
	return word == "y" || word == "yes"
}

// typed waits for a line from the terminal, or the end of ctx, after which nobody
// takes the line any more: the program ends.
func (a *app) typed(ctx context.Context, read func() (string, error), restore func()) (string, error) {
	type line struct {
		text string
		err  error
	}
	got := make(chan line, 1)
	go func() {
		text, err := read()
		got <- line{text, err}
	}()
	select {
	case l := <-got:
		return l.text, l.err
	case <-ctx.Done():
		restore()
		return "", ctx.Err()
	}
}

// piped reports whether standard input is none of a terminal and holds something. It
// waits a moment for that.
func (a *app) piped(ctx context.Context) bool {
	r := (&input{app: a}).reader()
	if r == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	line, _ := a.typed(ctx, func() (string, error) { return bufio.NewReader(r).ReadString('\n') }, func() {})
	return strings.TrimSpace(line) != ""
}
