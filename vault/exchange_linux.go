package vault

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchangeIn swaps two files of an open folder.
func exchangeIn(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

// openForWriting reports whether a program has the file open for writing: then the system refuses a lease on
// it.
func openForWriting(root *os.Root, name string) bool {
	f, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close() // ends the lease
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return errors.Is(err, unix.EAGAIN)
}
