// Package browse has the lists of notes by name and by text, the links of a message, related notes,
// saved chats, earlier and saved prompts, commands and their arguments, all actions, and the keys.
//
// Their data is in a [Catalog], which the screen keeps and no list writes to; a list keeps its own
// state, such as its filter and the result of a search. A list does no work at the desk: it sends a
// message of this package in a [page.Post], and the result comes back as another message.
package browse
