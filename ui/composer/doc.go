// Package composer has the prompt: a text field of one to eight lines with the attachment shelf as its
// top border.
//
// The text is kept as cells. A cell is the unit of cursor movement: one grapheme cluster, one mention,
// or one large paste. So mentions are atomic, an emoji of seven code points takes one backspace, and
// the column of the cursor is a sum of cell widths, exact for wide runes, which places the window of an
// input method. The parent shows the terminal's own cursor at [Model.Cursor]; none is drawn.
//
// The text area of bubbles holds code points, replaces tabs by spaces and styles the two halves of a
// cluster apart when the cursor stands in it, so it can do none of this; BenchmarkKeystroke measures it
// beside this package.
//
// The widget does not depend on vaults or chats. Its data arrives as plain values ([Model.SetShelf],
// [Model.SetHistory]); decisions of the user leave as the [Action] that [Model.Update] returns. Popups
// belong to the parent: after an update it asks [Model.Trigger] whether the cursor follows an @, a [[
// or a leading /, and passes the choice to [Model.Accept].
//
// Pasted text is literal: an @ or a [[ in it opens no popup, and the spans in [Draft.Spans] tell the
// reader of references which bytes to skip.
//
// Every change of the text replaces one part of it (buffer.replace). Undo keeps these changes, for the
// keys of vi, too, and they tell which rows have to be wrapped again.
//
// A Model is owned by one goroutine, the one that runs Update. It starts none, takes no locks and does
// no I/O. A keystroke costs the rows that it changes, and a copy of the text after the cursor in its
// line; a large paste counts as one cell.
package composer
