// Package browse is the lists of what there is: notes by name and by text, links of a
// message, related notes, saved chats, earlier and saved prompts, commands and what their arguments can
// be, everything that can be done, the keys.
//
// What they show is in a [Catalog], which the screen keeps and no list writes to; what is
// only a list's, such as its filter and what a search found, it keeps itself. A list does
// no work at the desk: it asks for it with a message of this package, in a [page.Post],
// and what is found out comes back as another.
package browse
