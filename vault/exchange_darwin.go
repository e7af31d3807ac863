package vault

import (
	"os"

	"golang.org/x/sys/unix"
)

// exchangeIn swaps two files of an open folder.
func exchangeIn(dir int, a, b string) error {
	return unix.RenameatxNp(dir, a, dir, b, unix.RENAME_SWAP)
}

// openForWriting reports whether a program has the file open for writing. This system does not tell.
func openForWriting(*os.Root, string) bool { return false }
