//go:build !slow

package vaulttest

import (
	"os"
	"slices"
	"strings"

	"ibid/vault/ownfile"
)

// Slow reports whether slow tests run too, with go test -tags slow.
const Slow = false

// Tests take half the time if they do not wait for a disk. Slow tests and benchmarks
// use one, as users do, and so do all tests if TMPDIR is set.
func init() {
	if slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") }) {
		return
	}
	ownfile.Durable = false
	if dir := memoryFolder(); dir != "" && os.Getenv("TMPDIR") == "" {
		_ = os.Setenv("TMPDIR", dir)
	}
}
