// Package calltext handles calls of models that cannot call tools through their server: they write their calls into
// the reply as text. [Guide] returns the instructions for such a model, and a [Reader] removes the calls from a
// reply while it streams, so that they are neither shown nor saved. A call has this form:
//
//	<use_tool name="localSearch">
//	{"query":"barn roof"}
//	</use_tool>
//
// Models also write the forms that they were trained on, above all small ones on a person's own machine, and those
// whose server does not know the model's form well enough to hide it. A Reader knows these forms; see forms.go.
// Anything in a code fence, in the middle of a line or in prose is text.
//
// [PlanningQuestion] is the other way to have something looked up without native calls: a separate request before
// that of the turn, whose answer [Plan] parses.
//
// A [Block] is a note that a reply proposes to write; a [BlockReader] finds blocks while a reply streams, and
// [NewBlockDrawer] returns one that replaces each by a line.
//
// The package has no state and does no I/O. A Reader is for one goroutine at a time.
package calltext
