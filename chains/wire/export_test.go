package wire

// What the tests of the package try by itself.
type (
	Failure       = failure
	ThinkSplitter = thinkSplitter
)

var ReadFailure = readFailure
