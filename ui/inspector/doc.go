// Package inspector shows what a request holds: its five layers in the order
// they are sent, each with its weight and what of it the provider's prefix
// cache will find, the library item by item, the parts of this turn, what stays
// out and why, and how the last prediction compared with the provider's number.
//
// Three things are drawn from one [Report]: the page ([Model]), and, by a
// [Painter], the ribbon of one row above the prompt and the rail beside the
// transcript. A Report is a plain value that the parent makes; the inspector
// computes no prices and sends nothing. What the user asks for leaves as an
// [Action]; if it costs something, the parent answers with [Model.Confirm] and
// receives the decision as a second action.
//
// The page shows exact bytes. Text that is shown there is never interpreted:
// control characters appear as their pictures. It is cut into rows only as far
// as the user has scrolled, so a library of megabytes opens at once.
//
// A Model and a Painter are owned by one goroutine each. They start none, take
// no locks and do no I/O. A Report is not changed by the inspector and must not
// be changed by its maker after it was handed over.
package inspector
