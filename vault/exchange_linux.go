package vault

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchangeIn lets two files of an open folder change places.
func exchangeIn(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}

// openForWriting reports whether a program has the file open to write it: the system
// gives no lease on it then.
func openForWriting(root *os.Root, name string) bool {
	f, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close() // ends the lease
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return errors.Is(err, unix.EAGAIN)
}
