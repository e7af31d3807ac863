package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"ibid/context/prompt"
	"ibid/ui/plain"
	"ibid/vault"
	"ibid/vault/routine"
)

const (
	maxStdin  = 16 << 20        // bytes that are read of standard input
	stdinWait = 2 * time.Second // until it is said that its end is waited for
)

// stdinReader is standard input, nil if that is a device, such as a terminal, or mode, the
// value of --stdin, says that it is not read. A socket is what some programs and servers give
// in place of a pipe.
func (a *app) stdinReader(mode string) io.Reader {
	if mode == "off" {
		return nil
	}
	f, ok := a.env.Stdin.(*os.File)
	if !ok {
		return a.env.Stdin
	}
	if info, err := f.Stat(); err != nil || info.Mode()&(fs.ModeDevice|fs.ModeDir) != 0 {
		return nil
	}
	return f
}

// readStdin reads standard input to its end: what is wanted, or with a hint how to go without what
// goes along beside it, of which there may be none. The goroutine that reads ends with its input, at the latest
// with the process.
func (a *app) readStdin(ctx context.Context, mode, what, hint string) (string, error) {
	r, beside := a.stdinReader(mode), hint != ""
	if err := checkFlag("stdin", mode, "auto", "off"); err != nil {
		return "", err
	}
	switch {
	case r == nil && beside:
		return "", nil
	case r == nil:
		return "", usagef("no %s: give it as an argument or on standard input", strings.TrimPrefix(what, "the "))
	}
	late := time.AfterFunc(stdinWait, func() { a.remark("waiting for standard input%s", hint) })
	defer late.Stop()
	return readText(ctx, r, what, hint)
}

// readText reads a text to its end.
func readText(ctx context.Context, r io.Reader, what, hint string) (string, error) {
	data, failed := routine.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, maxStdin+1)) })
	if ctx.Err() != nil { // half of it is not sent
		return "", exit(plain.ExitInterrupted)
	}
	if failed != nil {
		return "", fmt.Errorf("read %s: %w", what, failed)
	}
	if len(data) > maxStdin {
		return "", usagef("%s is longer than 16 MB: attach it as a note instead%s", what, hint)
	}
	text, err := vault.Decode(data)
	if err != nil {
		return "", usagef("%s is no text in UTF-8, or in UTF-16 with a byte order mark: nothing was sent%s", what, hint)
	}
	return text, nil
}

// namedFiles are what came on standard input, and the files that --file names: those of the
// vault as its notes and images, others as texts that came with the turn.
func (p *parts) namedFiles(ctx context.Context) (all []prompt.Ref, err error) {
	give := func(name, text string) {
		ref := prompt.GivenRef(name)
		for n := 2; p.texts[ref] != ""; n++ { // files of several folders may have one name
			ref = prompt.GivenRef(fmt.Sprintf("%s (%d)", name, n))
		}
		p.texts[ref], all = text, append(all, ref)
	}
	if strings.TrimSpace(p.stdin) != "" {
		give("", p.stdin)
	}
	for _, name := range p.files {
		path := p.path(name)
		if inside, ok := vault.Inside(p.dir, path); ok {
			ref := prompt.Ref{Kind: prompt.Note, ID: string(inside)}
			if prompt.IsPicture(inside.Base()) {
				ref.Kind = prompt.Picture
			}
			if _, missing, _ := p.gather.Gather(ctx, []prompt.Ref{ref}); len(missing) > 0 {
				return nil, usagef("%s", missing[0].Reason)
			}
			all = append(all, ref)
			continue
		}
		text, err := p.readFile(ctx, name, path)
		if err != nil {
			return nil, err
		}
		give(filepath.Base(path), text)
	}
	return all, nil
}

// readFile is the text of a file outside of the vault.
func (p *parts) readFile(ctx context.Context, name, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", usagef("--file: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was read
	text, err := readText(ctx, f, name, " (copy it into the vault: notes and images go along from there)")
	if err == nil && strings.TrimSpace(text) == "" {
		err = usagef("--file: %s is empty: nothing was sent", name)
	}
	return text, err
}

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
	r := a.stdinReader("")
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	return r != nil && firstLine(ctx, r) != ""
}
