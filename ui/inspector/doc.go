// Package inspector shows the content of a request: its five layers in the order they are sent, each
// with its weight and the part of it that the provider's prefix cache will hit, the library item by
// item, the parts of this turn, what is not sent and why, and the last prediction beside the provider's
// number.
//
// Three things are drawn from one [Report]: the page ([Model]), and, by a [Painter], the ribbon of one
// row above the prompt and the rail beside the transcript. A Report is a plain value that the parent
// makes; the inspector computes no prices and sends nothing. Decisions of the user leave as an
// [Action]; if it costs something, the parent answers with [Model.Confirm] and receives the decision as
// a second action.
//
// The page shows exact bytes. Its text is never interpreted: control characters appear as their
// pictures. It is wrapped only as far as the user has scrolled, so a library of megabytes opens at
// once.
//
// A Model and a Painter are owned by one goroutine each. They start none, take no locks and do no I/O.
// A Report is not changed by the inspector and must not be changed by its maker after it was handed
// over.
package inspector
