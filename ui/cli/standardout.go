package cli

import (
	"cmp"
	"errors"
	"io"
	"runtime"
	"syscall"
)

// standardOut is standard output. It keeps the first error in writing there, of which Run
// tells when the command has ended.
type standardOut struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (o *standardOut) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// closedPipe reports whether an error in writing means that the reader went away: it has
// seen enough.
func closedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // of Windows
	return errors.Is(err, syscall.EPIPE) || runtime.GOOS == "windows" && (errors.Is(err, brokenPipe) || errors.Is(err, noData))
}
