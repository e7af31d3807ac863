// Package rails is the columns beside the conversation: the saved chats at the left, what
// goes along with the next turn at the right. [Rails] knows which of them has the keys,
// which row they are at, what the chats are filtered by and where each was scrolled to;
// what they show it is given as a [Source] each time, and nothing of that is kept but the
// rows that were drawn.
//
// It has no goroutines; all of it is for the goroutine of the screen.
package rails
