// Package composer is the place where a user writes: a prompt of one to
// eight lines with the attachment shelf as its top border.
//
// The text is kept as cells. A cell is the smallest thing that the cursor can
// step over: one grapheme cluster, one mention, or one large paste. Mentions
// are therefore atomic, an emoji of seven code points takes one backspace, and
// the column of the cursor is a sum of cell widths, exact for wide runes, which
// is what places the window of an input method. The parent shows the terminal's
// own cursor at [Model.Cursor]; none is drawn.
//
// The text area of bubbles holds code points, replaces tabs by spaces and
// styles the two halves of a cluster apart when the cursor stands in it, so it
// can give none of this; BenchmarkKeystroke measures it beside this package.
//
// The widget knows nothing of vaults or chats. What it shows arrives as plain
// values ([Model.SetShelf], [Model.SetHistory]); what the user decides leaves
// as the [Action] that [Model.Update] returns. Popups are the parent's: after
// an update it asks [Model.Trigger] whether the cursor stands behind an @, a
// [[ or a leading /, and hands the choice back to [Model.Accept].
//
// What was pasted is literal: an @ or a [[ in it opens no popup, and the spans
// in [Draft.Spans] tell the reader of references which bytes to skip.
//
// Every change of the text is a replacement of one part of it (buffer.replace). Undo keeps
// those, for the keys of vi too, and they say which rows are to be cut again.
//
// A Model is owned by one goroutine, the one that runs Update. It starts none,
// takes no locks and does no I/O. A keystroke costs the rows that it changes, and a
// copy of what stands behind the cursor in its line; a large paste counts as one cell.
package composer
