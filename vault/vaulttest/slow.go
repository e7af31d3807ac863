//go:build slow

package vaulttest

// Slow reports whether tests that take long run too, as go test -tags slow has it.
const Slow = true
