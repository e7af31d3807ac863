package query

import (
	"errors"
	"fmt"

	"ibid/vault/md"
)

// Error says that a query cannot be answered, and which word stopped it: it is not
// written right, asks for more than this package knows, or for too much.
type Error struct {
	Word   string // as it stands in the query
	Reason string
}

func (e *Error) Error() string {
	if e.Word == "" {
		return "query: " + e.Reason
	}
	return fmt.Sprintf("query: at %q: %s", e.Word, e.Reason)
}

// unsupportedError is the error for a word.
func unsupportedError(word, reason string) error {
	const longest = 60
	return &Error{Word: md.Clip(word, longest), Reason: reason}
}

// rowError is what is wrong with one row: it is left out. Only if all rows are like
// that is it an error of the query.
type rowError string

func (e rowError) Error() string { return string(e) }

func wrongRow(format string, args ...any) error { return rowError(fmt.Sprintf(format, args...)) }

// isRowError reports whether err concerns one row only.
func isRowError(err error) bool {
	var e rowError
	return errors.As(err, &e)
}
