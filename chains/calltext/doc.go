// Package calltext speaks with models that cannot call tools through their
// server: they write their calls into the reply as text. [Guide] is what such a
// model is told, and a [Reader] takes the calls out of a reply while it streams, so
// that they are neither shown nor saved. A call looks so:
//
//	<use_tool name="localSearch">
//	{"query":"barn roof"}
//	</use_tool>
//
// Models also write the forms that they were trained on, above all small ones on
// a person's own machine, and those whose server does not know its model's form
// well enough to hide it. A Reader knows these forms; see forms.go. What stands in
// a code fence, in the middle of a line or in prose is text.
//
// [PlanningQuestion] is the other way to have something looked up without native calls: a
// request of its own, before that of the turn, whose answer [Plan] reads.
//
// A [Block] is a note that a reply proposes to write; a [BlockReader] finds them while it
// streams, and a [BlockDrawer] puts a line in the place of each.
//
// All of it is pure: texts in, texts and calls out. A Reader is used by one
// goroutine at a time.
package calltext
