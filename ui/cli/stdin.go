package cli

import (
	"bufio"
	"context"
	"errors"
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
	maxStdin     = 16 << 20         // limit in bytes, far above any window
	stdinWait    = 2 * time.Second  // before a remark tells that the program waits
	stdinSilence = 30 * time.Second // before another tells that not even a byte came
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

// stdinUse says what standard input is read for.
type stdinUse struct {
	mode   string // the value of --stdin
	what   string // names it in messages
	undone string // what did not happen because of it: "nothing was sent"
	beside bool   // it goes along with a question: there may be none, but not an empty one
}

// without tells how to ask without it.
func (u *stdinUse) without() string {
	if u.beside {
		return " (--stdin=off goes without)"
	}
	return ""
}

// readStdin reads standard input to its end. A pipe that gives nothing was meant to give something: if it is empty, or
// stays open without a byte, the question is not asked. The goroutine that reads ends with the input, at the latest
// with the process.
func (a *app) readStdin(ctx context.Context, u stdinUse) (string, error) {
	if err := checkFlag("stdin", u.mode, "auto", "off"); err != nil {
		return "", err
	}
	r := a.stdinReader(u.mode)
	switch {
	case r == nil && u.beside:
		return "", nil
	case r == nil:
		return "", usagef("no %s: give it as an argument or on standard input", strings.TrimPrefix(u.what, "the "))
	}
	c, err := a.settings()
	if err != nil {
		return "", err
	}
	text, err := a.waitForText(ctx, r, u, c.stdinWait())
	if _, isFile := r.(*os.File); err == nil && u.beside && isFile && strings.TrimSpace(text) == "" {
		return "", usagef("%s is empty: %s%s", u.what, u.undone, u.without())
	}
	return text, err
}

// errSilent ends the wait for the first byte of standard input.
var errSilent = errors.New("nothing came")

// waitForText reads a text to its end. It tells from time to time that it waits, and gives up if no byte comes within
// most, where 0 is for ever.
func (a *app) waitForText(ctx context.Context, r io.Reader, u stdinUse, most time.Duration) (string, error) {
	reading, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	late := time.AfterFunc(stdinWait, func() { a.remark("waiting for standard input%s", u.without()) })
	defer late.Stop()
	silent := []*time.Timer{time.AfterFunc(stdinSilence, func() {
		a.remark("still waiting: nothing came on standard input within %g s%s", stdinSilence.Seconds(), u.without())
	})}
	if most > 0 {
		silent = append(silent, time.AfterFunc(most, func() { giveUp(errSilent) }))
	}
	heard := func() {
		for _, timer := range silent {
			timer.Stop()
		}
	}
	defer heard()
	text, err := readText(reading, &firstByteReader{Reader: r, heard: heard}, u.what, u.undone+u.without())
	if ctx.Err() == nil && errors.Is(context.Cause(reading), errSilent) {
		how := "--stdin=off goes without"
		if !u.beside {
			how = fmt.Sprintf("give %s as an argument, and to `ibid ask` --stdin=off", u.what)
		}
		return "", usagef("nothing came on standard input within %g s, %s: %s; the setting stdin_wait waits longer",
			most.Seconds(), u.undone, how)
	}
	return text, err
}

// firstByteReader calls heard when the first bytes or the end come.
type firstByteReader struct {
	io.Reader
	heard func()
}

// Read implements io.Reader.
func (r *firstByteReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 || err != nil {
		r.heard()
	}
	return n, err
}

// readText reads a text to its end. Its errors say that it is too long or no text, and end with consequence; it returns
// what it has read together with them.
func readText(ctx context.Context, r io.Reader, what, consequence string) (string, error) {
	data, failed := routine.Await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, maxStdin+1)) })
	if ctx.Err() != nil { // half of a text must not be sent
		return "", exit(plain.ExitInterrupted)
	}
	if failed != nil {
		return "", fmt.Errorf("read %s: %w", what, failed)
	}
	if len(data) > maxStdin {
		return string(data), usagef("%s is longer than 16 MB: attach it as a note instead; %s", what, consequence)
	}
	content := vault.Judge(data)
	var noText *vault.NoTextError
	if errors.As(content.Error(vault.Path(what)), &noText) {
		return string(data), usagef("%s %s; %s", what, noText.Reason(), consequence)
	}
	return content.Text, nil
}

// vaultFile makes sure that a file of the vault can be sent. If data would be left out of it as a note, whole is its
// text: who names a file wants what is in it.
func (p *parts) vaultFile(ctx context.Context, ref prompt.Ref) (whole string, err error) {
	_, missing, _ := p.gather.Gather(ctx, []prompt.Ref{ref})
	hasData := false
	for _, m := range missing {
		switch {
		case m.Ref != ref || m.State == prompt.UncheckedRef: // about those the turn asks
		case m.State == "data":
			hasData = true
		default:
			return "", usagef("%s", m.Reason)
		}
	}
	if !hasData {
		return "", nil
	}
	text, err := p.vault.Read(vault.Path(ref.ID))
	return text.Content, err
}

// namedFiles returns references to the text from standard input and to the files of --file. Files of the vault become
// notes and images, so that they are sent once; the texts of others, and of notes with data that would be left out, are
// kept in p.texts.
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
			whole, err := p.vaultFile(ctx, ref)
			switch {
			case err != nil:
				return nil, err
			case whole != "":
				give(inside.Name(), whole)
			default:
				all = append(all, ref)
			}
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
	text, err := readText(ctx, f, name, "nothing was sent (copy it into the vault: notes and images go along from there)")
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
