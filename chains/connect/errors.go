package connect

import "fmt"

// UsageError is a mistake in what a person asked for: another flag, name or setting would
// do.
type UsageError struct {
	error
	Topic string // of the manual, which helps; "" for none
}

// NewUsageError is such an error with its topic.
func NewUsageError(topic, format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...), topic}
}

// Unwrap is what was wrong.
func (e *UsageError) Unwrap() error { return e.error }

func misuse(format string, args ...any) error { return NewUsageError("providers", format, args...) }
