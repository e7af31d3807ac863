//go:build !linux && !darwin

package vault

import (
	"errors"
	"os"
)

// exchange swaps two files of a folder in one step. This system cannot.
func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }

// openForWriting reports whether a program has the file open for writing. This system does not tell.
func openForWriting(*os.Root, string) bool { return false }
