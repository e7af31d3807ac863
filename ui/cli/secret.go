package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"ibid/vault/routine"
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
	line, err := routine.Await(ctx, func() ([]byte, error) { return term.ReadPassword(in.Fd()) })
	if ctx.Err() != nil {
		_ = term.Restore(in.Fd(), state)
	}
	return string(line), err
}

// agreed asks a user for a yes.
func (a *app) agreed(ctx context.Context, question string) bool {
	fmt.Fprint(a.env.Stderr, question)
	word := strings.ToLower(firstLine(ctx, a.env.Stdin))
	return word == "y" || word == "yes"
}

// firstLine waits for a line, or the end of ctx, after which nobody takes the line any
// more: the program ends.
func firstLine(ctx context.Context, r io.Reader) string {
	line, _ := routine.Await(ctx, func() (string, error) { return bufio.NewReader(r).ReadString('\n') })
	return strings.TrimSpace(line)
}

// piped reports whether standard input is none of a terminal and holds something. It
// waits a moment for that.
func (a *app) piped(ctx context.Context) bool {
	r := (&input{app: a}).reader()
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	return r != nil && firstLine(ctx, r) != ""
}
