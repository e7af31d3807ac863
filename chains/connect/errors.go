package connect

import "fmt"

// UsageError is a mistake in what a person asked for: another flag, name or setting would
// do.
type UsageError struct{ err error }

func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap is what was wrong.
func (e *UsageError) Unwrap() error { return e.err }

func misuse(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }
