package query

import (
	"errors"
	"fmt"

	"ibid/vault/md"
)

// Error says that a query cannot be answered, and names the word that caused it: the query is malformed, uses
// something that is not supported, or asks for too much.
type Error struct {
	Word   string // as written in the query
	Reason string
}

func (e *Error) Error() string {
	if e.Word == "" {
		return "query: " + e.Reason
	}
	return fmt.Sprintf("query: at %q: %s", e.Word, e.Reason)
}

// unsupportedError returns the error for a word, which it shortens to 60 characters.
func unsupportedError(word, reason string) error {
	const longest = 60
	return &Error{Word: md.Clip(word, longest), Reason: reason}
}

// rowError is an error in one row, which is left out of the result. Only if all rows have one, the query fails.
type rowError string

func (e rowError) Error() string { return string(e) }

func rowErrorf(format string, args ...any) error { return rowError(fmt.Sprintf(format, args...)) }

// isRowError reports whether err is a rowError.
func isRowError(err error) bool {
	_, is := errors.AsType[rowError](err)
	return is
}
