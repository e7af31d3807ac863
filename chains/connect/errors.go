package connect

import "fmt"

// UsageError is a mistake of the user, which another flag, name or setting corrects.
type UsageError struct {
	error
	Topic string // topic of the manual that helps, "" for none
}

// NewUsageError returns an error with a topic and a formatted text.
func NewUsageError(topic, format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...), topic}
}

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.error }

func misuse(format string, args ...any) error { return NewUsageError("providers", format, args...) }
