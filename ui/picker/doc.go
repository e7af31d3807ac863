// Package picker draws a list to choose one item from: notes, chats, models, commands. It is drawn as a
// popup with a border or as a page.
//
// The picker does not search. The parent sets the rows, best first ([Model.SetRows]), and learns of a
// new query from the [Action] that [Model.Update] returns. A page has its own filter line, unless it is
// [Options.Fixed]. The query of a popup is typed elsewhere, for example after an @ in the prompt, and
// the popup leaves every key that writes text to the parent. The parent also decides what keys do with
// a row, including enter ([Rows.Keys]).
//
// The picker reads only the rows on screen, so a list of fifty thousand costs no more per frame than a
// list of ten. The slice of items given to SetRows is kept, not copied: the parent must set a new one
// instead of changing it.
//
// A Model is owned by one goroutine, the one that runs Update. It starts none, takes no locks and does
// no I/O.
package picker
