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
	maxStdin  = 16 << 20        // limit in bytes, far above any window
	stdinWait = 2 * time.Second // before a remark tells that the program waits
)

// stdinReader returns standard input, nil if it is a device, such as a terminal, or the value of --stdin forbids
// reading it. Sockets count as pipes, since some programs and servers use them so.
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

// readStdin reads standard input to its end. what names it in errors. With a hint, which tells how to go without, it is
// optional: there may be none. The goroutine that reads ends with the input, at the latest with the process.
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

// readText reads a text to its end, and returns an error if it is too long or not text.
func readText(ctx context.Context, r io.Reader, what, hint string) (string, error) {
	data, failed := routine.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, maxStdin+1)) })
	if ctx.Err() != nil { // half of a text must not be sent
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

// namedFiles returns references to the text from standard input and to the files of --file. Files of the vault become
// notes and images, so that they are sent once; the texts of others are kept in p.texts.
func (p *parts) namedFiles(ctx context.Context) (all []prompt.Ref, err error) {
	give := func(name, text string) {
		ref := prompt.GivenRef(name)
		for n := 2; p.texts[ref] != ""; n++ { // files of several folders may have the same name
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
			_, missing, _ := p.gather.Gather(ctx, []prompt.Ref{ref})
			if len(missing) > 0 && missing[0].State != prompt.UncheckedRef { // about those the turn asks
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

// readFile reads a file outside of the vault.
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

// secret reads a line that the terminal does not show. If ctx ends first, it restores the terminal.
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

// agreed asks a question and reports whether the answer is yes. No input is a no.
func (a *app) agreed(ctx context.Context, question string) bool {
	fmt.Fprint(a.env.Stderr, question)
	word := strings.ToLower(firstLine(ctx, a.env.Stdin))
	return word == "y" || word == "yes"
}

// firstLine reads a line, or gives up when ctx ends. Its goroutine then still reads, so the program must end.
func firstLine(ctx context.Context, r io.Reader) string {
	line, _ := routine.Await(ctx, func() (string, error) { return bufio.NewReader(r).ReadString('\n') })
	return strings.TrimSpace(line)
}

// piped reports whether something is piped in. It waits a moment for the first line.
func (a *app) piped(ctx context.Context) bool {
	r := a.stdinReader("")
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	return r != nil && firstLine(ctx, r) != ""
}
