package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"ibid/ui/plain"
	"ibid/vault"
	"ibid/vault/routine"
)

const (
	maxStdin  = 16 << 20        // bytes that are read of standard input
	stdinWait = 2 * time.Second // until it is said that its end is waited for
)

// input is standard input, of which mode, the value of --stdin, says whether it is read.
type input struct {
	*app
	mode string
}

// reader is standard input, nil if that is a device, such as a terminal, or is not to be
// read. A socket is what some programs and servers give in place of a pipe.
func (in *input) reader() io.Reader {
	if in.mode == "off" {
		return nil
	}
	f, ok := in.env.Stdin.(*os.File)
	if !ok {
		return in.env.Stdin
	}
	if info, err := f.Stat(); err != nil || info.Mode()&(fs.ModeDevice|fs.ModeDir) != 0 {
		return nil
	}
	return f
}

// read reads standard input to its end: what is wanted, or with a hint how to go without what
// goes along beside it, of which there may be none. The goroutine that reads ends with its input, at the latest
// with the process.
func (in *input) read(ctx context.Context, what, hint string) (string, error) {
	r, beside := in.reader(), hint != ""
	if err := checkFlag("stdin", in.mode, "auto", "off"); err != nil {
		return "", err
	}
	switch {
	case r == nil && beside:
		return "", nil
	case r == nil:
		return "", usagef("no %s: give it as an argument or on standard input", strings.TrimPrefix(what, "the "))
	}
	late := time.AfterFunc(stdinWait, func() { in.remark("waiting for standard input%s", hint) })
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
