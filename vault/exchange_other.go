//go:build !linux && !darwin

package vault

import (
	"errors"
	"os"
)

// exchange would let two files of a folder change places in one step.
func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }

// openForWriting would report whether a program has the file open to write it.
func openForWriting(*os.Root, string) bool { return false }
