// Package picker is a list to choose one thing from: notes, chats, models,
// commands. It is drawn as a popup with a border or as a page of its own.
//
// The picker does not search. The parent gives the rows, best first
// ([Model.SetRows]), and is told of a new query by the [Action] that
// [Model.Update] returns. On a page the query is typed into a line of the picker's
// own, unless it is [Options.Fixed]; that of a popup is typed elsewhere (behind an @
// in the prompt, say), and every key that writes text is left to the parent. What keys
// do with a row, enter among them, is the parent's too ([Rows.Keys]).
//
// Only rows on screen are ever looked at, so a list of fifty thousand costs a
// frame what a list of ten does. The slice of items given to SetRows is kept, not
// copied: the parent gives a new one instead of changing it.
//
// A Model is owned by one goroutine, the one that runs Update. It starts none,
// takes no locks and does no I/O.
package picker
