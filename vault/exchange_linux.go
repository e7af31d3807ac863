package vault

import "golang.org/x/sys/unix"

// exchangeIn lets two files of an open folder change places.
func exchangeIn(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}
