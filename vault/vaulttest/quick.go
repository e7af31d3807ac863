//go:build !slow

package vaulttest

// Slow reports whether slow tests run too, with go test -tags slow.
const Slow = false
